/* Compresses generated text, decompresses it and compares: zlib_driver [LEVEL [BYTES]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "zlib.h"

#ifndef TAIL_OF_EACH
#define TAIL_OF_EACH 0
#endif

static unsigned fill_text(unsigned char *text, unsigned size) {
  static const char *words[] = {"the ", "counter ", "of ", "instructions ", "returns ", "zero\n", "a ", "branch ", "was ", "taken ", "twice, ", "never "};
  unsigned used = 0, state = 7;
  while (used + 16 < size) {
    const char *word = words[(state >> 16) % 12];
    state = state * 1103515245u + 12345u;
    memcpy(text + used, word, strlen(word));
    used += strlen(word);
  }
  return used;
}

int main(int argc, char **argv) {
  int level = argc > 1 ? atoi(argv[1]) : 6;
  unsigned size = argc > 2 ? atoi(argv[2]) : 40000;
  unsigned char *text = malloc(size), *packed = malloc(size + 1000), *back = malloc(size);
  unsigned used = fill_text(text, size);
  uLongf packed_size = size + 1000, back_size = size;
  if (compress2(packed, &packed_size, text, used, level) != Z_OK) return 1;
  if (uncompress(back, &back_size, packed, packed_size) != Z_OK || back_size != used || memcmp(back, text, used)) return 1;
  uLong crc = crc32(0, text, used);
#if TAIL_OF_EACH
  unsigned i;
  for (i = 0; i < used; i += TAIL_OF_EACH) crc ^= crc32(0, text + i, used - i);
#endif
  printf("%u -> %lu, crc %08lx\n", used, packed_size, crc);
  free(text); free(packed); free(back);
  return 0;
}
