// Functions split by caller: what a call costs depends on who calls, and every edge's inclusive cost is recorded. A
// split function has one node for each caller, whose own cost and calls are its share of the function's, in proportion
// to what the edge costs; for a function that calls nothing that is no assumption. Makes a finer explain/flow_table.h.
#pragma once

#include <span>
#include <vector>

#include "icount/explain/flow_table.h"

namespace icount {

/// By node of the graph: whether its edges' recorded costs tell what a call costs by caller. It has two callers or
/// more that pay different prices, is neither entered from outside nor recursive, and each side's counted calls have a
/// cost.
std::vector<bool> splittable(const FlowGraph& graph, const Components& components);

/// By node of the graph: whether its calls' recorded costs come to its own cost and that of its calls, and each side's
/// counted calls have a cost.
std::vector<bool> has_consistent_costs(const FlowGraph& graph);

/// By edge of the graph and side: what a call of it costs, as a part of what a call of the callee costs on average. 1
/// where `of` does not hold of the callee; the other side's where the edge has no calls.
using CallerPrices = std::array<std::vector<long double>, 2>;
CallerPrices caller_prices(const FlowGraph& graph, const std::vector<bool>& of);

/// `whole` is the table of the graph itself (a node for a node); `split` says which nodes are split, all splittable;
/// `prices` are those of all splittable nodes.
FlowTable split_by_callers(const FlowGraph& graph, const FlowTable& whole, const std::vector<bool>& split,
                           const CallerPrices& prices);

}  // namespace icount
