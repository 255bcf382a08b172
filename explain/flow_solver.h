// The two linear systems of an input-output table, solved over strongly connected components: what a call is worth
// with all below it, and how often everything is called. Used by explain/decompose.h; knows neither sides nor names.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "icount/callgraph/components.h"

namespace icount {

/// A graph without figures: who calls whom. Edges of node i: [first_edge[i], first_edge[i + 1]).
struct FlowShape {
  std::vector<uint32_t> callee;      ///< by edge
  std::vector<uint32_t> first_edge;  ///< one more than there are nodes
  size_t nodes() const { return first_edge.size() - 1; }
};

/// A call inside a cluster, by the members' places in it.
struct InnerCall {
  int64_t row = 0, column = 0;
  long double rate = 0;
  bool operator==(const InnerCall&) const = default;
};

/// Clusters that were factorised. Tables that differ elsewhere only, as those of several trials do, ask for the same.
class ClusterFactors {
 public:
  ClusterFactors();
  ~ClusterFactors();
  ClusterFactors(const ClusterFactors&) = delete;
  ClusterFactors& operator=(const ClusterFactors&) = delete;

  /// Solves (I - A) y = b with A given by its entries. `values` holds b and gets y: in double, corrected twice by the
  /// residual in long double. Where the matrix is singular (only with saturated counts) the values stay as they are.
  void solve(std::vector<InnerCall> calls, std::vector<long double>& values);

 private:
  struct Factors;
  std::vector<std::unique_ptr<Factors>> kept_;
};

/// Works on a shape; the figures are given with each question. A plain function takes one sum, a recursion 1/(1 - m), a
/// cluster LU (dense when it is small, else sparse), refined to long double.
class FlowSolver {
 public:
  /// All must outlive the solver. `components` are those of the shape's edges.
  FlowSolver(const FlowShape& shape, const Components& components, ClusterFactors& factors)
      : shape_(shape), components_(components), members_(components.members()), factors_(factors) {}

  /// v = s + M v: `own` is s by node, `rates` M by edge.
  std::vector<long double> worth(std::span<const long double> own, std::span<const long double> rates) const;

  /// x = r + M' x: `entries` is r by node, `rates` M by edge.
  std::vector<long double> calls(std::span<const long double> entries, std::span<const long double> rates) const;

 private:
  const FlowShape& shape_;
  const Components& components_;
  const Components::Members members_;
  ClusterFactors& factors_;
};

}  // namespace icount
