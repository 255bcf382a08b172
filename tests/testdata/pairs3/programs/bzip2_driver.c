/* Compresses and decompresses generated data: bzip2_driver [WORK_FACTOR] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bzlib.h"

void bz_internal_error(int code) { exit(code); }

int main(int argc, char **argv) {
  int work = argc > 1 ? atoi(argv[1]) : 30;
  static char text[12000], packed[14000], back[12000];
  unsigned i, state = 3, size = sizeof text, packed_size = sizeof packed, back_size = sizeof back;
  for (i = 0; i < size; ++i) {
    state = state * 1103515245u + 12345u;
    text[i] = i % 64 < 48 ? "abcdefghij klmnop"[i % 17] : (char)('a' + (state >> 16) % 20);
  }
  if (BZ2_bzBuffToBuffCompress(packed, &packed_size, text, size, 1, 0, work) != BZ_OK) return 1;
  if (BZ2_bzBuffToBuffDecompress(back, &back_size, packed, packed_size, 0, 0) != BZ_OK || memcmp(text, back, size)) return 1;
  printf("%u -> %u\n", size, packed_size);
  return 0;
}
