// Wall times of a suite's benchmarks, taken after the counts and apart from them: each benchmark runs natively on cores
// that nothing else of the run uses. After suite/batch.h; the clock comes from timer/.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icount/stats/measurement.h"
#include "icount/suite/batch.h"
#include "icount/suite/expand.h"
#include "icount/timer/autorange.h"
#include "icount/timer/stub_timing.h"

namespace icount {

/// Cores first..last, both included.
struct CoreRange {
  int first = 0;
  int last = 0;
  int size() const { return last - first + 1; }
  bool operator==(const CoreRange&) const = default;
};

/// "3", or "0-3": what taskset and GOMP_CPU_AFFINITY take.
std::string to_text(const CoreRange& range);

/// The cores that benchmarks may be pinned to, handed out as contiguous ranges: wall times must not share a core.
class CorePool {
 public:
  /// The cores of `range`, all free. Works from one core on.
  explicit CorePool(const CoreRange& range);

  int size() const { return range_.size(); }
  /// The first free run of `cores` neighbours; nullopt when there is none now. Error{kUsage} when the whole pool is
  /// smaller: waiting would never end.
  std::optional<CoreRange> reserve(int cores);
  /// Gives back what reserve() handed out.
  void release(const CoreRange& range);

 private:
  CoreRange range_;
  std::vector<bool> taken_;
};

/// What can be timed, by its number: the part of StubTiming that is used, so that tests need no compiler and no clock.
struct TimingSession {
  std::function<std::string(size_t)> failure;               ///< why it can't be timed; empty: it can
  std::function<std::unique_ptr<TimeSource>(size_t)> open;  ///< from several threads
};
using MakeTimingSession = std::function<TimingSession(std::span<const TimerArgs>, const StubTimingOptions&)>;

struct WallTimeOptions {
  StubTimingOptions timing;   ///< its cancelled is asked; pin_core is not used
  double min_run_time = 0.2;  ///< seconds of all blocks of a benchmark
  std::vector<int> cores;     ///< those to run on, neighbours beside each other; the widest benchmark must fit
  std::function<void(size_t, const Measurement&)>
      on_time;  ///< number of the benchmark; one call at a time, what it throws ends the run
  std::function<void(size_t, const std::string&)> on_failure;  ///< why there is no time
  std::function<void(const BatchProgress&)> on_progress;
};

struct WallTimeSummary {
  size_t timed = 0;
  size_t failed = 0;
  bool cancelled = false;
};

/// The cores for wall times out of those that this process may use: all but three, the last ones, for the first ones
/// serve interrupts; at least one and at least `widest`, as far as there are so many.
std::vector<int> choose_timing_cores(std::vector<int> allowed, int widest);

/// Numbers of the cores that this process may use, ascending.
std::vector<int> probe_allowed_cores();

/// Times all benchmarks, side by side on the cores there are, each pinned to as many as it has threads. Error{kTool}
/// when there is no compiler or LibTorch at all; what is wrong with one benchmark is told to on_failure.
WallTimeSummary run_wall_times(std::span<const Benchmark> benchmarks, const WallTimeOptions& options,
                               const MakeTimingSession& make_session = {});

}  // namespace icount
