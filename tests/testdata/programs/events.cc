// Handlers as lambdas. EXTRA_FIRST puts a lambda above the others (their numbers shift), DEAR_THIRD makes one dearer,
// TYPE_ERASED passes them as std::function.
#include <cstdio>
#include <functional>
#include <vector>

#ifdef TYPE_ERASED
using Handler = const std::function<long(long)>&;
__attribute__((noinline)) long dispatch(Handler handler, int times) {
#else
template <typename Handler>
__attribute__((noinline)) long dispatch(Handler handler, int times) {
#endif
  long value = 1;
  for (int i = 0; i < times; ++i) value = handler(value + i);
  return value;
}

int main() {
#ifdef EXTRA_FIRST
  auto zeroth = [](long v) __attribute__((noinline)) { return v * 5 + 1; };
#endif
  auto first = [](long v) __attribute__((noinline)) { return v * 3 % 1009; };
  auto second = [](long v) __attribute__((noinline)) {
    long sum = 0;
    for (int i = 0; i < 10; ++i) sum += v ^ (sum << 1);
    return sum % 5003;
  };
  auto third = [](long v) __attribute__((noinline)) {
#ifdef DEAR_THIRD
    for (int i = 0; i < 8; ++i) v = v * 7 % 10007;
#endif
    return v * 11 % 2003;
  };
  long result = dispatch(first, 400) + dispatch(second, 500) + dispatch(third, 600);
#ifdef EXTRA_FIRST
  result += dispatch(zeroth, 10);
#endif
  std::printf("%ld\n", result);
}
