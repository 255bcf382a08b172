// The total of any event of a result: what was counted, what its cost graph has beside it, a derived event
// (callgraph/derived_events.h) or a figure (allocations, frees, bytes). Read stats/result.h first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/stats/result.h"

namespace icount {

/// Of the whole measured region; nullopt where the result does not know it. `graph` may be null. The result's own event
/// is the median of its counts.
std::optional<int64_t> event_total(const Result& result, const CostGraph* graph, std::string_view event);

/// One event beside the counted one, for display.
struct FurtherEvent {
  std::string name;
  int64_t total = 0;
  std::string model;  ///< the formula of a derived event; empty: measured
};

/// Everything that the result knows besides its own event: measured events in the order of the graph, derived ones,
/// then figures.
std::vector<FurtherEvent> further_events(const Result& result, const CostGraph* graph);

}  // namespace icount
