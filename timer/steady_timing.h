// Timing until the figure is as sure as was asked for, and why it ended: what icount adds to PyTorch's
// loops (timer/autorange.h). The cold first block is dropped and told, a statement that is not there is
// noticed, two statements can be timed in turns so that drift hits both.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/quantile.h"
#include "icount/timer/autorange.h"

namespace icount {

enum class StopReason {
  kInterval,    ///< the median's interval is as narrow as was asked
  kMinRunTime,  ///< no width was asked; the time asked for is reached
  kMaxRunTime,  ///< time ran out before the interval was narrow enough
  kRemoved,     ///< there is nothing to time: block time does not grow with the number of runs
};
/// "interval", "min-run-time", "max-run-time", "removed": the names in JSON.
std::string_view to_text(StopReason reason);

struct SteadyOptions {
  std::optional<double> ci;      ///< relative width of the 95 % interval of the median to stop at; 0.01 is 1 %
  double min_run_time = 0.2;     ///< seconds of all kept blocks
  double max_run_time = 10.0;    ///< seconds of all kept blocks; 0: no limit
  bool drop_first_block = true;  ///< the first block runs cold: caches, page faults, clock ramp
  BlockCallback callback;        ///< every block, the dropped one too
};

struct SteadyResult {
  Measurement measurement;  ///< of the kept blocks
  StopReason reason = StopReason::kMinRunTime;
  std::string why;                      ///< the reason in one sentence with its figures
  std::optional<Interval> interval;     ///< of the median, seconds per run; absent below six blocks
  std::optional<double> dropped_block;  ///< seconds per run of the dropped first block
  size_t odd_blocks = 0;                ///< blocks for which the clock said zero or less
  std::vector<std::string> notes;       ///< one sentence each, for the user
};

/// Searches a block size as blocked_autorange does, then takes blocks until a reason to stop.
SteadyResult time_steadily(TimeSource& source, const TaskSpec& spec, const SteadyOptions& options = {});

/// Whether block times show that runs take no time: a hundred times the runs, less than twice the time, at a
/// million runs or more. False when the search ended too early to tell.
bool is_removed(const BlockSizeSearch& search);

/// The same asked of a source by blocks of its own, for timings that search no block size: why a statement is taken to
/// be removed, in one sentence with its figures. nullopt for one that is there, after some milliseconds.
std::optional<std::string> probe_removed(TimeSource& source);

/// The same after a search, which tells it most often: only a statement that took hardly any time is asked again.
std::optional<std::string> probe_removed(TimeSource& source, const BlockSizeSearch& search);

/// Two statements timed in turns, A B B A, in blocks of about equal length.
struct PairedResult {
  SteadyResult a, b;
  double ratio = 1;                  ///< median over the rounds of B's seconds per run over A's
  std::optional<Interval> interval;  ///< of the ratio; absent below six rounds
};

/// Rounds of A B B A until the ratio's interval is narrower than `options.ci` or both have their time.
PairedResult time_paired(TimeSource& a, const TaskSpec& a_spec, TimeSource& b, const TaskSpec& b_spec,
                         const SteadyOptions& options = {});

}  // namespace icount
