// The inside of an opened function as a flow graph: its body, two nodes for each loop, blocks where branches are told,
// and its callees as leaves of known worth. The same identity as the whole explanation's (explain/flow/flow_table.h),
// on a graph without cycles; terms add up to what the function's own terms do. See docs/inside_functions.md, "The
// identity".
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "icount/explain/flow/flow_table.h"
#include "icount/explain/inside/opened_function.h"

namespace icount {

enum class InsideKind : uint8_t {
  kBody,       ///< the function outside its loops
  kEntry,      ///< a loop, once per entry: its last test, and all of a reshaped one
  kIteration,  ///< a loop, once per iteration
  kBlock,      ///< a block of a body or a loop whose branches are told
  kCallee,
};

struct InsideNode {
  InsideKind kind = InsideKind::kBody;
  uint32_t number = 0;  ///< of the region, the block or the callee (a node of the condensed graph)
  BothSides self{};
};

struct InsideEdge {
  uint32_t from = 0, to = 0;
  BothSides times{};
  bool is_share = false;  ///< where control goes next: shares of one node add up to one
};

struct InsideGraph {
  std::vector<InsideNode> nodes;  ///< 0 is the body
  std::vector<InsideEdge> edges;  ///< by (from, to), each once
};

/// By node: its edges, as positions in `edges`.
std::vector<std::vector<uint32_t>> edges_out(const InsideGraph& graph);

/// A function's callees and what the whole graph says of them: calls by both sides, and what one call is worth.
struct InsideCallee {
  uint32_t node = 0;
  BothSides calls{};
  std::array<long double, 2> worth{};
  bool told_with_calls = false;  ///< the change of its worth is told by these calls, not by the callee's own terms
};

/// `of_callee`: by side and folded function, a node of the condensed graph or kNoFunction. `told_by_branches`: regions.
/// What the shapes lack of `self` and of the callees' calls belongs to the body.
InsideGraph make_inside_graph(const OpenedFunction& opened, const CalleeNodes& of_callee, const BothSides& self,
                              const std::vector<InsideCallee>& callees, const std::set<uint32_t>& told_by_branches);

// The figures and terms of an opened function's graph (explain/inside/inside_graph.h): how often every node is run,
// what a run is worth, and what each change comes to. See docs/inside_functions.md, "The identity".

/// Per-call figures and terms of a graph. `terms` are by node (own cost; none of callees) and by edge.
struct InsideFigures {
  std::array<std::vector<long double>, 2> times, own_cost, worth, rates;  ///< by node; rates by edge
  std::vector<long double> node_terms, edge_terms;
  /// By side and edge: how often what it leads to is run, in calls that both sides make, beside what both have in
  /// common. The term of an edge that leads to no callee is head's times that worth less base's times that.
  std::array<std::vector<long double>, 2> further_times;
  std::vector<uint32_t> order;  ///< nodes so that every edge goes forward
  bool has_cycle = false;       ///< the two sides nest loops the other way round: no figures
};

/// `calls` of the function on both sides, of which `common_calls` are both's.
InsideFigures solve_inside(const InsideGraph& graph, const std::vector<InsideCallee>& callees,
                           const std::array<long double, 2>& calls, long double common_calls);

// What the change of an edge inside an opened function is of: a loop that is entered more often costs by itself and by
// what it calls. Between explain/inside/inside_graph.h and explain/inside/inside_causes.h.

/// Calls of one callee behind an edge, head's less base's.
struct CallsBehind {
  long double value = 0, calls = 0;
};

/// Self cost of the function and its calls, by callee (InsideNode::number); they add up to the terms of the edges.
struct InsideContents {
  long double own_cost = 0;
  std::map<uint32_t, CallsBehind> calls;
};

/// Of edges that lead to no callee.
InsideContents contents_behind(const InsideGraph& graph, const InsideFigures& figures,
                               const std::vector<uint32_t>& edges);

}  // namespace icount
