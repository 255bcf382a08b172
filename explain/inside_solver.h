// The figures and terms of an opened function's graph (explain/inside_graph.h): how often every node is run, what a run
// is worth, and what each change comes to. See docs/inside_functions.md, "The identity".
#pragma once

#include <array>
#include <vector>

#include "icount/explain/inside_graph.h"

namespace icount {

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

}  // namespace icount
