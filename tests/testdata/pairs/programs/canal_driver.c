/* Barges on a canal: a queue of events, locks, a log and a checked record of it all (pairs_eleventh.toml). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARGES = 220, LOCKS = 12, ROUNDS = 9 };

#ifdef LARGE_RECORD
enum { RECORD = 4096 };
#else
enum { RECORD = 96 };
#endif

struct event {
  uint32_t time;
  uint16_t barge, lock;
};

static struct event queue[BARGES + 1];
static size_t waiting;
static uint32_t free_at[LOCKS], crc_table[256];
static int log_level = 1;
static char logged[160];
static unsigned long lines;

static void make_table(void) {
  uint32_t i, j, value;
  for (i = 0; i < 256; ++i) {
    for (value = i, j = 0; j < 8; ++j) value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
    crc_table[i] = value;
  }
}

__attribute__((noinline)) static uint32_t checked(uint32_t sum, const void *data, size_t size) {
  const unsigned char *at = data;
#ifdef CHECKED_BY_BITS
  int bit;
  while (size-- > 0)
    for (sum ^= *at++, bit = 0; bit < 8; ++bit) sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
#else
  while (size-- > 0) sum = sum >> 8 ^ crc_table[(sum ^ *at++) & 255];
#endif
  return sum;
}

__attribute__((noinline)) static void note(int level, const char *what, const struct event *event) {
#ifdef FORMATTED_FIRST
  snprintf(logged, sizeof logged, "%u: barge %d %s lock %d", event->time, event->barge, what, event->lock);
  if (level > log_level) return;
#else
  if (level > log_level) return;
  snprintf(logged, sizeof logged, "%u: barge %d %s lock %d", event->time, event->barge, what, event->lock);
#endif
  lines += strlen(logged) > 10;
}

static int earlier(const struct event *a, const struct event *b) { return a->time != b->time ? a->time < b->time : a->barge < b->barge; }

#ifdef QUEUE_SORTED
/* The queue is kept in order, the earliest last. */
__attribute__((noinline)) static void put(struct event event) {
  size_t at = 0;
  while (at < waiting && earlier(&event, &queue[at])) ++at;
  memmove(queue + at + 1, queue + at, (waiting - at) * sizeof event);
  queue[at] = event;
  ++waiting;
}

__attribute__((noinline)) static struct event next_event(void) { return queue[--waiting]; }
#else
__attribute__((noinline)) static void put(struct event event) {
  size_t at = waiting++;
  while (at > 0 && earlier(&event, &queue[(at - 1) / 2])) queue[at] = queue[(at - 1) / 2], at = (at - 1) / 2;
  queue[at] = event;
}

__attribute__((noinline)) static struct event next_event(void) {
  const struct event first = queue[0], last = queue[--waiting];
  size_t at = 0;
  for (;;) {
    size_t below = 2 * at + 1;
    if (below >= waiting) break;
    if (below + 1 < waiting && earlier(&queue[below + 1], &queue[below])) ++below;
    if (!earlier(&queue[below], &last)) break;
    queue[at] = queue[below], at = below;
  }
  queue[at] = last;
  return first;
}
#endif

__attribute__((noinline)) static uint32_t recorded(uint32_t sum, const struct event *event) {
  static char record[RECORD];
  memset(record, 0, sizeof record);
  memcpy(record, event, sizeof *event);
  sprintf(record + 16, "lock %d at %u", event->lock, event->time);
  return checked(sum, record, 48);
}

__attribute__((noinline)) static uint32_t passed(uint32_t sum, struct event event) {
  const uint32_t starts = event.time > free_at[event.lock] ? event.time : free_at[event.lock];
  note(2, event.time < starts ? "waits for" : "enters", &event);
  free_at[event.lock] = starts + 7 + event.barge % 5;
  event.time = free_at[event.lock] + 20;
  sum = recorded(sum, &event);
  if (event.lock + 1 < LOCKS) {
    ++event.lock;
    put(event);
  } else {
    note(1, "has passed", &event);
  }
  return sum;
}

int main(void) {
  uint32_t sum = 0xffffffffu;
  int round, i;
  make_table();
  for (round = 0; round < ROUNDS; ++round) {
    memset(free_at, 0, sizeof free_at);
    for (i = 0; i < BARGES; ++i) {
      const struct event event = {(uint32_t)(i * 13 % 97 + round), (uint16_t)i, 0};
      put(event);
    }
    while (waiting > 0) sum = passed(sum, next_event());
  }
  printf("%08x %lu\n", sum, lines);
  return 0;
}
