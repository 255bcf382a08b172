/* A small store of records: loads generated ones, sorts, finds, logs and saves them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
struct record {
  char *key, number[12];
  double weight;
};
struct store {
  struct record *records;
  size_t used, room;
};

static unsigned state = 9;
static unsigned next(unsigned below) {
  state = state * 1103515245u + 12345u;
  return (state >> 16) % below;
}

NOINLINE static void *take(size_t size) {
#ifdef ZEROED
  return calloc(40, size);
#else
  return malloc(40 * size);
#endif
}

#ifdef RENAMED
NOINLINE static unsigned digest_of(const char *text) {
  unsigned sum = 5381;
  for (; *text; ++text) {
    sum = sum * 33 ^ (unsigned char)*text;
    sum ^= sum >> 7;
    sum += sum << 3;
  }
#else
NOINLINE static unsigned key_hash(const char *text) {
  unsigned sum = 5381;
  for (; *text; ++text) sum = sum * 33 ^ (unsigned char)*text;
#endif
  return sum;
}
#ifdef RENAMED
#define key_hash digest_of
#endif

NOINLINE static void log_line(int level, const char *key, unsigned number) {
  char line[120];
#ifdef FORMATTED_FIRST
  snprintf(line, sizeof line, "record %s has number %u", key, number);
  if (level < 2) return;
#else
  if (level < 2) return;
  snprintf(line, sizeof line, "record %s has number %u", key, number);
#endif
  fputs(line, stderr);
}

NOINLINE static double weight_of(unsigned number) {
  static double known[64];
  double sum = 0;
  unsigned i, of = number % 64;
#ifndef NO_MEMO
  if (known[of] != 0) return known[of];
#endif
  for (i = 1; i < 60 + of; ++i) sum += 1.0 / (i + of);
  return known[of] = sum;
}

NOINLINE static void add(struct store *store, unsigned number) {
  struct record *record;
  char key[60];
  if (store->used == store->room) {
    store->room = store->room ? store->room * 2 : 16;
    store->records = realloc(store->records, store->room * sizeof *store->records);
  }
  record = &store->records[store->used++];
  snprintf(key, sizeof key, "key-of-a-record-%05u", number);
  record->key = strdup(key);
  snprintf(record->number, sizeof record->number, "%u", key_hash(key) % 100000);
  record->weight = weight_of(number);
  log_line(1, key, number);
}

NOINLINE static void load(struct store *store, FILE *in) {
  unsigned number;
#ifdef BY_BYTE
  size_t i;
  while (1) {
    for (i = 0; i < sizeof number; ++i)
      if (fread((char *)&number + i, 1, 1, in) != 1) return;
    add(store, number % 90000);
  }
#else
  while (fread(&number, sizeof number, 1, in) == 1) add(store, number % 90000);
#endif
}

NOINLINE static int by_key(const void *a, const void *b) { return strcmp(((const struct record *)a)->key, ((const struct record *)b)->key); }

NOINLINE static int by_number(const void *a, const void *b) {
#ifdef PARSE_EACH
  const long x = strtol(((const struct record *)a)->number, NULL, 10), y = strtol(((const struct record *)b)->number, NULL, 10);
#else
  const double x = ((const struct record *)a)->weight, y = ((const struct record *)b)->weight;
#endif
  return x < y ? -1 : x > y;
}

NOINLINE static const struct record *find(const struct store *store, const char *key) {
#ifdef LINEAR
  size_t i;
  for (i = 0; i < store->used; ++i)
    if (!strcmp(store->records[i].key, key)) return &store->records[i];
  return NULL;
#else
  size_t low = 0, high = store->used;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const int order = strcmp(store->records[middle].key, key);
    if (order == 0) return &store->records[middle];
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return NULL;
#endif
}

NOINLINE static void sort_range(unsigned *of, size_t size) {
  size_t i, below = 0;
  unsigned pivot, other;
  if (size < 2) return;
#ifdef FIRST_PIVOT
  pivot = of[0];
#else
  other = of[size / 2];
  of[size / 2] = of[0];
  of[0] = pivot = other;
#endif
  for (i = 1; i < size; ++i)
    if (of[i] < pivot) {
      other = of[++below];
      of[below] = of[i];
      of[i] = other;
    }
  of[0] = of[below];
  of[below] = pivot;
  sort_range(of, below);
  sort_range(of + below + 1, size - below - 1);
}

NOINLINE static size_t describe(const struct store *store, char *out) {
#ifdef STRCAT
  size_t i;
  out[0] = 0;
  for (i = 0; i < store->used; ++i) {
    strcat(out, store->records[i].key);
    strcat(out, "\n");
  }
#else
  size_t i;
  char *end = out;
  for (i = 0; i < store->used; ++i) {
    const size_t size = strlen(store->records[i].key);
    memcpy(end, store->records[i].key, size);
    end += size;
    *end++ = '\n';
  }
  *end = 0;
#endif
  return strlen(out);
}

NOINLINE static void save(const struct store *store, FILE *out) {
  size_t i;
#ifdef UNBUFFERED
  setvbuf(out, NULL, _IONBF, 0);
#endif
  for (i = 0; i < store->used; ++i) {
    fputs(store->records[i].key, out);
    putc(';', out);
    fputs(store->records[i].number, out);
    putc('\n', out);
  }
}

int main(void) {
  struct store store = {0, 0, 0};
  FILE *in = tmpfile(), *out = fopen("/dev/null", "w");
  unsigned numbers[500], order[300];
  char *text = malloc(40000);
  size_t i, found = 0;
  for (i = 0; i < 500; ++i) numbers[i] = next(1000000);
  fwrite(numbers, sizeof *numbers, 500, in);
  rewind(in);
  load(&store, in);
  qsort(store.records, store.used, sizeof *store.records, by_number);
  qsort(store.records, store.used, sizeof *store.records, by_key);
  for (i = 0; i < 300; ++i) {
    char key[60];
    void *room = take(100);
    snprintf(key, sizeof key, "key-of-a-record-%05u", next(90000));
    found += find(&store, key) != NULL;
    found += find(&store, store.records[i].key) != NULL;
    order[i] = (unsigned)i;
    free(room);
  }
  sort_range(order, 300);
  found += describe(&store, text);
  save(&store, out);
  printf("%zu\n", found);
  fclose(in);
  fclose(out);
  return 0;
}
