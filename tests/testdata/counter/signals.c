/* Ten signals that the program sends to itself; each handler returns. */
#include <signal.h>
#include <stdio.h>
static volatile int hits;
__attribute__((noinline)) static void note(int n) { hits += n; }
static void handler(int number) { note(number); }
int main(void) {
  signal(SIGUSR1, handler);
  for (int i = 0; i < 10; ++i) raise(SIGUSR1);
  printf("%d\n", hits);
}
