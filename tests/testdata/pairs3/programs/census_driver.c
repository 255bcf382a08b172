/* Counts and orders generated people, in C (pairs_eighth.toml). */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PEOPLE
#define PEOPLE 3000
#endif

struct person {
  char name[48];
  int birth;
  int town;
  uint64_t visited;
};

static struct person people[PEOPLE];
static const char *const first[] = {"anna", "berta", "carla", "dora", "emil", "friedrich", "gustav"};
static const char *const last[] = {"miller-baumgartner", "smith", "von rosenberg", "jones", "klein"};

void fill(void) {
  for (int i = 0; i < PEOPLE; ++i) {
    sprintf(people[i].name, "%s %s %d", first[i * 5 % 7], last[i % 5], i % 31);
    people[i].birth = 1920 + i * 37 % 90;
    people[i].town = i * 7919 % 40;
    people[i].visited = (uint64_t)i * 0x9E3779B97F4A7C15u;
  }
}

int by_birth(const void *a, const void *b) {
  const struct person *x = a, *y = b;
  if (x->birth == y->birth) return x->town - y->town;
  return x->birth - y->birth;
}

void capitals(char *name) {
#ifdef LENGTH_EACH
  for (size_t i = 0; i < strlen(name); ++i)
#else
  const size_t size = strlen(name);
  for (size_t i = 0; i < size; ++i)
#endif
    if (i == 0 || name[i - 1] == ' ' || name[i - 1] == '-') name[i] = (char)toupper((unsigned char)name[i]);
}

int towns_visited(uint64_t visited) {
  int sum = 0;
  for (; visited; visited >>= 1) sum += (int)(visited & 1);
  return sum;
}

double distance_between(int a, int b) {
  const double x = a % 8 - b % 8, y = a / 8 - b / 8;
  return sqrt(x * x + y * y) + 0.1 * pow(fabs(x - y) + 1, 0.3);
}

double total_distance(void) {
  double sum = 0;
#ifdef DISTANCES_KEPT
  static double known[40][40];
#endif
  for (int i = 1; i < PEOPLE; ++i) {
    const int a = people[i - 1].town, b = people[i].town;
#ifdef DISTANCES_KEPT
    if (known[a][b] == 0) known[a][b] = distance_between(a, b);
    sum += known[a][b];
#else
    sum += distance_between(a, b);
#endif
  }
  return sum;
}

long histogram(long *of_town) {
  long most = 0;
  memset(of_town, 0, 40 * sizeof *of_town);
  for (int i = 0; i < PEOPLE; ++i) {
    for (int town = 0; town < 40; ++town) {
      if (people[i].town == town) {
        of_town[town] += people[i].birth;
#ifdef EARLY_EXIT
        break;
#endif
      }
    }
  }
  for (int town = 0; town < 40; ++town)
    if (of_town[town] > most) most = of_town[town];
  return most;
}

int write_names(FILE *out) {
  int bytes = 0;
  for (int i = 0; i < PEOPLE; ++i) {
    bytes += (int)strlen(people[i].name) + 1;
    fputs(people[i].name, out);
    fputc('\n', out);
  }
  return bytes;
}

int main(void) {
  long of_town[40];
  int towns = 0, bytes;
  FILE *out = fopen("/dev/null", "w");
  fill();
  for (int i = 0; i < PEOPLE; ++i) capitals(people[i].name);
  qsort(people, PEOPLE, sizeof *people, by_birth);
  for (int i = 0; i < PEOPLE; ++i) towns += towns_visited(people[i].visited);
  bytes = write_names(out);
  printf("%s %d %.3f %ld %d\n", people[PEOPLE / 2].name, towns, total_distance(), histogram(of_town), bytes);
  fclose(out);
  return 0;
}
