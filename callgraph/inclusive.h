// Inclusive cost that stays right under recursion: a cycle of functions is one unit, and what it costs is its members'
// own cost plus the calls that leave it. Read cost_graph.h and components.h first.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/callgraph/components.h"
#include "icount/callgraph/cost_graph.h"

namespace icount {

/// For every component C of the call graph: inclusive(C) = self of its members + cost of the edges that leave C.
/// A function's inclusive cost is that of its component; members of one component share the figure, so a report
/// states component_size beside it. Sums saturate at int64.
struct InclusiveCosts {
  Components components;
  size_t events = 0;
  std::vector<int64_t> cost;      ///< per component, row-major by event
  std::vector<int64_t> entering;  ///< same shape: cost of the edges that enter the component from outside

  int64_t of(FunctionIndex f, size_t event) const { return cost[components.of[f] * events + event]; }
  /// Equals of() for every component that something enters, but for the few cut by exit or signals.
  int64_t entering_of(FunctionIndex f, size_t event) const { return entering[components.of[f] * events + event]; }
  uint32_t component_size(FunctionIndex f) const { return components.sizes[components.of[f]]; }
};

InclusiveCosts make_inclusive_costs(const CostGraph& graph);

}  // namespace icount
