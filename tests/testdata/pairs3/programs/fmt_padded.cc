// Formats strings with a width, as in fmtlib/fmt#4227.
#include <cstdio>
#define FMT_HEADER_ONLY 1
#include "fmt/format.h"

int main() {
  char line[200];
  long total = 0;
  static const char* const names[] = {"alpha", "a longer name", "x", "something in between"};
  for (int i = 0; i < 600; ++i) {
    auto end = fmt::format_to_n(line, sizeof line, "{:<32}|{:>12}|{:^20}", names[i % 4], i, names[(i + 1) % 4]);
    total += static_cast<long>(end.size);
  }
  std::printf("%ld\n", total);
}
