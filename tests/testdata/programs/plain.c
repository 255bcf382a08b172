/* Many small functions without names once stripped. EARLIER adds one in front (all addresses shift), DEAR makes `crush` dearer. */
#include <stdio.h>
#include <stdlib.h>

#ifdef EARLIER
__attribute__((noinline)) long earlier(long v) { for (int i = 0; i < 9; ++i) v = v * 31 + i; return v; }
#endif
__attribute__((noinline)) long twist(long v) { return (v ^ (v << 5)) + 3; }
__attribute__((noinline)) long fold(long v) { long s = 0; for (int i = 0; i < 6; ++i) s += twist(v + i); return s; }
__attribute__((noinline)) long crush(long v) {
  long s = v;
#ifdef DEAR
  for (int i = 0; i < 14; ++i) s ^= s * 3 + i;
#endif
  for (int i = 0; i < 5; ++i) s = s * 7 % 1000003;
  return s;
}
__attribute__((noinline)) long press(long v) { return crush(v) + crush(v + 1); }
__attribute__((noinline)) long round_trip(long v) { char *p = malloc(32 + v % 16); long s = (long)(p != NULL); free(p); return s + v; }
__attribute__((noinline)) long stage(long v) { return press(fold(v)) + round_trip(v & 7); }

int main(void) {
  long v = 1;
  for (int i = 0; i < 300; ++i) v = stage(v) & 0xffff;
#ifdef EARLIER
  v += earlier(v);
#endif
  printf("%ld\n", v);
  return 0;
}
