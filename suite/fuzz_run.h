// Measures one or two statements over the samples of a Fuzzer: every sample is a TimerArgs with a set-up that
// builds its tensors, all go through one build and one server. cli/command_fuzz prints what comes;
// report/fuzz_text.h renders it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "icount/fuzzer/fuzzer.h"
#include "icount/harness/timer_args.h"
#include "icount/stats/fuzz_result.h"
#include "icount/suite/batch.h"
#include "icount/suite/fuzz_compile.h"

namespace icount {

struct FuzzRunOptions {
  FuzzerSpec spec;
  uint64_t seed = 0;
  int64_t samples = 100;
  std::string stmt;
  std::string against;  ///< empty: one statement only
  std::string setup;    ///< after the tensors of each sample, not measured
  std::string global_setup;
  int num_threads = 1;
  FuzzUnit unit = FuzzUnit::kInstructions;  ///< what `collect` gives per run; suite/fuzz_time.h gives seconds
  Language language = Language::kCpp;
  std::string source;                      ///< for FuzzResult::source
  std::string circumstances;               ///< for FuzzResult::circumstances
  int64_t memory_limit_bytes = INT64_MAX;  ///< a sample larger than this is refused before anything is built
  CollectOptions collect;                  ///< its callbacks are set by run_fuzz
  std::vector<FuzzPoint> known;            ///< points of an earlier run; complete ones are not measured again

  /// After each point that became complete (or failed), with the result so far.
  std::function<void(const FuzzResult&)> on_point;
  std::function<void(const BatchProgress&)> on_progress;
  std::function<bool()> cancelled;
};

/// The elements that a cost is put beside: of all tensors; in compatible mode of the first one, as PyTorch's examples
/// count them.
int64_t counted_elements(const Sample& sample);

/// Every sample's point, by sample; when cancelled, those that were complete by then. Errors of Fuzzer and
/// make_setup for samples that cannot be drawn, Error{kUsage} for one that would not fit in memory, those of
/// collect_callgrind.
FuzzResult run_fuzz(const FuzzRunOptions& options, const CollectFunction& collect = collect_callgrind,
                    const CompileCheck& compiles = check_compiles);

/// A sample's tensors in one line: "x 16 x 34 float32, steps 1 2, order 1 0; y ...".
std::string shape_text(const Sample& sample);

}  // namespace icount
