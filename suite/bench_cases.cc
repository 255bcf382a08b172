#include "icount/suite/bench_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/parallel.h"
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

Label joined(const Label& label, const Label& further) {
  Label result = label;
  result.insert(result.end(), further.begin(), further.end());
  return result;
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

namespace {

/// A binary and its cases that are to be counted.
struct BinaryRun {
  const BenchBinary* binary = nullptr;
  std::vector<size_t> benchmarks;
};

std::vector<BinaryRun> binary_runs(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen) {
  std::vector<BinaryRun> runs;
  for (const size_t i : chosen) {
    const BenchBinary& binary = benchmarks[i].bench->binary;
    if (!runs.empty() && *runs.back().binary == binary)
      runs.back().benchmarks.push_back(i);
    else
      runs.push_back({&binary, {i}});
  }
  return runs;
}

class BenchRunner {
 public:
  BenchRunner(std::span<const Benchmark> benchmarks, const RunBenchesOptions& options, const CountBench& count)
      : benchmarks_(benchmarks), options_(options), count_(count) {}

  void run(const std::vector<BinaryRun>& runs) {
    run_parallel(runs.size(), options_.collect.jobs, [&](size_t i) {
      if (!options_.stopped()) measure(runs[i]);
    });
  }

 private:
  BenchOptions count_options(const BinaryRun& run) const {
    const CollectOptions& collect = options_.collect;
    BenchOptions count = bench_options(*run.binary);
    for (const size_t i : run.benchmarks) count.only.push_back(benchmarks_[i].bench->case_label);
    constexpr int kLeastOfTests = 2;  // they tell whether a test can be judged
    count.repeats = run.binary->kind == CaseKind::kTests ? std::max(collect.repeats, kLeastOfTests) : collect.repeats;
    count.time_limit = run.binary->timeout_s ? Seconds(*run.binary->timeout_s) : collect.time_limit;
    count.pins = collect.pins;
    count.memory = options_.memory;
    count.jumps = collect.keep_insides;
    count.environment = collect.environment;
    count.callgrind_options = collect.callgrind_options;
    count.toolchain = collect.toolchain;
    count.cancelled = options_.stopped;
    return count;
  }

  void measure(const BinaryRun& run) {
    const std::string& failure = benchmarks_[run.benchmarks[0]].bench->failure;
    if (!failure.empty()) return fail(run, failure);
    BenchCount counted;
    try {
      counted = count_(count_options(run));
    } catch (const Error& error) {
      if (!options_.stopped()) fail(run, error.what());
      return;
    }
    if (options_.stopped()) return;
    for (const size_t i : run.benchmarks) {
      const auto found = std::find_if(counted.results.begin(), counted.results.end(), [&](const Result& result) {
        return result.label == benchmarks_[i].bench->case_label;
      });
      if (found == counted.results.end()) {
        options_.on_result(i, failed(i, "the binary listed this case and did not run it"));
        continue;
      }
      Result result = std::move(*found);
      result.label = benchmarks_[i].timer_args.label;
      result.notes.insert(result.notes.end(), counted.notes.begin(), counted.notes.end());
      options_.on_result(i, std::move(result));
    }
  }

  void fail(const BinaryRun& run, const std::string& error) const {
    for (const size_t i : run.benchmarks) options_.on_result(i, failed(i, error));
  }

  Result failed(size_t i, std::string_view error) const {
    Result result;
    result.label = benchmarks_[i].timer_args.label;
    result.task.stmt = benchmarks_[i].timer_args.label.back();
    result.task.language = "program";
    result.status = "tool-failed";
    result.error = error;
    return result;
  }

  std::span<const Benchmark> benchmarks_;
  const RunBenchesOptions& options_;
  const CountBench& count_;
};

}  // namespace

void run_benches(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen,
                 const RunBenchesOptions& options, const CountBench& count) {
  if (!chosen.empty()) BenchRunner(benchmarks, options, count).run(binary_runs(benchmarks, chosen));
}

}  // namespace icount
