/* Compresses 40 short messages one by one. */
#include <stdio.h>
#include <string.h>
#include "lz4.h"

int main(void) {
  char text[700], packed[900], back[700];
  int i, total = 0;
  for (i = 0; i < 40; ++i) {
    int size = 0, written;
    while (size < 600) size += sprintf(text + size, "message %d of %d: all is well; ", i, size % 97);
    written = LZ4_compress_default(text, packed, size, sizeof packed);
    if (LZ4_decompress_safe(packed, back, written, sizeof back) != size || memcmp(text, back, size)) return 1;
    total += written;
  }
  printf("%d\n", total);
  return 0;
}
