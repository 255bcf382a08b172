#include "icount/explain/flow_solver.h"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseLU>
#include <algorithm>

namespace icount {
namespace {

// Below this many functions a dense solve is faster than setting up a sparse one.
constexpr size_t kDenseLimit = 48;

// One entry among all the calls that 64 bits can count: a recursion is entered at least once, so that m <= 1 - 1/x;
// only saturated counts come below.
constexpr long double kSmallestEntry = 1e-19L;

/// A call inside a cluster, by the members' places in it.
struct InnerCall {
  Eigen::Index row = 0, column = 0;
  long double rate = 0;
};

/// (I - A) y = b with A given by its entries, for a handful or thousands of unknowns. `values` holds b and gets y: in
/// double, corrected twice by the residual in long double. Where the matrix is singular (only with saturated counts)
/// the values stay as they are.
template <typename Lu>
void refine(const Lu& lu, std::span<const InnerCall> calls, std::vector<long double>& values) {
  const auto size = static_cast<Eigen::Index>(values.size());
  std::vector<long double> solution(values.size(), 0), residual = values;
  Eigen::VectorXd right(size);
  for (int round = 0; round < 3; ++round) {
    for (Eigen::Index i = 0; i < size; ++i) right(i) = static_cast<double>(residual[static_cast<size_t>(i)]);
    const Eigen::VectorXd step = lu.solve(right);
    if (!step.allFinite()) return;
    for (size_t i = 0; i < values.size(); ++i) solution[i] += step(static_cast<Eigen::Index>(i));
    for (size_t i = 0; i < values.size(); ++i) residual[i] = values[i] - solution[i];
    for (const InnerCall& call : calls)
      residual[static_cast<size_t>(call.row)] += call.rate * solution[static_cast<size_t>(call.column)];
  }
  values = std::move(solution);
}

void solve_cluster(std::span<const InnerCall> calls, std::vector<long double>& values) {
  const auto size = static_cast<Eigen::Index>(values.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < size; ++i) entries.emplace_back(i, i, 1.0);
  for (const InnerCall& call : calls) entries.emplace_back(call.row, call.column, -static_cast<double>(call.rate));
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  if (values.size() <= kDenseLimit) {
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu{Eigen::MatrixXd(matrix)};
    return refine(lu, calls, values);
  }
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
  if (lu.info() == Eigen::Success) refine(lu, calls, values);
}

/// One question to a graph: the calls of each component and their direction.
class Question {
 public:
  Question(const FlowGraph& graph, const Components& components, std::span<const long double> rates)
      : graph_(graph), components_(components), rates_(rates), place_(graph.nodes.size(), 0) {}

  /// Solves the component for what `values` holds of its members so far; `callee_first`: for worths, else for calls.
  void solve(std::span<const uint32_t> members, bool callee_first, std::vector<long double>& values) {
    if (members.size() == 1) {
      const uint32_t node = members.front();
      for (uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e)
        if (graph_.edges[e].callee == node) values[node] /= std::max(1 - rates_[e], kSmallestEntry);
      return;
    }
    for (size_t i = 0; i < members.size(); ++i) place_[members[i]] = static_cast<Eigen::Index>(i);
    std::vector<InnerCall> calls;
    std::vector<long double> inner;
    for (const uint32_t node : members) {
      inner.push_back(values[node]);
      for (uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e) {
        if (!is_inner(node, e) || rates_[e] == 0) continue;
        const Eigen::Index caller = place_[node], callee = place_[graph_.edges[e].callee];
        calls.push_back(callee_first ? InnerCall{caller, callee, rates_[e]} : InnerCall{callee, caller, rates_[e]});
      }
    }
    solve_cluster(calls, inner);
    for (size_t i = 0; i < members.size(); ++i) values[members[i]] = inner[i];
  }

  bool is_inner(uint32_t node, uint32_t edge) const {
    return components_.of[graph_.edges[edge].callee] == components_.of[node];
  }

 private:
  const FlowGraph& graph_;
  const Components& components_;
  std::span<const long double> rates_;
  std::vector<Eigen::Index> place_;
};

}  // namespace

std::vector<long double> FlowSolver::worth(std::span<const long double> own, std::span<const long double> rates) const {
  Question question(graph_, components_, rates);
  std::vector<long double> values(own.begin(), own.end());
  const Components::Members all = components_.members();
  for (uint32_t component = 0; component < components_.count(); ++component) {
    const auto members = all.of(component);
    for (const uint32_t node : members)
      for (uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e)
        if (!question.is_inner(node, e)) values[node] += rates[e] * values[graph_.edges[e].callee];
    question.solve(members, true, values);
  }
  return values;
}

std::vector<long double> FlowSolver::calls(std::span<const long double> entries,
                                           std::span<const long double> rates) const {
  Question question(graph_, components_, rates);
  std::vector<long double> values(entries.begin(), entries.end());
  const Components::Members all = components_.members();
  for (auto component = static_cast<uint32_t>(components_.count()); component-- > 0;) {
    const auto members = all.of(component);
    question.solve(members, false, values);
    for (const uint32_t node : members)
      for (uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e)
        if (!question.is_inner(node, e)) values[graph_.edges[e].callee] += rates[e] * values[node];
  }
  return values;
}

}  // namespace icount
