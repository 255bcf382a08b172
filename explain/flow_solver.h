// The two linear systems of an input-output table, solved over strongly connected components: what a call is worth
// with all below it, and how often everything is called. Used by explain/decompose.h; knows neither sides nor names.
#pragma once

#include <span>
#include <vector>

#include "icount/explain/flow_graph.h"

namespace icount {

/// Works on the shape of a graph (its edges' ends); the figures are given with each question. A plain function takes
/// one sum, a recursion 1/(1 - m), a cluster LU (dense when it is small, else sparse), refined to long double.
class FlowSolver {
 public:
  /// Both must outlive the solver. `components` are those of the graph's edges.
  FlowSolver(const FlowGraph& graph, const Components& components) : graph_(graph), components_(components) {}

  /// v = s + M v: `own` is s by node, `rates` M by edge.
  std::vector<long double> worth(std::span<const long double> own, std::span<const long double> rates) const;

  /// x = r + M' x: `entries` is r by node, `rates` M by edge.
  std::vector<long double> calls(std::span<const long double> entries, std::span<const long double> rates) const;

 private:
  const FlowGraph& graph_;
  const Components& components_;
};

}  // namespace icount
