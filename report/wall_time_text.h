// Wall times of a suite's benchmarks as text: one figure for a table, and two runs compared. The counts beside them are
// report/suite_text.h's and inputs/diff_set_text.h's. Values: stats/measurement.h.
#pragma once

#include <span>
#include <string>

#include "icount/base/json.h"
#include "icount/report/document.h"
#include "icount/stats/measurement.h"

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
  bool sure = false;  ///< the 95 % intervals of the two medians do not touch (stats/median_interval.h)
};
WallTimeChange compare_wall_times(const Measurement& base, const Measurement& head);

/// A table of the sure changes (all of them with `all`), the biggest ratio either way first, and a line about the
/// others; a warning when the two sides were timed on processors of different models. Nothing for no pairs.
Document make_wall_times_document(std::span<const WallTimePair> pairs, bool all);
/// [{"label", "base_seconds", "head_seconds", "ratio", "sure"}] in the order given.
Json wall_times_to_json(std::span<const WallTimePair> pairs);

}  // namespace icount
