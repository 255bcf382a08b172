/* Copies blocks with memcpy, measures them with strlen: what the C library picks for the processor shows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char source[4096], target[4096];

__attribute__((noinline)) size_t copy_blocks(size_t size, int times) {
  size_t sum = 0;
  for (int i = 0; i < times; ++i) {
    memcpy(target + i % 7, source + i % 5, size);
    sum += strlen(target + 7 + i % 3) + (size_t)(memchr(target, 'z', size) == NULL);
  }
  return sum;
}

int main(void) {
  memset(source, 'a', sizeof source - 1);
  printf("%zu\n", copy_blocks(700, 2000) + copy_blocks(60, 3000));
  return 0;
}
