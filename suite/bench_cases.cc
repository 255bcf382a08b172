#include "icount/suite/bench_cases.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "icount/base/error.h"
#include "icount/suite/labels.h"

namespace icount {
namespace {

/// A label of its own for a case: other benchmarks of the suite may have it.
Label free_label(const Label& wanted, std::set<Label>& taken) {
  Label label = wanted;
  for (int number = 2; !taken.insert(label).second; ++number)
    label.back() = fmt::format("{} #{}", wanted.back(), number);
  return label;
}

}  // namespace

BenchOptions bench_options(const BenchBinary& binary) {
  BenchOptions options;
  options.kind = binary.kind;
  options.argv = binary.command;
  options.filter = binary.filter;
  options.functions = binary.functions;
  options.number = binary.number.value_or(0);
  options.extra_environment = binary.environment;
  options.working_dir = binary.folder;
  return options;
}

ExpandedBenches expand_benches(std::vector<Benchmark> benchmarks, const ListBench& list) {
  ExpandedBenches expanded;
  std::set<Label> taken;
  for (const Benchmark& benchmark : benchmarks)
    if (!benchmark.bench) taken.insert(benchmark.label);
  for (Benchmark& benchmark : benchmarks) {
    if (!benchmark.bench) {
      expanded.benchmarks.push_back(std::move(benchmark));
      continue;
    }
    BenchList cases;
    try {
      cases = list(benchmark.bench->binary);
    } catch (const Error& error) {
      benchmark.bench->failure = error.what();
      expanded.benchmarks.push_back(std::move(benchmark));
      continue;
    }
    for (const RefusedCase& refused : cases.refused)
      expanded.refused.push_back(fmt::format("{} / {}: {}", to_text(benchmark.label), refused.label, refused.reason));
    for (Label& label : cases.labels) {
      Benchmark one = benchmark;
      one.label = one.timer_args.label = free_label(joined(benchmark.label, label), taken);
      one.bench->case_label = std::move(label);
      expanded.benchmarks.push_back(std::move(one));
    }
  }
  for (size_t i = 0; i < expanded.benchmarks.size(); ++i) expanded.benchmarks[i].position = i;
  return expanded;
}

}  // namespace icount
