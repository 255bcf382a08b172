/* A ropeway's day: cabins come and go by a queue of events, passengers' names are counted, routes over the stations are priced, and lines are cleaned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATIONS = 13, CABINS = 40, PLACES = 1024, NAMES = 700 };

static unsigned state = 5;

static unsigned drawn(void) {
  state = state * 1103515245u + 12345u;
  return state >> 8;
}

/* ---- events */
struct event {
  long at;
  int cabin, station;
};

#ifdef EVENTS_FROM_ARENA
static char arena[1 << 22];
static size_t taken;

static __attribute__((noinline)) struct event *new_event(void) {
  struct event *one = (struct event *)(arena + taken);
  taken += sizeof *one;
  return one;
}

static __attribute__((noinline)) void drop_event(struct event *one) { (void)one; }
#else
static __attribute__((noinline)) struct event *new_event(void) { return malloc(sizeof(struct event)); }

static __attribute__((noinline)) void drop_event(struct event *one) { free(one); }
#endif

static struct event *queue[4096];
static int waiting;

#ifdef QUEUE_IN_ORDER
/* In order, the next one last. */
static __attribute__((noinline)) void put(struct event *one) {
  int place = waiting;
  while (place > 0 && queue[place - 1]->at < one->at) --place;
  memmove(queue + place + 1, queue + place, (size_t)(waiting - place) * sizeof queue[0]);
  queue[place] = one;
  ++waiting;
}

static __attribute__((noinline)) struct event *take(void) { return queue[--waiting]; }
#else
/* A heap, the next one first. */
static __attribute__((noinline)) void put(struct event *one) {
  int place = waiting++;
  while (place > 0 && queue[(place - 1) / 2]->at > one->at) {
    queue[place] = queue[(place - 1) / 2];
    place = (place - 1) / 2;
  }
  queue[place] = one;
}

static __attribute__((noinline)) struct event *take(void) {
  struct event *first = queue[0], *last = queue[--waiting];
  int place = 0;
  for (;;) {
    int child = 2 * place + 1;
    if (child >= waiting) break;
    if (child + 1 < waiting && queue[child + 1]->at < queue[child]->at) ++child;
    if (queue[child]->at >= last->at) break;
    queue[place] = queue[child];
    place = child;
  }
  queue[place] = last;
  return first;
}
#endif

/* ---- passengers by name */
struct passenger {
  struct passenger *next;
  char name[40];
  int rides;
};

static struct passenger *places[PLACES];

static __attribute__((noinline)) unsigned hash_of(const char *name) {
#ifdef HASH_OF_FIRST
  return (unsigned char)name[0] * 31u + (unsigned char)name[1];
#else
  unsigned hash = 2166136261u;
  for (; *name; ++name) hash = (hash ^ (unsigned char)*name) * 16777619u;
  return hash ^ hash >> 15;
#endif
}

static __attribute__((noinline)) struct passenger *passenger_of(const char *name) {
  struct passenger **place = &places[hash_of(name) % PLACES], *one;
  for (one = *place; one; one = one->next)
    if (strcmp(one->name, name) == 0) return one;
  one = calloc(1, sizeof *one);
  strcpy(one->name, name);
  one->next = *place;
  *place = one;
  return one;
}

/* ---- routes: the least that a ride costs from one station to another with so many changes */
static int fare[STATIONS][STATIONS];
static long remembered[STATIONS][STATIONS][6];

static __attribute__((noinline)) long cheapest(int from, int to, int changes) {
  long least;
  int over;
#ifdef ROUTES_REMEMBERED
  if (remembered[from][to][changes]) return remembered[from][to][changes];
#endif
  least = fare[from][to];
  if (changes > 0)
    for (over = 0; over < STATIONS; ++over)
      if (over != from && over != to) {
        const long sum = fare[from][over] + 10 + cheapest(over, to, changes - 1);
        if (sum < least) least = sum;
      }
  remembered[from][to][changes] = least;
  return least;
}

/* ---- lines of the log */
static __attribute__((noinline)) int cleaned(char *line) {
  int changed = 0;
  size_t i;
#ifdef LENGTH_EACH
  for (i = 0; i < strlen(line); ++i) {
#else
  const size_t length = strlen(line);
  for (i = 0; i < length; ++i) {
#endif
    if (line[i] == '\t') line[i] = ' ', ++changed;
    if (line[i] >= 'A' && line[i] <= 'Z') line[i] = (char)(line[i] - 'A' + 'a'), ++changed;
  }
  return changed;
}

static __attribute__((noinline)) long day(int events) {
  long sum = 0;
  int i;
  for (i = 0; i < 600; ++i) {
    struct event *one = new_event();
    one->at = drawn() % 1000;
    one->cabin = i % CABINS;
    one->station = (int)(drawn() % STATIONS);
    put(one);
  }
  for (i = 0; i < events; ++i) {
    struct event *one = take(), *next = new_event();
    next->at = one->at + 20 + drawn() % 300;
    next->cabin = one->cabin;
    next->station = (one->station + 1) % STATIONS;
    sum += one->at * (one->cabin + 1);
    put(next);
    drop_event(one);
  }
  return sum;
}

static __attribute__((noinline)) int rides(int count) {
  static const char *const firsts[] = {"Anton", "Beate", "Carlo", "Dorothea", "Emil", "Franziska", "Gustav"};
  char name[40];
  int i, most = 0;
  for (i = 0; i < count; ++i) {
    struct passenger *one;
    char *end = stpcpy(name, firsts[drawn() % 7]);
    unsigned number = drawn() % (NAMES / 7);
    memcpy(end, " of valley ", 11);
    end += 11;
    *end++ = (char)('a' + number % 26);
    *end++ = (char)('a' + number / 26);
    *end = 0;
    one = passenger_of(name);
    if (++one->rides > most) most = one->rides;
  }
  return most;
}

static __attribute__((noinline)) long fares(int changes) {
  long sum = 0;
  int from, to;
  for (from = 0; from < STATIONS; ++from)
    for (to = 0; to < STATIONS; ++to) fare[from][to] = from == to ? 1 : 90 + (int)(drawn() % 400);
  for (from = 0; from < STATIONS; ++from)
    for (to = 0; to < STATIONS; ++to) sum += cheapest(from, to, changes);
  return sum;
}

static __attribute__((noinline)) int lines(int count) {
  char line[200];
  int i, changed = 0;
  for (i = 0; i < count; ++i) {
    int length = 60 + (int)(drawn() % 100), k;
    for (k = 0; k < length; ++k) line[k] = (k + i) % 9 == 0 ? '\t' : (k * i) % 5 == 0 ? 'K' : 'u';
    line[length] = 0;
    changed += cleaned(line);
  }
  return changed;
}

int main(void) {
  const long sum = day(20000);
  const int most = rides(15000);
  const long all = fares(3);
  const int changed = lines(2500);
  printf("%ld, %d rides, %ld, %d characters\n", sum, most, all, changed);
  return 0;
}
