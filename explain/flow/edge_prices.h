// What the calls of an edge are worth, where the average over all calls of the callee says something else: calls that
// only took another way (moves), calls of callers that pay different prices, and calls that one side alone
// makes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "icount/explain/flow/flow_table.h"

namespace icount {

/// Books calls on `graph` that a function makes itself on one side and, on the other, through functions that only that
/// side has: there they count as its own. Calls of every function stay what they were, so that each side's total does;
/// so do edges' numbers. Does not depend on which side is called base.
void join_call_moves(FlowGraph& graph);

// Which caller of a function the calls that it makes come from: a dispatcher (js_callfunction, qsort) calls one thing
// for one caller and another for the next, and the recorded costs often leave no other choice.

inline constexpr uint32_t kAnyCaller = std::numeric_limits<uint32_t>::max();

/// By edge of the graph: the edge by which the caller was called when it made these calls, where exactly one
/// distribution of all its calls among its callers gives every caller what its calls cost, on both sides; else
/// kAnyCaller. Calls that hardly cost anything are kAnyCaller in any case. Only functions that `of` holds of are looked
/// at.
std::vector<uint32_t> find_call_origins(const FlowGraph& graph, const std::vector<bool>& of);

// Functions split by caller: what a call costs depends on who calls, and every edge's inclusive cost is recorded. A
// split function has one node for each caller, whose own cost and calls are its share of the function's, in proportion
// to what the edge costs; for a function that calls nothing that is no assumption. Where only one distribution of its
// calls fits what the edges cost it is that. Makes a finer table.

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
  /// (explain/flow/edge_prices.h).
  std::vector<uint32_t> origins;
};
/// Of the functions that `of` holds of.
CallerPrices caller_prices(const FlowGraph& graph, const std::vector<bool>& of);

/// `whole` is the table of the graph itself (a node for a node); `split` says which nodes are split, all splittable;
/// `prices` are those of all splittable nodes.
FlowTable split_by_callers(const FlowGraph& graph, const FlowTable& whole, const std::vector<bool>& split,
                           const CallerPrices& prices);

// Calls that only one side makes, or nearly so, cost what was recorded for them: the average over all callers of what
// lies below would say something else where other callers' calls are cheaper or dearer. Changes a
// explain/flow/flow_table.h after its average was solved.

/// Takes calls that one side alone makes, or twenty times as often for each call of their caller, and whose recorded
/// cost differs from the average, out of that side's half of the table: what they cost becomes a part of their caller's
/// cost per call (FlowTable::recorded), and what they contribute to functions that others call, too, is taken out of
/// these functions' own cost, so that the rest costs what is left. Each side's total stays what it is. `solution` is
/// the table's; to be solved anew where this returns true. Calls within a cycle or with a cost that contradicts what
/// lies below stay as they are. Calls that the average misses by less than `least` stay, too.
bool price_recorded_calls(const FlowGraph& graph, const FlowSolver& solver, const FlowSolution& solution,
                          long double least, FlowTable& table);

}  // namespace icount
