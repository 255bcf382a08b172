// Counts the cases of a suite's benchmark binaries: one count of a binary for all of its chosen cases, several binaries
// at the same time. suite/batch.cc calls it beside the statements and the programs.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "icount/stats/result.h"
#include "icount/suite/expand.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/count_bench.h"

namespace icount {

/// What count_bench is; a parameter so that tests need no Valgrind. Called from several threads.
using CountBench = std::function<BenchCount(const BenchOptions&)>;

struct RunBenchesOptions {
  CollectOptions collect;  ///< repeats, jobs, time_limit, pins, environment, callgrind_options, toolchain
  bool memory = false;     ///< bytes and peak of each case, too (timer/case_memory.h)
  std::function<void(size_t, Result)> on_result;  ///< index into the benchmarks; from several threads
  std::function<bool()> stopped;
};

/// `benchmarks[i]` for i in `chosen` are cases (suite/bench_expansion.h). What can't be counted is a result that says
/// why: the statuses of `icount bench`, and "tool-failed" for a binary that can't be listed or counted as a whole.
void run_benches(std::span<const Benchmark> benchmarks, const std::vector<size_t>& chosen,
                 const RunBenchesOptions& options, const CountBench& count = count_bench);

}  // namespace icount
