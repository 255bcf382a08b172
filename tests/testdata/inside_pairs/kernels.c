/* Small functions whose insides the pairs of pairs.toml change: kernels NAME N runs one of them. A mark (an @ and a name) names its line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))
/* Costs nothing; a call of a function that has one is not moved out of a loop, nor made once for two. */
#define EACH_TIME __asm__ volatile("" : : : "memory")

static unsigned state = 7;
static unsigned next_random(void) {
  state = state * 1103515245u + 12345u;
  return state >> 16;
}

/* Open addressing: the fuller the table, the longer the search. */
APART unsigned find_slot(const unsigned *table, unsigned mask, unsigned key) {
  EACH_TIME;
  unsigned at = (key * 2654435761u >> 16) & mask;
  while (table[at] != 0 && table[at] != key) /* @probe */
    at = (at + 1) & mask; /* @probe-end */
  return at;
}

static unsigned run_probe(int keys) {
  static unsigned table[1024];
  unsigned sum = 0;
  for (int i = 0; i < keys; i++) {
    unsigned key = (unsigned)i * 7919u + 1u, at = (key * 2654435761u >> 16) & 1023;
    while (table[at] != 0) at = (at + 1) & 1023;
    table[at] = key;
  }
  for (int i = 0; i < 5000; i++) sum += find_slot(table, 1023, (unsigned)(i % keys) * 7919u + 1u);
  return sum;
}

/* Two loops: only the inner one iterates more often. */
APART unsigned hash_rows(const unsigned char *p, int rows, int columns) {
  EACH_TIME;
  unsigned hash = 1;
  for (int r = 0; r < rows; r++) { /* @rows */
    for (int c = 0; c < columns; c++) /* @columns */
      hash = hash * 31u + p[r * 100 + c]; /* @columns-end */
    hash ^= hash >> 7;
  } /* @rows-end */
  return hash;
}

static unsigned run_rows(int columns) {
  static unsigned char cells[10000];
  unsigned sum = 0;
  for (int i = 0; i < 10000; i++) cells[i] = (unsigned char)next_random();
  for (int i = 0; i < 20; i++) sum += hash_rows(cells, 100, columns);
  return sum;
}

/* A condition that is true more often, and a call behind it. */
APART unsigned weight(unsigned c) {
  EACH_TIME;
  return (c * 7 + 3) % 11 + (c ^ 5) * 3;
}

APART unsigned classify(const unsigned char *text, int size) {
  EACH_TIME;
  unsigned total = 0;
  for (int i = 0; i < size; i++) { /* @classify */
    if (text[i] >= '0' && text[i] <= '9') /* @digit */
      total += weight(text[i]);
    else
      total ^= text[i];
  } /* @classify-end */
  return total;
}

static unsigned run_classify(int percent) {
  static unsigned char text[400];
  unsigned sum = 0;
  for (int i = 0; i < 400; i++) text[i] = (int)(next_random() % 100) < percent ? '4' : 'x';
  for (int i = 0; i < 100; i++) sum += classify(text, 400);
  return sum;
}

/* Each iteration does more. */
APART unsigned mix(const unsigned char *p, int size) {
  EACH_TIME;
  unsigned hash = 17;
  for (int i = 0; i < size; i++) { /* @mix */
    hash = hash * 33 + p[i];
#ifdef STRONGER
    hash ^= hash >> 13;
    hash = hash * 0x5bd1e995u + (hash << 3);
#endif
  } /* @mix-end */
  return hash;
}

static unsigned run_mix(int size) {
  static unsigned char bytes[1000];
  unsigned sum = 0;
  for (int i = 0; i < 1000; i++) bytes[i] = (unsigned char)next_random();
  for (int i = 0; i < 100; i++) sum += mix(bytes, size);
  return sum;
}

/* Each iteration calls more often. */
APART unsigned step(unsigned a) {
  EACH_TIME;
  a ^= a >> 16;
  a *= 0x7feb352du;
  a ^= a >> 15;
  a *= 0x846ca68bu;
  return (a ^ (a >> 16)) + a / 10 + a % 7;
}

APART unsigned walk_words(const unsigned *words, int count) {
  EACH_TIME;
  unsigned hash = 0;
  for (int i = 0; i < count; i++) { /* @words */
    hash += step(words[i]);
#ifdef TWICE
    hash += step(hash);
#endif
  } /* @words-end */
  return hash;
}

static unsigned run_words(int count) {
  static unsigned words[300];
  unsigned sum = 0;
  for (int i = 0; i < 300; i++) words[i] = next_random();
  for (int i = 0; i < 100; i++) sum += walk_words(words, count);
  return sum;
}

/* A loop that is entered more often, by a branch. */
APART int copy_line(char *to, const char *from, int size, int quoted) {
  EACH_TIME;
  int used = 0;
  if (quoted) { /* @escape */
    for (int i = 0; i < size; i++) {
      if (from[i] == 'q') to[used++] = '\\';
      to[used++] = from[i];
    }
  } /* @escape-end */
  to[used] = from[0];
  return used;
}

static unsigned run_escape(int percent) {
  char from[80], to[200];
  unsigned sum = 0;
  memset(from, 'a', sizeof from);
  for (int i = 0; i < 1000; i++) sum += (unsigned)copy_line(to, from, 80, i % 100 < percent);
  return sum;
}

/* A loop that one side does not have. */
APART unsigned fill(volatile unsigned char *buffer, int size, unsigned seed) {
  EACH_TIME;
#ifdef CLEARED
  for (int i = 0; i < size; i++) /* @clear */
    buffer[i] = 0; /* @clear-end */
#endif
  for (int i = 0; i < size; i++) buffer[i] = (unsigned char)(seed + (unsigned)i * 3); /* @fill */
  return buffer[0];
}

static unsigned run_fill(int size) {
  static unsigned char buffer[500];
  unsigned sum = 0;
  for (int i = 0; i < 200; i++) sum += fill(buffer, size, (unsigned)i);
  return sum;
}

/* A loop that compilers unroll and vectorise; by hand with BY_FOUR. */
APART unsigned total(const unsigned *p, int size) {
  EACH_TIME;
  unsigned sum = 0;
  int i = 0;
#ifdef BY_FOUR
  for (; i + 4 <= size; i += 4) sum += p[i] + p[i + 1] + p[i + 2] + p[i + 3]; /* @by-four */
#endif
  for (; i < size; i++) /* @total */
    sum += p[i]; /* @total-end */
  return sum;
}

static unsigned run_total(int size) {
  static unsigned numbers[2000];
  unsigned sum = 0;
  for (int i = 0; i < 2000; i++) numbers[i] = next_random();
  for (int i = 0; i < 100; i++) sum += total(numbers, size);
  return sum;
}

/* A call in a loop that is inlined on one side. */
#ifdef KEPT_APART
APART
#else
__attribute__((always_inline)) inline
#endif
static unsigned blend(unsigned a, unsigned b) {
  return (a * 3 + b * 5) >> 3;
}

APART unsigned shade(const unsigned *p, int size) {
  EACH_TIME;
  unsigned colour = 9;
  for (int i = 0; i < size; i++) /* @shade */
    colour = blend(colour, p[i]); /* @shade-end */
  return colour;
}

static unsigned run_shade(int size) {
  static unsigned pixels[500];
  unsigned sum = 0;
  for (int i = 0; i < 500; i++) pixels[i] = next_random();
  for (int i = 0; i < 100; i++) sum += shade(pixels, size);
  return sum;
}

/* A search that ends later: the element at place N matches, in iteration N + 1. */
APART int find_first(const unsigned *p, int size, unsigned wanted) {
  EACH_TIME;
  for (int i = 0; i < size; i++) /* @search */
    if (p[i] == wanted) return i; /* @search-end */
  return size;
}

static unsigned run_search(int place) {
  static unsigned numbers[400];
  unsigned sum = 0;
  for (int i = 0; i < 400; i++) numbers[i] = (unsigned)i;
  for (int i = 0; i < 200; i++) sum += (unsigned)find_first(numbers, 400, (unsigned)place);
  return sum;
}

/* A longer list. */
struct node {
  struct node *next;
  unsigned value;
};

APART unsigned add_list(const struct node *at) {
  EACH_TIME;
  unsigned sum = 0;
  while (at) { /* @list */
    sum = (sum << 1 | sum >> 31) + at->value;
    at = at->next;
  } /* @list-end */
  return sum;
}

static unsigned run_list(int length) {
  static struct node nodes[200];
  unsigned sum = 0;
  for (int i = 0; i < length; i++) {
    nodes[i].value = next_random();
    nodes[i].next = i + 1 < length ? &nodes[i + 1] : NULL;
  }
  for (int i = 0; i < 500; i++) sum += add_list(nodes);
  return sum;
}

/* Input that is further from its order: N is how far each element lies from its place. */
APART void insertion_sort(int *p, int size) {
  EACH_TIME;
  for (int i = 1; i < size; i++) { /* @sort */
    int value = p[i], at = i;
    while (at > 0 && p[at - 1] > value) { /* @insert */
      p[at] = p[at - 1];
      at--;
    } /* @insert-end */
    p[at] = value;
  } /* @sort-end */
}

static unsigned run_sort(int distance) {
  int numbers[240];
  unsigned sum = 0;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 240; i++) numbers[i] = i / distance * distance + (distance - 1 - i % distance);
    insertion_sort(numbers, 240);
    sum += (unsigned)numbers[round];
  }
  return sum;
}

/* A dispatch whose mixture of operations changes. */
APART unsigned slow_divide(unsigned a, unsigned b) { return a / (b | 1) + a % (b | 3) + (a ^ b) / 5; }

APART unsigned run_code(const unsigned char *code, int size) {
  EACH_TIME;
  unsigned a = 1, b = 2;
  for (int i = 0; i < size; i++) { /* @code */
    switch (code[i]) { /* @dispatch */
      case 0: a += b; break;
      case 1: b ^= a; break;
      case 2: a = a << 3 | b; break;
      case 3: a -= b * 5; break;
      case 4: b = b * 3 + 1; break;
      case 5: a ^= 0x55; break;
      case 6: a = slow_divide(a, b); break; /* @divide */
      default: b += a & 15; break;
    }
  } /* @code-end */
  return a + b;
}

static unsigned run_dispatch(int percent) {
  static unsigned char code[500];
  unsigned sum = 0;
  for (int i = 0; i < 500; i++) code[i] = (int)(next_random() % 100) < percent ? 6 : next_random() % 6;
  for (int i = 0; i < 100; i++) sum += run_code(code, 500);
  return sum;
}

/* A loop inside a recursion. */
APART unsigned visit(int depth, int width, const unsigned char *p) {
  EACH_TIME;
  unsigned sum = 0;
  for (int i = 0; i < width; i++) /* @visit */
    sum = sum * 17 + p[i]; /* @visit-end */
  if (depth > 0) sum += visit(depth - 1, width, p) ^ visit(depth - 1, width, p + 1);
  return sum;
}

static unsigned run_visit(int width) {
  static unsigned char bytes[200];
  for (int i = 0; i < 200; i++) bytes[i] = (unsigned char)next_random();
  return visit(9, width, bytes);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    unsigned (*run)(int);
  } kernels[] = {{"probe", run_probe}, {"rows", run_rows}, {"classify", run_classify}, {"mix", run_mix}, {"words", run_words},
                 {"escape", run_escape}, {"fill", run_fill}, {"total", run_total}, {"shade", run_shade}, {"search", run_search},
                 {"list", run_list}, {"sort", run_sort}, {"dispatch", run_dispatch}, {"visit", run_visit}};
  for (size_t i = 0; argc == 3 && i < sizeof kernels / sizeof *kernels; i++)
    if (strcmp(argv[1], kernels[i].name) == 0) {
      printf("%u\n", kernels[i].run(atoi(argv[2])));
      return 0;
    }
  return 1;
}
