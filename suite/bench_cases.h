// Benchmark binaries in a suite. The late expansion: a [[bench]] entry becomes one benchmark for each case of its
// binary, once that is built. Pure; cli/run_suite calls it between the build and the selection (suite/plan.h).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "icount/stats/result.h"
#include "icount/suite/expand.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/count_bench.h"

namespace icount {

/// What list_bench finds for a binary of a suite; a parameter so that tests need no Valgrind.
using ListBench = std::function<BenchList(const BenchBinary&)>;

struct ExpandedBenches {
  std::vector<Benchmark> benchmarks;
  std::vector<std::string> refused;  ///< "LABEL: why", of cases that can't be counted
};

/// Each case stands in its binary's place, under the entry's label and its own; positions are numbered anew. A binary
/// whose cases can't be listed stays one benchmark with BenchTask::failure. A label that another benchmark has is told
/// apart by " #2".
ExpandedBenches expand_benches(std::vector<Benchmark> benchmarks, const ListBench& list);

/// Options of a count of the binary, but for what the run decides (pins, compiler, limits).
BenchOptions bench_options(const BenchBinary& binary);

// Counts the cases of a suite's benchmark binaries: one count of a binary for all of its chosen cases, several binaries
// at the same time. suite/batch.cc calls it beside the statements and the programs.

/// What count_bench is; a parameter so that tests need no Valgrind. Called from several threads.
using CountBench = std::function<BenchCount(const BenchOptions&)>;

struct RunBenchesOptions {
  CollectOptions collect;  ///< repeats, jobs, time_limit, pins, environment, callgrind_options, toolchain
  bool memory = false;     ///< bytes and peak of each case, too (timer/case_memory.h)
  std::function<void(size_t, Result)> on_result;  ///< index into the benchmarks; from several threads
  std::function<bool()> stopped;
};

/// `benchmarks[i]` for i in `chosen` are cases. What can't be counted is a result that says
/// why: the statuses of `icount bench`, and "tool-failed" for a binary that can't be listed or counted as a whole.
void run_benches(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen,
                 const RunBenchesOptions& options, const CountBench& count = count_bench);

}  // namespace icount
