// What `icount time` measured on the CPU, and how it is shown: as text with figures, ratio and table, as JSON, or as
// the measurements that --out keeps. Filled by cli/command_time.cc.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/cli/time_options.h"
#include "icount/stats/measurement.h"
#include "icount/timer/steady_timing.h"

namespace icount {

/// One statement's timing, or why there is none.
struct Timed {
  std::optional<Measurement> measurement;
  std::optional<double> instructions;  ///< per run, when asked for
  std::optional<double> allocations;   ///< per run, where instructions were counted and it is known
  std::vector<std::string> notes;
  std::string error;
  std::string built;  ///< by which compiler, how far optimised; empty: not known
};

/// What --against takes over what --stmt takes.
struct PairedRatio {
  int num_threads = 1;
  double ratio = 1;
  std::optional<Interval> interval;
};

/// What one `icount time` came to.
struct TimeRun {
  std::vector<Timed> timed;         ///< one per statement
  std::vector<PairedRatio> ratios;  ///< of statements that were timed in turns, one for each thread count
  Json surroundings;
};

/// What is saved: the measurement with what is known beside it. Only of a statement that could be timed.
Measurement with_metadata(const Timed& timed, const Json& surroundings);

/// Every statement's figures; their ratio when they were timed in turns, else a table when there are several.
void render_time_run(std::ostream& out, const TimeRun& run, const TimeOptions& options);

/// "icount-time" (docs/json.md).
Json time_run_to_json(const TimeRun& run, const TimeOptions& options);

}  // namespace icount
