// `icount suite show`: a suite's results as a table grouped like the labels, one line per benchmark, then what failed
// and what was skipped, each with its message. The results are those of stats/result.h, in the order given.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "icount/base/json.h"
#include "icount/report/document.h"
#include "icount/stats/measurement.h"
#include "icount/stats/result.h"

namespace icount {

/// The median of a run with the figures that mean something: "12.3 us".
std::string wall_time_text(const Measurement& measurement);

/// One benchmark that was timed on both sides.
struct WallTimePair {
  std::string key;
  Measurement base;
  Measurement head;
};

struct WallTimeChange {
  double ratio = 1;   ///< head's median over base's; 1 when base's is not positive
  bool sure = false;  ///< the 95 % intervals of the two medians do not touch (stats/quantile.h)
};
WallTimeChange compare_wall_times(const Measurement& base, const Measurement& head);

/// A table of the sure changes (all of them with `all`), the biggest ratio either way first, and a line about the
/// others; a warning when the two sides were timed on processors of different models. Nothing for no pairs.
Document make_wall_times_document(std::span<const WallTimePair> pairs, bool all);
/// [{"label", "base_seconds", "head_seconds", "ratio", "sure"}] in the order given.
Json wall_times_to_json(std::span<const WallTimePair> pairs);

/// Label parts that a line shares with the line above it are not repeated but indented below. Columns: per run (median
/// count over number of runs), slope, fixed cost, spread over the repeats, wall time where one was taken: `times` has
/// as many entries as `results`, or none.
using SuiteTimes = std::span<const std::optional<Measurement>>;
Document make_suite_document(std::span<const Result> results, SuiteTimes times);

/// Schema icount-suite 1: every result without its cost graph.
Json suite_to_json(std::span<const Result> results);

/// "181 benchmarks: 164 done, 17 skipped".
std::string suite_totals(std::span<const Result> results);

}  // namespace icount
