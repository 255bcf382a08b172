/* Counts are set to zero, and collection is switched off and on, inside functions. */
#include <stdio.h>
#include <valgrind/callgrind.h>
static volatile int sum;
__attribute__((noinline)) static void work(int n) {
  for (int i = 0; i < n; ++i) sum += i;
}
__attribute__((noinline)) static void zero(void) {
  work(300);
  CALLGRIND_ZERO_STATS;
  work(200);
}
__attribute__((noinline)) static void toggle(void) { CALLGRIND_TOGGLE_COLLECT; }
int main(void) {
  work(1000);
  zero();
  work(500);
  toggle();
  work(700);
  toggle();
  work(800);
  printf("%d\n", sum);
}
