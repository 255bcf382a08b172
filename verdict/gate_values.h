// Which numbers of a result the limits ask for: its total, and the events and functions that a limit names. The gate
// reads them on both sides, `icount accept` writes them down. Between stats/result.h and verdict/gate.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/stats/result.h"
#include "icount/verdict/gate_limit.h"

namespace icount {

/// One number of one side.
struct MeasuredValue {
  Measure measure;
  int64_t value = 0;
};

/// The total of the result's own event first (median over the repeats), then what limits beyond totals ask for, sorted:
/// totals of other events (stats/event_total.h: derived ones and allocations, too), and every function that a limit's
/// pattern matches, its costs under several files and objects added up. `graph` may be null: then only totals that the
/// result knows without. Wall time is not among them.
std::vector<MeasuredValue> values_for_limits(const Result& result, const CostGraph* graph, const LimitSet& limits);

}  // namespace icount
