/* Threads one after the other: which of them runs is not left to chance. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static long work(long n) {
  long sum = 0;
  for (long i = 0; i < n * 100; ++i) sum += i ^ n;
  return sum;
}
static void* run(void* n) { return (void*)work((long)n); }
int main(void) {
  long sum = 0;
  for (long i = 1; i <= 5; ++i) {
    pthread_t thread;
    void* result = NULL;
    if (pthread_create(&thread, NULL, run, (void*)i) != 0) return 1;
    pthread_join(thread, &result);
    sum += (long)result;
  }
  printf("%ld\n", sum);
}
