// Benchmarks that differ in nothing but their statement, for tests of what is done with many of them.
#pragma once

#include <string>
#include <vector>

#include "icount/suite/expand.h"

namespace icount {

/// `count` plain C++ benchmarks "0", "1", ... of the statements f0();, f1();, ...
inline std::vector<Benchmark> plain_benchmarks(int count, int threads = 1) {
  Definitions definitions;
  for (int i = 0; i < count; ++i) {
    TimerArgs args;
    args.stmt = "f" + std::to_string(i) + "();";
    args.torch = false;
    args.num_threads = threads;
    definitions.add(std::to_string(i), args);
  }
  return materialize(definitions, "test");
}

}  // namespace icount
