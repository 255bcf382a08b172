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
