// Functions split by caller: what a call costs depends on who calls, and every edge's inclusive cost is recorded. A
// split function has one node for each caller, whose own cost and calls are its share of the function's, in proportion
// to what the edge costs; for a function that calls nothing that is no assumption. Where only one distribution of its
// calls fits what the edges cost (explain/call_origins.h) it is that. Makes a finer explain/flow_table.h.
#pragma once

#include <span>
#include <vector>

#include "icount/explain/call_origins.h"
#include "icount/explain/flow_table.h"

namespace icount {

/// By node of the graph: whether its edges' recorded costs tell what a call costs by caller. It has two callers or
/// more that pay different prices, is neither entered from outside nor recursive, and each side's counted calls have a
/// cost.
std::vector<bool> splittable(const FlowGraph& graph, const Components& components);

/// By node of the graph: whether its calls' recorded costs come to its own cost and that of its calls, and each side's
/// counted calls have a cost.
std::vector<bool> has_consistent_costs(const FlowGraph& graph);

/// How a function's own cost and calls are shared among its callers.
struct CallerPrices {
  /// By side and edge of the graph: what a call of it costs, as a part of what a call of the callee costs on average. 1
  /// where nothing tells, and where `origins` tell; the other side's where the edge has no calls.
  std::array<std::vector<long double>, 2> parts;
  /// By edge of the graph: the edge by which its caller was called when it made these calls, else kAnyCaller
  /// (explain/call_origins.h).
  std::vector<uint32_t> origins;
};
/// Of the functions that `of` holds of.
CallerPrices caller_prices(const FlowGraph& graph, const std::vector<bool>& of);

/// `whole` is the table of the graph itself (a node for a node); `split` says which nodes are split, all splittable;
/// `prices` are those of all splittable nodes.
FlowTable split_by_callers(const FlowGraph& graph, const FlowTable& whole, const std::vector<bool>& split,
                           const CallerPrices& prices);

}  // namespace icount
