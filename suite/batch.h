// Runs a suite's benchmarks: those in C++ through one collect_callgrind and those in Python through another, side by
// side, every result handed on as it comes. A benchmark that fails costs itself alone and is a Result with its own
// message. After suite/plan.h; cli/command_suite_run writes what comes to a file.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/stats/result.h"
#include "icount/suite/expand.h"
#include "icount/suite/take_over.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

/// How far a run is; said after each result and at each stage of a collection.
struct BatchProgress {
  size_t done = 0;  ///< results handed on
  size_t total = 0;
  size_t failed = 0;
  std::string label;  ///< of the latest result
  std::string stage;  ///< "building the precompiled header ..."; empty while measuring
};

/// What collect_callgrind is; a parameter so that tests need no Valgrind. Called from two threads when there are
/// benchmarks in C++ and in Python.
using CollectFunction = std::function<std::vector<CollectResult>(std::span<const TimerArgs>, const CollectOptions&)>;

struct BatchOptions {
  CollectOptions collect;  ///< its on_result, on_progress and cancelled are set by run_batch
  bool memory = false;     ///< of whole programs and cases of benchmark binaries: bytes and peak, too
  int retries = 0;         ///< further attempts for what timed out or lost its server
  BenchmarkIdentities* identities = nullptr;  ///< null: results do not say what they stand on
  bool keep_graphs = true;                    ///< false: the costliest functions instead of whole graphs
  std::function<void(const Result&)>
      on_result;  ///< in order of completion, one call at a time; what it throws ends the run
  std::function<void(const BatchProgress&)> on_progress;
  std::function<bool()> cancelled;
};

struct BatchSummary {
  size_t done = 0;
  size_t failed = 0;
  size_t skipped = 0;
  bool cancelled = false;  ///< some benchmarks have no result
};

/// Measures everything. Benchmarks that can't be run here (no Python that has torch, a model that can't be scripted)
/// come first, as results with status "skipped". When a whole toolchain fails (no LibTorch) its benchmarks fail with
/// that message; when nothing could be measured at all, that Error is thrown instead.
BatchSummary run_batch(std::span<const Benchmark> benchmarks, const BatchOptions& options,
                       const CollectFunction& collect = collect_callgrind);

// The progress of a suite run as one line: on a terminal it is rewritten in place, elsewhere it is printed now and
// then. Pure; the clock is the caller's.

/// " 57/181, 2 failed, 3.2 per second, about 39 s to go: Pointwise / Math / add / Case:  0 / C++", cut to `width`
/// columns (0: not at all). Rate and time to go are there from the fifth result on; `elapsed` counts from when
/// measuring began.
std::string progress_text(const BatchProgress& progress, Seconds elapsed, size_t width);

/// "39 s", "3 min 20 s", "2 h 5 min": rounded up.
std::string duration_text(Seconds duration);

}  // namespace icount
