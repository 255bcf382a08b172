#include "suite/suite_spec.h"

namespace icount {

std::vector<Benchmark> materialize_suite(const Suite& suite, const ExpandOptions& options) {
  std::vector<Benchmark> benchmarks = materialize(suite.definitions, suite.name, options);
  const std::string includes = include_lines(suite.library);
  for (Benchmark& benchmark : benchmarks) {
    TimerArgs& args = benchmark.timer_args;
    args.torch = suite.library.torch;
    if (args.language == Language::kCpp) args.global_setup = includes + args.global_setup;
  }
  return benchmarks;
}

}  // namespace icount
