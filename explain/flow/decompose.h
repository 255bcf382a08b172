// The structural decomposition: every change of a total split into terms of own cost, calls and entries that add up to
// it exactly (docs/explaining_diff.md, "The identity"). Works on explain/flow/flow_table.h; knows no names.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "icount/explain/flow/flow_table.h"

namespace icount {

/// Per-call figures of one side, in the widest type: counts of 1e15 must still come out to the last instruction.
/// A node that this side does not call has calls 0 and takes the other side's figures.
struct SideFigures {
  std::vector<long double> calls;           ///< x: calls of the node
  std::vector<long double> own_cost;        ///< s: self cost per call
  std::vector<long double> worth;           ///< v: cost of one call with everything below it that comes with a call
  std::vector<long double> calls_per_call;  ///< M, by edge: calls of the callee per call of the caller
};

/// One term of the identity; `index` is an edge for kCalls, else a node.
struct Term {
  TermKind kind = TermKind::kOwnCost;
  uint32_t index = 0;
  long double value = 0;
};

/// The node that a term tells of: of calls, their caller.
inline uint32_t node_of(const FlowGraph& graph, const Term& term) {
  return term.kind == TermKind::kCalls ? graph.edges[term.index].caller : term.index;
}

/// What one caller's calls of a split function contribute to its own-cost term.
struct CallerShare {
  uint32_t edge = 0;  ///< the caller's calls of it
  long double common_calls = 0;
  std::array<long double, 2> own_cost{};  ///< per call
  long double value = 0;
};

/// A function's calls but those that are told at what was recorded for them, which cost more or less than the average.
struct OtherCalls {
  bool are_told = false;  ///< its term of own cost is of these calls
  std::array<long double, 2> calls{}, own_cost{};
};

struct Decomposition {
  std::array<SideFigures, 2> sides;
  std::vector<long double> common_calls;  ///< by node: x_c, calls that both sides make; what own cost counts by
  /// By side and node: the common calls, each counted by what it costs on that side as a part of the average; own
  /// cost's term is s1 times head's less s0 times base's. Both equal common_calls where no caller's calls are told
  /// apart.
  std::array<std::vector<long double>, 2> own_cost_calls;
  std::vector<bool> fixed_self;   ///< by node: its self cost does not scale with its calls
  std::vector<bool> fixed_calls;  ///< by edge: its calls do not scale with the caller's
  std::vector<long double>
      further_self;  ///< by node: what a further call costs itself where self cost has a fixed part
  std::vector<long double> further_calls;  ///< by edge: the same of calls
  /// By edge: what a call of it costs with all below, on both sides, where the term of its calls tells of both; else 0.
  std::vector<std::array<long double, 2>> joined_prices;
  std::vector<OtherCalls> other_calls;     ///< by node
  std::vector<CallerShare> caller_shares;  ///< of split functions that changed, by callee
  std::vector<Term> terms;                 ///< those that are not zero: by node, by edge, by entry
};

/// The identity of common flow: own cost counts by the calls that both sides make, calls that are gone at what they
/// were worth, new ones at what they are worth. What plainly does not scale with the calls of a
/// function (an initialisation, a loop that runs once per program) is taken in total instead of per call, and where it
/// grows with the calls all the same, as a fixed part and so much for each further call; the identity stays exact
/// (decision 2). Swapping the sides negates every term bit for bit. Call counts
/// beyond 64 bits (saturated sums) leave a residue that no term carries. What a call costs is an average over callers.
/// `factors` keeps what a decomposition of the same graph with other clusters opened needs again.
Decomposition decompose_on_average(const FlowGraph& graph, ClusterFactors& factors);

/// `average` of the same graph, with what a call costs told by caller where that keeps the terms small
/// (explain/flow/edge_prices.h).
Decomposition decompose_by_callers(const FlowGraph& graph, Decomposition average, ClusterFactors& factors);

// What scales with the calls of a function and what does not: an initialisation or a loop that runs once per program is
// taken in total, and where it grows with the calls all the same, as a fixed part and so much for each further call
// (decision 2). The first step of explain/flow/decompose.

/// `calls` are those of each node. Worths are left empty.
SideFigures per_call_figures(const FlowGraph& graph, const std::vector<BothSides>& calls, size_t side);

/// Head's less base's.
long double difference(const BothSides& figures);

/// Fills what is fixed, and what a further call takes, from result.sides.
void find_fixed(const FlowGraph& graph, Decomposition& result);

/// Figures with their fixed parts taken out: of self cost they are constants, which no call carries, and of calls they
/// are sources. A split function's callers tell which calls are dear; it has no fixed parts.
FlowTable scaling_table(const FlowGraph& graph, const Components& components, const Decomposition& figures,
                        const std::vector<bool>& split);

// A flow table (explain/flow/flow_table.h) with its solution and its terms, and what these come to: whether a function
// is better told by its callers is decided by comparing two of them (explain/flow/decompose.cc).

struct Solved {
  std::vector<bool> split;  ///< by node of the graph: which functions are split by caller
  FlowTable table;
  FlowSolution solution;
  TellingPlaces told;
  FlowTerms terms;
  long double gross = 0;  ///< sum of magnitudes of the terms; what a split made up counts more
};

/// Of a table in which `split` are split. `figures` say what is fixed.
Solved solve_table(const FlowGraph& graph, FlowTable table, const std::vector<bool>& split,
                   const Decomposition& figures, ClusterFactors& factors);

/// The same with calls that one side makes at their recorded cost (explain/flow/edge_prices.h).
void price_as_recorded(const FlowGraph& graph, const Decomposition& figures, ClusterFactors& factors, Solved& solved);

/// Own cost by node of the graph; what does not scale at all is its own term.
std::vector<long double> own_terms(const FlowGraph& graph, const FlowTable& table, const FlowTerms& terms,
                                   const std::vector<bool>& split, const Decomposition& figures);

}  // namespace icount
