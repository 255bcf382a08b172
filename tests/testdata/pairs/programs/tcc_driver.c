#include <stdio.h>

#include "libtcc.h"
#ifndef NESTED
#define NESTED 1
#endif
static char source[200000];
int main(void) {
  TCCState *state = tcc_new();
  size_t used = 0;
  int i, j;
  tcc_set_output_type(state, TCC_OUTPUT_OBJ);
  for (i = 0; i < 60; ++i) {
    used += (size_t)sprintf(source + used, "int value_%d; int step_%d(int first, int second) {\n  int result = first * %d + second;\n", i, i, i + 3);
    for (j = 0; j < 6; ++j) {
      int level;
      used += (size_t)sprintf(source + used, "  if (result > %d && second != %d) result = ", j * 10, j);
      for (level = 0; level < NESTED; ++level) used += (size_t)sprintf(source + used, "(");
      used += (size_t)sprintf(source + used, "first + result");
      for (level = 0; level < NESTED; ++level) used += (size_t)sprintf(source + used, ")");
      used += (size_t)sprintf(source + used, " * (second - %d) / (value_%d | 1);\n", j, i);
    }
    used += (size_t)sprintf(source + used, "  return result;\n}\n");
  }
  i = tcc_compile_string(state, source);
  printf("%d, %zu bytes\n", i, used);
  tcc_delete(state);
  return 0;
}
