// How the cost of a call graph divides among stacks where no stack was recorded: in proportion to the cost of the
// calls. Functions that call each other in a circle divide as one. stacks/approximate_stacks.h grows its tree by it,
// stacks/joined_leaves.h finds by it the functions of what the tree does not tell apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "icount/callgraph/components.h"
#include "icount/callgraph/cost_graph.h"

namespace icount {

/// 64 bits of mantissa: shares of int64 costs stay exact to the unit.
using DividedCost = long double;

/// Of one event; see make_cost_division.
struct CostDivision {
  Components components;
  Components::Members members;
  std::vector<std::vector<uint32_t>> leaving;  ///< per function: edges out of its component, costliest first
  std::vector<DividedCost> own;                ///< per function: self + leaving
  std::vector<DividedCost> whole;              ///< per component: own of its members
  std::vector<DividedCost> entering;           ///< per component

  /// Members of the component but for `entered`, the largest `own` first; those that cost nothing are left out.
  std::vector<FunctionIndex> others_in_circle(uint32_t component, FunctionIndex entered) const;
};

CostDivision make_cost_division(const CostGraph& graph, size_t event);

/// Whole numbers next to `shares` that add up to `total`, by largest remainder; ties go to the first. All of it goes to
/// the first share where they add up to nothing.
std::vector<int64_t> whole_shares(const std::vector<DividedCost>& shares, int64_t total);

}  // namespace icount
