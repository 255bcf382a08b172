#include "icount/explain/decompose.h"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

namespace icount {
namespace {

// Below this many functions a dense solve is faster than setting up a sparse one.
constexpr size_t kDenseLimit = 48;

// By this factor a total must be steadier than its average to be taken as independent of the calls.
constexpr long double kFixed = 4;

// One entry among all the calls that 64 bits can count.
constexpr long double kSmallestEntry = 1e-19L;

/// Solves v = s + M v for one side, components callee first.
class WorthSolver {
 public:
  WorthSolver(const FlowGraph& graph, const Components& components, const Decomposition& fixed, SideFigures& side)
      : graph_(graph), components_(components), fixed_(fixed), side_(side), place_(graph.nodes.size(), 0) {}

  void solve() {
    side_.worth.assign(graph_.nodes.size(), 0);
    const Components::Members all = components_.members();
    for (uint32_t component = 0; component < components_.count(); ++component) {
      const auto members = all.of(component);
      if (members.size() == 1) {
        solve_one(members.front());
      } else {
        solve_cluster(members);
      }
    }
  }

 private:
  /// s + sum of M v over callees that are solved already, those outside the component.
  long double outside_worth(uint32_t node) const {
    long double sum = fixed_.fixed_self[node] ? fixed_.further_self[node] : side_.own_cost[node];
    for (uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e) {
      const uint32_t callee = graph_.edges[e].callee;
      if (components_.of[callee] != components_.of[node]) sum += scaling_calls(e) * side_.worth[callee];
    }
    return sum;
  }

  /// M of an edge: what scales with the caller's calls.
  long double scaling_calls(uint32_t edge) const {
    return fixed_.fixed_calls[edge] ? fixed_.further_calls[edge] : side_.calls_per_call[edge];
  }

  void solve_one(uint32_t node) {
    long double recursion = 0;
    for (uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e)
      if (graph_.edges[e].callee == node) recursion = scaling_calls(e);
    // Every recursion is entered at least once, so that m <= 1 - 1/x; only saturated counts come below the limit.
    side_.worth[node] = outside_worth(node) / std::max(1 - recursion, kSmallestEntry);
  }

  void solve_cluster(std::span<const uint32_t> members) {
    const auto size = static_cast<Eigen::Index>(members.size());
    Eigen::VectorXd right(size);
    std::vector<Eigen::Triplet<double>> entries;
    for (size_t i = 0; i < members.size(); ++i) place_[members[i]] = static_cast<Eigen::Index>(i);
    for (uint32_t node : members) {
      side_.worth[node] = outside_worth(node);
      right(place_[node]) = static_cast<double>(side_.worth[node]);
      entries.emplace_back(place_[node], place_[node], 1.0);
      for (uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e)
        if (is_inside(node, e))
          entries.emplace_back(place_[node], place_[graph_.edges[e].callee], -static_cast<double>(scaling_calls(e)));
    }
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    if (static_cast<size_t>(size) <= kDenseLimit) {
      const Eigen::PartialPivLU<Eigen::MatrixXd> lu{Eigen::MatrixXd(matrix)};
      return refine(members, lu, right);
    }
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
    // I - M of an entered cluster is regular. With saturated counts it may not be: the worths then stay without
    // recursion.
    if (lu.info() == Eigen::Success) refine(members, lu, right);
  }

  bool is_inside(uint32_t node, uint32_t edge) const {
    return components_.of[graph_.edges[edge].callee] == components_.of[node] && scaling_calls(edge) != 0;
  }

  /// Solves in double and corrects twice by the residual in long double. worth holds the right side at first.
  template <typename Lu>
  void refine(std::span<const uint32_t> members, const Lu& lu, Eigen::VectorXd right) {
    std::vector<long double> solution(members.size(), 0), wanted(members.size());
    for (size_t i = 0; i < members.size(); ++i) wanted[i] = side_.worth[members[i]];
    for (int round = 0; round < 3; ++round) {
      const Eigen::VectorXd step = lu.solve(right);
      if (!step.allFinite()) return;
      for (size_t i = 0; i < members.size(); ++i) solution[i] += step(static_cast<Eigen::Index>(i));
      for (size_t i = 0; i < members.size(); ++i) {
        long double residual = wanted[i] - solution[i];
        for (uint32_t e = graph_.first_edge[members[i]]; e < graph_.first_edge[members[i] + 1]; ++e)
          if (is_inside(members[i], e))
            residual += scaling_calls(e) * solution[static_cast<size_t>(place_[graph_.edges[e].callee])];
        right(static_cast<Eigen::Index>(i)) = static_cast<double>(residual);
      }
    }
    for (size_t i = 0; i < members.size(); ++i) side_.worth[members[i]] = solution[i];
  }

  const FlowGraph& graph_;
  const Components& components_;
  const Decomposition& fixed_;
  SideFigures& side_;
  std::vector<Eigen::Index> place_;
};

SideFigures per_call_figures(const FlowGraph& graph, const std::vector<BothSides>& calls, size_t side) {
  SideFigures figures;
  figures.calls.resize(graph.nodes.size());
  figures.own_cost.resize(graph.nodes.size());
  figures.calls_per_call.resize(graph.edges.size());
  for (size_t node = 0; node < graph.nodes.size(); ++node) {
    figures.calls[node] = static_cast<long double>(calls[node][side]);
    const size_t from = calls[node][side] > 0 ? side : 1 - side;  // the missing side takes the other's figures
    const auto per = static_cast<long double>(calls[node][from]);
    if (per == 0) continue;
    figures.own_cost[node] = static_cast<long double>(graph.nodes[node].self[from]) / per;
    for (uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e)
      figures.calls_per_call[e] = static_cast<long double>(graph.edges[e].calls[from]) / per;
  }
  return figures;
}

long double difference(const BothSides& figures) {
  return static_cast<long double>(figures[1]) - static_cast<long double>(figures[0]);
}

/// Whether a total tells a simpler story than its average per call: the total moved by less than a quarter of what the
/// average would have it move.
bool is_fixed(const BothSides& totals, long double change_per_call, long double mean_calls) {
  return kFixed * std::abs(difference(totals)) < std::abs(change_per_call) * mean_calls;
}

/// A fixed total that moved as the calls did: the first calls cost what they cost, each further one so much. 0 when it
/// moved against them. Less than either side's average, since the total moved by less than they would have it.
long double for_each_further_call(const BothSides& totals, long double more_calls) {
  const long double more = difference(totals);
  return more * more_calls > 0 ? more / more_calls : 0;
}

void find_fixed(const FlowGraph& graph, Decomposition& result) {
  const auto& [base, head] = result.sides;
  result.fixed_self.assign(graph.nodes.size(), false);
  result.fixed_calls.assign(graph.edges.size(), false);
  result.further_self.assign(graph.nodes.size(), 0);
  result.further_calls.assign(graph.edges.size(), 0);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
    if (base.calls[node] == 0 || head.calls[node] == 0) continue;
    const long double mean_calls = (base.calls[node] + head.calls[node]) / 2,
                      more_calls = head.calls[node] - base.calls[node];
    result.fixed_self[node] = is_fixed(graph.nodes[node].self, head.own_cost[node] - base.own_cost[node], mean_calls);
    if (result.fixed_self[node]) result.further_self[node] = for_each_further_call(graph.nodes[node].self, more_calls);
    for (uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e) {
      result.fixed_calls[e] =
          is_fixed(graph.edges[e].calls, head.calls_per_call[e] - base.calls_per_call[e], mean_calls);
      if (result.fixed_calls[e]) result.further_calls[e] = for_each_further_call(graph.edges[e].calls, more_calls);
    }
  }
}

long double own_cost_term(const FlowGraph& graph, const Decomposition& result, uint32_t node) {
  const auto& [base, head] = result.sides;
  if (!result.fixed_self[node])
    return (head.own_cost[node] - base.own_cost[node]) * ((base.calls[node] + head.calls[node]) / 2);
  return result.further_self[node] == 0 ? difference(graph.nodes[node].self) : 0;
}

long double calls_term(const FlowGraph& graph, const Decomposition& result, uint32_t edge) {
  const auto& [base, head] = result.sides;
  const uint32_t caller = graph.edges[edge].caller, callee = graph.edges[edge].callee;
  if (result.fixed_calls[edge])
    return result.further_calls[edge] == 0
               ? difference(graph.edges[edge].calls) * ((base.worth[callee] + head.worth[callee]) / 2)
               : 0;
  const long double weight = head.calls[caller] * base.worth[callee] + base.calls[caller] * head.worth[callee];
  return (head.calls_per_call[edge] - base.calls_per_call[edge]) * weight / 2;
}

void add_term(std::vector<Term>& terms, TermKind kind, size_t index, long double value) {
  if (value != 0) terms.push_back({kind, static_cast<uint32_t>(index), value});
}

}  // namespace

Decomposition decompose(const FlowGraph& graph) {
  const Components components = flow_components(graph);
  const std::vector<BothSides> calls = calls_of(graph);
  Decomposition result;
  for (size_t side = 0; side < 2; ++side) result.sides[side] = per_call_figures(graph, calls, side);
  find_fixed(graph, result);
  for (size_t side = 0; side < 2; ++side) WorthSolver(graph, components, result, result.sides[side]).solve();
  const auto& [base, head] = result.sides;
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    add_term(result.terms, TermKind::kOwnCost, i, own_cost_term(graph, result, i));
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    add_term(result.terms, TermKind::kCalls, e, calls_term(graph, result, e));
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    add_term(result.terms, TermKind::kEntry, i,
             difference(graph.nodes[i].entries) * ((base.worth[i] + head.worth[i]) / 2));
  return result;
}

}  // namespace icount
