#include "icount/suite/suite_spec.h"

#include <algorithm>

#include "icount/suite/labels.h"

namespace icount {

std::vector<GateLimit> gate_limits(const Suite& suite) {
  std::vector<const LimitsSection*> sections;
  for (const LimitsSection& section : suite.limits) sections.push_back(&section);
  std::stable_sort(sections.begin(), sections.end(),
                   [](const LimitsSection* a, const LimitsSection* b) { return a->label.size() < b->label.size(); });
  std::vector<GateLimit> limits;
  for (const LimitsSection* section : sections) {
    limits.push_back(section->limit);
    limits.back().section = to_text(section->label);
    limits.back().source = LimitSource::kSuiteFile;
  }
  return limits;
}

std::vector<Benchmark> materialize_suite(const Suite& suite, const ExpandOptions& options) {
  std::vector<Benchmark> benchmarks = materialize(suite.definitions, suite.name, options);
  const std::string includes = include_lines(suite.library);
  for (Benchmark& benchmark : benchmarks) {
    TimerArgs& args = benchmark.timer_args;
    if (!benchmark.is_statement()) continue;
    args.torch = suite.library.torch;
    if (args.language == Language::kCpp) args.global_setup = includes + args.global_setup;
  }
  return benchmarks;
}

}  // namespace icount
