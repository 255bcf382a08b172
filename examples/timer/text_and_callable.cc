// The Timer as a library: a callable timed in this process, the same work as a statement in text timed in a process of
// its own and counted under Callgrind. Needs no LibTorch; the text needs a compiler, the count Valgrind.
//   text_and_callable [SECONDS]     default 0.2 s for each measurement
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#include "icount/base/error.h"
#include "icount/report/measurement_text.h"
#include "icount/timer/timer.h"

namespace {

void run(double seconds) {
  std::vector<int> numbers(1000, 1);
  icount::Timer callable([&] { return std::accumulate(numbers.begin(), numbers.end(), 0); },
                         {.stmt = "accumulate", .label = "callable"});
  std::cout << icount::render_measurement(callable.blocked_autorange({.min_run_time = seconds})) << "\n\n";

  icount::Timer text(
      {.stmt = "icount::keep(numbers); icount::keep(std::accumulate(numbers.begin(), numbers.end(), 0));",
       .setup = "std::vector<int> numbers(1000, 1);",
       .label = "text",
       .torch = false});
  std::cout << icount::render_measurement(text.blocked_autorange({.min_run_time = seconds})) << "\n\n"
            << icount::render_callgrind_stats(text.collect_callgrind(10)) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? std::atof(argv[1]) : 0.2);
    return 0;
  } catch (const icount::Error& error) {
    std::fprintf(stderr, "text_and_callable: %s\n", error.what());
    return 1;
  }
}
