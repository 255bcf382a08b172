/* Recursion through three functions, tail calls, calls by pointer, a jump table, callbacks of the C library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int b(int n), c(int n);
__attribute__((noinline)) static int a(int n) { return n <= 0 ? 1 : b(n - 1) + 1; }
__attribute__((noinline)) static int b(int n) { return n <= 0 ? 2 : c(n - 1) + a(n / 2); }
__attribute__((noinline)) static int c(int n) { return n <= 0 ? 3 : a(n - 2); }
__attribute__((noinline)) static int leaf(int n) { return n * 3; }
__attribute__((noinline)) static int tail(int n) { return leaf(n + 1); }
__attribute__((noinline)) static int choose(int n) {
  switch (n % 7) {
    case 0: return a(n % 9);
    case 1: return leaf(n);
    case 2: return tail(n);
    case 3: return n * n;
    case 4: return n ^ 77;
    case 5: return n - 3;
    default: return -n;
  }
}
static int order(const void* x, const void* y) { return *(const int*)x - *(const int*)y; }
int main(void) {
  int (*table[])(int) = {leaf, tail, a, c}, values[64], sum = 0;
  char text[64];
  for (int i = 0; i < 64; ++i) {
    sum += table[i % 4](i % 11) + choose(i);
    values[i] = (i * 7919) % 101;
  }
  qsort(values, 64, sizeof *values, order);
  snprintf(text, sizeof text, "%d %d %f", sum, values[5], sum * 0.5);
  puts(text);
  return strlen(text) > 60;
}
