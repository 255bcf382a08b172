// How many runs, how many blocks: PyTorch's timeit, block-size search and both autorange loops, exactly
// (float32 steps included; docs/measurement_statistics.md). What icount adds to them is in
// timer/steady_timing.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "icount/stats/measurement.h"

namespace icount {

// Where times come from: something that runs a statement n times and says how long that took. Implementations: a
// callable in this process (timer/timer.h), a stub server's session, a script in tests.

class TimeSource {
 public:
  virtual ~TimeSource() = default;
  /// Runs the statement `number` times (0: an empty loop) after its own set-up and warm-up; the seconds of
  /// the runs alone. Throws Error when the statement fails. What a coarse or odd clock says is handed on as
  /// it is, zero and negative figures too.
  virtual double run_block(int64_t number) = 0;
  /// A hint before run_block: an equal block is wanted after it, whatever it says. A source in another process may
  /// begin that one at once, without waiting to be asked. A block that was begun so and is not wanted after all is
  /// thrown away.
  virtual void expect_another() {}
  /// What has to be said of the times, one line; empty: nothing.
  virtual std::string remark() const { return {}; }
};

/// Told about every block: its number of runs and its seconds.
using BlockCallback = std::function<void(int64_t number, double seconds)>;

/// A whole block never counts as shorter than this.
constexpr double kLeastBlockSeconds = 1e-9;

/// Seconds of one block, at least kLeastBlockSeconds.
double time_block(TimeSource& source, int64_t number);

/// A warm-up of max(number / 100, 2) runs, then one block of `number`. Error{kUsage} when number is below 1.
Measurement timeit(TimeSource& source, const TaskSpec& spec, int64_t number = 1'000'000);

/// One try of the search for a block size.
struct BlockSizeStep {
  int64_t number = 0;
  double seconds = 0;
};

struct BlockSizeSearch {
  int64_t number = 1;           ///< the block size found: a power of ten, at most 10^9
  double overhead_seconds = 0;  ///< median of five empty blocks, as float32
  std::vector<BlockSizeStep> steps;
};

/// Grows the block by ten until the empty loop is at most 1/10,000 of it and it takes a thousandth of
/// `min_run_time`, until it takes longer than `min_run_time`, or until the next size would leave int32.
/// Serves as warm-up too.
BlockSizeSearch search_block_size(TimeSource& source, double min_run_time);

struct BlockedOptions {
  BlockCallback callback;
  double min_run_time = 0.2;  ///< seconds of all blocks together
};

/// Blocks until `min_run_time` is reached, at least one.
Measurement blocked_autorange(TimeSource& source, const TaskSpec& spec, const BlockedOptions& options = {});
/// The same after search_block_size(source, options.min_run_time).
Measurement blocked_autorange(TimeSource& source, const TaskSpec& spec, const BlockedOptions& options,
                              const BlockSizeSearch& search);

/// What adaptive_autorange searches its block size with.
constexpr double kAdaptiveSearchSeconds = 0.05;

struct AdaptiveOptions {
  double threshold = 0.1;  ///< of the interquartile range relative to the median
  double min_run_time = 0.01;
  double max_run_time = 10.0;  ///< 0: no limit; looked at after a block, so it is exceeded by up to one block
  BlockCallback callback;
};

/// Blocks until there are more than three whose spread is below the threshold and `min_run_time` is reached.
Measurement adaptive_autorange(TimeSource& source, const TaskSpec& spec, const AdaptiveOptions& options = {});
/// The same after search_block_size(source, kAdaptiveSearchSeconds).
Measurement adaptive_autorange(TimeSource& source, const TaskSpec& spec, const AdaptiveOptions& options,
                               const BlockSizeSearch& search);

}  // namespace icount
