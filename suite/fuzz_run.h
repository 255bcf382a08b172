// Measures one or two statements over the samples of a Fuzzer: every sample is a TimerArgs with a set-up that
// builds its tensors, all go through one build and one server. cli/command_fuzz prints what comes;
// report/fuzz_text.h renders it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icount/fuzzer/fuzzer.h"
#include "icount/harness/timer_args.h"
#include "icount/stats/fuzz_result.h"
#include "icount/suite/batch.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

/// Whether a statement compiles at all, asked before hundreds of samples: the compiler's first error for `statements`,
/// with its whole message below it; nullopt when they compile (Python: always).
using CompileCheck = std::function<std::optional<std::string>(std::span<const TimerArgs>, const CollectOptions&)>;

/// Compiles and links a stub of these statements alone, in the build cache. Errors as collect_callgrind's.
std::optional<std::string> check_compiles(std::span<const TimerArgs> statements, const CollectOptions& options);

/// The wall-clock side, in the form that counts come in: one CollectResult per statement; per_run is the median in
/// seconds of blocks of together `min_run_time` seconds, one statement after the other (never two at once: they would
/// disturb each other). One that the compiler removed is dead. With `on_device` blocks wait for the CUDA device once
/// each. Of the options only toolchain, environment, cache_dir, time_limit (of a block), and the callbacks are used.
std::vector<CollectResult> collect_wall_time(std::span<const TimerArgs> statements, const CollectOptions& options,
                                             double min_run_time = 0.05, bool on_device = false);

struct FuzzRunOptions {
  FuzzerSpec spec;
  uint64_t seed = 0;
  int64_t samples = 100;
  std::string stmt;
  std::string against;  ///< empty: one statement only
  std::string setup;    ///< after the tensors of each sample, not measured
  std::string global_setup;
  int num_threads = 1;
  FuzzUnit unit = FuzzUnit::kInstructions;  ///< what `collect` gives per run; suite/fuzz_run.h gives seconds
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

/// Every sample's point, by sample; when cancelled, those that were complete by then. Errors of Fuzzer and
/// make_setup for samples that cannot be drawn, Error{kUsage} for one that would not fit in memory, those of
/// collect_callgrind.
FuzzResult run_fuzz(const FuzzRunOptions& options, const CollectFunction& collect = collect_callgrind,
                    const CompileCheck& compiles = check_compiles);

/// A sample's tensors in one line: "x 16 x 34 float32, steps 1 2, order 1 0; y ...".
std::string shape_text(const Sample& sample);

}  // namespace icount
