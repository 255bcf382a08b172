// The late expansion: a [[bench]] entry becomes one benchmark for each case of its
// binary, once that is built. Pure; cli/run_suite calls it between the build and the selection (suite/plan.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "icount/suite/expand.h"
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

}  // namespace icount
