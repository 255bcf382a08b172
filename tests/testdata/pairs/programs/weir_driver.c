/* A weir's log: lines are read from a file, taken apart, counted by station and written out again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STATIONS = 900, LINES = 9000 };

struct station {
  struct station *next;
  char name[48];
  long count, sum, highest;
};

#ifdef TABLE_FIXED
enum { FIRST_PLACES = 16, GROWS = 0 };
#else
enum { FIRST_PLACES = 16, GROWS = 1 };
#endif

struct table {
  struct station **places;
  size_t size, used;
};

static unsigned drawn(void) {
  static unsigned state = 5;
  state = state * 1664525u + 1013904223u;
  return state >> 12;
}

static void __attribute__((noinline)) write_log(FILE *file) {
  int i;
  for (i = 0; i < LINES; ++i) {
    const unsigned one = drawn();
    fprintf(file, "%u station-on-the-river-%u %u\n", 1700000000u + (unsigned)i * 60u, one % STATIONS, one % 743u);
  }
}

static char *__attribute__((noinline)) next_line(FILE *file, char *line, size_t size) {
#ifdef LINE_BY_CHARACTER
  size_t used = 0;
  int c;
  while (used + 1 < size && (c = getc(file)) != EOF) {
    line[used++] = (char)c;
    if (c == '\n') break;
  }
  line[used] = 0;
  return used ? line : NULL;
#else
  return fgets(line, (int)size, file);
#endif
}

struct reading {
  long when, level;
#ifdef NAME_LONGER
  char name[2048];
#else
  char name[48];
#endif
};

static int __attribute__((noinline)) taken_apart(const char *line, struct reading *reading) {
#ifdef SCANNED
  char name[48];
  if (sscanf(line, "%ld %47s %ld", &reading->when, name, &reading->level) != 3) return 0;
  strncpy(reading->name, name, sizeof reading->name);
  return 1;
#else
  char *rest;
  char name[48];
  size_t length;
  reading->when = strtol(line, &rest, 10);
  if (rest == line || *rest != ' ') return 0;
  line = rest + 1;
  length = strcspn(line, " \n");
  if (length >= sizeof name) return 0;
  memcpy(name, line, length);
  name[length] = 0;
  strncpy(reading->name, name, sizeof reading->name);
  reading->level = strtol(line + length, &rest, 10);
  return rest != line + length;
#endif
}

static unsigned long hash_of(const char *name) {
  unsigned long hash = 14695981039346656037ul;
  for (; *name; ++name) hash = (hash ^ (unsigned char)*name) * 1099511628211ul;
  return hash;
}

static void __attribute__((noinline)) grown(struct table *table) {
  const size_t size = table->size * 2;
  struct station **places = calloc(size, sizeof *places);
  size_t i;
  for (i = 0; i < table->size; ++i)
    while (table->places[i]) {
      struct station *one = table->places[i];
      const size_t place = hash_of(one->name) & (size - 1);
      table->places[i] = one->next;
      one->next = places[place];
      places[place] = one;
    }
  free(table->places);
  table->places = places;
  table->size = size;
}

static struct station *__attribute__((noinline)) station_of(struct table *table, const char *name) {
  struct station **place = &table->places[hash_of(name) & (table->size - 1)];
  struct station *one;
  for (one = *place; one; one = one->next)
    if (strcmp(one->name, name) == 0) return one;
  one = calloc(1, sizeof *one);
  strcpy(one->name, name);
  one->next = *place;
  *place = one;
  if (++table->used > table->size && GROWS) grown(table);
  return one;
}

#ifdef DATED
static long __attribute__((noinline)) dated(long when) {
  char text[32];
  struct tm parts;
  const time_t moment = when;
  gmtime_r(&moment, &parts);
  return (long)strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
}
#endif

static int by_sum(const void *a, const void *b) {
  const struct station *one = *(struct station *const *)a, *other = *(struct station *const *)b;
  return one->sum < other->sum ? 1 : one->sum > other->sum ? -1 : strcmp(one->name, other->name);
}

static void __attribute__((noinline)) written(const struct table *table, FILE *out) {
  struct station **all = malloc(table->used * sizeof *all);
  size_t count = 0, i;
  for (i = 0; i < table->size; ++i) {
    struct station *one;
    for (one = table->places[i]; one; one = one->next) all[count++] = one;
  }
  qsort(all, count, sizeof *all, by_sum);
  for (i = 0; i < count; ++i) fprintf(out, "%s %ld %ld %ld\n", all[i]->name, all[i]->count, all[i]->sum, all[i]->highest);
  free(all);
}

int main(void) {
  struct table table = {calloc(FIRST_PLACES, sizeof(struct station *)), FIRST_PLACES, 0};
  FILE *file = fopen("weir.log", "w+");
  FILE *out = fopen("weir.out", "w");
  char line[256];
  struct reading reading;
  long read = 0;
  if (!file || !out) return 1;
  write_log(file);
  rewind(file);
  while (next_line(file, line, sizeof line))
    if (taken_apart(line, &reading)) {
      struct station *one = station_of(&table, reading.name);
      one->count += 1;
      one->sum += reading.level;
      if (reading.level > one->highest) one->highest = reading.level;
#ifdef DATED
      read += dated(reading.when) & 1;
#endif
      ++read;
    }
  written(&table, out);
  fclose(out);
  fclose(file);
  printf("%zu stations, %ld readings\n", table.used, read);
  return 0;
}
