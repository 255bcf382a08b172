/* Matches generated paths with wildcards. */
#include <stdio.h>
#include <string.h>

#ifdef BACKTRACKING
__attribute__((noinline)) static int matches(const char *pattern, const char *path) {
  for (; *pattern; ++pattern, ++path) {
    if (*pattern == '*') {
      for (;; ++path) {
        if (matches(pattern + 1, path)) return 1;
        if (!*path) return 0;
      }
    }
    if (!*path || (*pattern != '?' && *pattern != *path)) return 0;
  }
  return !*path;
}
#else
__attribute__((noinline)) static int matches(const char *pattern, const char *path) {
  const char *star = NULL, *after = NULL;
  while (*path) {
    if (*pattern == '*') {
      star = ++pattern;
      after = path;
    } else if (*pattern == '?' || *pattern == *path) {
      ++pattern;
      ++path;
    } else if (star) {
      pattern = star;
      path = ++after;
    } else {
      return 0;
    }
  }
  while (*pattern == '*') ++pattern;
  return !*pattern;
}
#endif

__attribute__((noinline)) static int is_ignored(const char *path) {
  static const char *const patterns[] = {"build/*", "*.o", "*/a*b*c*/*.tmp", "docs/*/?.html", "*e*e*e*e.x"};
  size_t i;
  for (i = 0; i < sizeof patterns / sizeof *patterns; ++i)
    if (matches(patterns[i], path)) return 1;
  return 0;
}

int main(void) {
  char path[120];
  int i, ignored = 0;
  for (i = 0; i < 1200; ++i) {
    sprintf(path, "source/feature%d/the_module_%d/element_%d.%s", i % 13, i % 29, i, i % 5 ? "cc" : "o");
    ignored += is_ignored(path);
  }
  printf("%d\n", ignored);
  return 0;
}
