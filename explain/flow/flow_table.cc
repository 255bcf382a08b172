#include "icount/explain/flow/flow_table.h"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseLU>

#include <algorithm>
#include <limits>
#include <utility>

#include "icount/base/checked.h"

namespace icount {
namespace {

constexpr uint32_t kUnseen = std::numeric_limits<uint32_t>::max();

Components components_of_side(const FlowGraph& graph, size_t side) {
  std::vector<Arc> arcs;
  for (const FlowEdge& edge : graph.edges)
    if (edge.calls[side] > 0) arcs.push_back({edge.caller, edge.callee});
  return find_components(graph.nodes.size(), arcs);
}

/// The root of a part is chosen by both sides' costs: the same one on both, where both have the part.
__int128 cost_on_both(const FlowNode& node) { return static_cast<__int128>(node.self[0]) + node.self[1]; }

void find_entries_of_side(FlowGraph& graph, size_t side) {
  const Components parts = components_of_side(graph, side);
  std::vector<bool> entered(parts.count(), false), calls_others(parts.count(), false);
  for (const FlowEdge& edge : graph.edges) {
    if (edge.calls[side] <= 0) continue;
    const uint32_t from = parts.of[edge.caller], to = parts.of[edge.callee];
    calls_others[from] = true;
    if (from != to) entered[to] = true;
  }
  const Components::Members members = parts.members();
  for (uint32_t part = 0; part < parts.count(); ++part) {
    if (entered[part]) continue;
    const auto of_part = members.of(part);
    const uint32_t root = *std::max_element(of_part.begin(), of_part.end(), [&](uint32_t a, uint32_t b) {
      return cost_on_both(graph.nodes[a]) < cost_on_both(graph.nodes[b]);
    });
    const bool has_cost =
        std::any_of(of_part.begin(), of_part.end(), [&](uint32_t node) { return graph.nodes[node].self[side] > 0; });
    if (calls_others[part] || has_cost) graph.nodes[root].entries[side] = 1;
  }
}

}  // namespace

uint32_t FlowGraph::edge_between(uint32_t caller, uint32_t callee) const {
  const auto of = edges_of(caller);
  const auto at = std::lower_bound(of.begin(), of.end(), callee,
                                   [](const FlowEdge& edge, uint32_t node) { return edge.callee < node; });
  return at == of.end() || at->callee != callee ? kNoEdge : static_cast<uint32_t>(&*at - edges.data());
}

std::optional<size_t> only_side(const FlowEdge& edge) {
  if ((edge.calls[0] != 0) == (edge.calls[1] != 0)) return std::nullopt;
  return edge.calls[1] != 0 ? 1 : 0;
}

void index_edges(FlowGraph& graph) {
  graph.first_edge = sort_edges(graph.nodes.size(), graph.edges, [](FlowEdge& sum, const FlowEdge& edge) {
    for (size_t side = 0; side < 2; ++side) {
      sum.calls[side] = saturating_add(sum.calls[side], edge.calls[side]);
      sum.inclusive[side] = saturating_add(sum.inclusive[side], edge.inclusive[side]);
    }
  });
}

Components flow_components(const FlowGraph& graph) {
  std::vector<Arc> arcs;
  arcs.reserve(graph.edges.size());
  for (const FlowEdge& edge : graph.edges) arcs.push_back({edge.caller, edge.callee});
  return find_components(graph.nodes.size(), arcs);
}

void find_entries(FlowGraph& graph) {
  for (FlowNode& node : graph.nodes) node.entries = {0, 0};
  for (size_t side = 0; side < 2; ++side) find_entries_of_side(graph, side);
}

namespace {

/// A door for each function of a cluster that is entered by several.
void add_doors(const FlowGraph& graph, CondensedFlow& condensed) {
  const auto enters = [&](const FlowEdge& edge) {
    const uint32_t callee = condensed.node_of[edge.callee];
    return condensed.members[callee].size() > 1 && condensed.node_of[edge.caller] != callee;
  };
  std::vector<bool> is_entered(graph.nodes.size(), false);
  for (const FlowEdge& edge : graph.edges)
    if (enters(edge)) is_entered[edge.callee] = true;
  std::vector<uint32_t> entered(condensed.members.size(), 0);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node)
    if (is_entered[node]) ++entered[condensed.node_of[node]];
  condensed.entered_by = condensed.node_of;
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
    if (!is_entered[node] || entered[condensed.node_of[node]] < 2) continue;
    condensed.entered_by[node] = static_cast<uint32_t>(condensed.members.size());
    condensed.graph.nodes.push_back({});
    condensed.members.push_back({node});
  }
}

}  // namespace

CondensedFlow condense(const FlowGraph& graph, const Components& components, const std::vector<bool>& opened) {
  CondensedFlow condensed;
  const Components::Members members_of = components.members();
  condensed.node_of.assign(graph.nodes.size(), kUnseen);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
    if (condensed.node_of[node] != kUnseen) continue;
    const uint32_t component = components.of[node];
    const auto all = members_of.of(component);
    const auto members = opened[component] ? std::vector{node} : std::vector(all.begin(), all.end());
    FlowNode sum;
    for (uint32_t member : members) {
      condensed.node_of[member] = static_cast<uint32_t>(condensed.members.size());
      for (size_t side = 0; side < 2; ++side) {
        sum.self[side] = checked_add(sum.self[side], graph.nodes[member].self[side], "self cost");
        sum.entries[side] += graph.nodes[member].entries[side];
      }
    }
    condensed.graph.nodes.push_back(sum);
    condensed.members.push_back(members);
  }
  add_doors(graph, condensed);
  for (const FlowEdge& edge : graph.edges) {
    const uint32_t caller = condensed.node_of[edge.caller], callee = condensed.node_of[edge.callee];
    if (caller == callee && condensed.members[caller].size() > 1) continue;
    const uint32_t door = condensed.entered_by[edge.callee];
    condensed.graph.edges.push_back({caller, door, edge.calls, edge.inclusive});
    if (door != callee) condensed.graph.edges.push_back({door, callee, edge.calls, edge.inclusive});
  }
  index_edges(condensed.graph);
  return condensed;
}

std::vector<bool> nodes_below(const FlowGraph& graph, uint32_t top) {
  std::vector<bool> below(graph.nodes.size(), false);
  below[top] = true;
  for (std::vector<uint32_t> open{top}; !open.empty();) {
    const uint32_t node = open.back();
    open.pop_back();
    for (const FlowEdge& edge : graph.edges_of(node)) {
      if (below[edge.callee]) continue;
      below[edge.callee] = true;
      open.push_back(edge.callee);
    }
  }
  return below;
}

const FlowEdge* only_call_of(const FlowGraph& graph, uint32_t node) {
  const FlowEdge* only = nullptr;
  for (const FlowEdge& edge : graph.edges) {
    if (edge.callee != node || edge.caller == node) continue;
    if (only != nullptr) return nullptr;
    only = &edge;
  }
  return only;
}

std::vector<BothSides> calls_of(const FlowGraph& graph) {
  std::vector<BothSides> calls(graph.nodes.size());
  for (size_t i = 0; i < calls.size(); ++i) calls[i] = graph.nodes[i].entries;
  for (const FlowEdge& edge : graph.edges)
    for (size_t side = 0; side < 2; ++side)
      calls[edge.callee][side] = saturating_add(calls[edge.callee][side], edge.calls[side]);
  return calls;
}

namespace {

// Below this many functions a dense solve is faster than setting up a sparse one.
constexpr size_t kDenseLimit = 48;

// One entry among all the calls that 64 bits can count: a recursion is entered at least once, so that m <= 1 - 1/x;
// only saturated counts come below.
constexpr long double kSmallestEntry = 1e-19L;

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

/// One question to a graph: the calls of each component and their direction.
class Question {
 public:
  Question(const FlowShape& shape, const Components& components, std::span<const long double> rates,
           ClusterFactors& factors)
      : shape_(shape), components_(components), rates_(rates), factors_(factors) {}

  /// Solves the component for what `values` holds of its members so far; `callee_first`: for worths, else for calls.
  void solve(std::span<const uint32_t> members, bool callee_first, std::vector<long double>& values) {
    if (members.size() == 1) {
      const uint32_t node = members.front();
      for (uint32_t e = shape_.first_edge[node]; e < shape_.first_edge[node + 1]; ++e)
        if (shape_.callee[e] == node) values[node] /= std::max(1 - rates_[e], kSmallestEntry);
      return;
    }
    place_.resize(shape_.nodes());
    for (size_t i = 0; i < members.size(); ++i) place_[members[i]] = static_cast<Eigen::Index>(i);
    std::vector<InnerCall> calls;
    std::vector<long double> inner;
    for (const uint32_t node : members) {
      inner.push_back(values[node]);
      for (uint32_t e = shape_.first_edge[node]; e < shape_.first_edge[node + 1]; ++e) {
        if (!is_inner(node, e) || rates_[e] == 0) continue;
        const Eigen::Index caller = place_[node], callee = place_[shape_.callee[e]];
        calls.push_back(callee_first ? InnerCall{caller, callee, rates_[e]} : InnerCall{callee, caller, rates_[e]});
      }
    }
    factors_.solve(std::move(calls), inner);
    for (size_t i = 0; i < members.size(); ++i) values[members[i]] = inner[i];
  }

  bool is_inner(uint32_t node, uint32_t edge) const {
    return components_.of[shape_.callee[edge]] == components_.of[node];
  }

 private:
  const FlowShape& shape_;
  const Components& components_;
  std::span<const long double> rates_;
  ClusterFactors& factors_;
  std::vector<Eigen::Index> place_;  ///< by node, of the component that is solved
};

}  // namespace

struct ClusterFactors::Factors {
  Factors(std::vector<InnerCall> of, size_t members) : calls(std::move(of)), size(members) {
    const auto n = static_cast<Eigen::Index>(size);
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
    for (const InnerCall& call : calls) entries.emplace_back(call.row, call.column, -static_cast<double>(call.rate));
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    if (size <= kDenseLimit) {
      dense.compute(Eigen::MatrixXd(matrix));
    } else {
      sparse.compute(matrix);
    }
  }

  void solve(std::vector<long double>& values) const {
    if (size <= kDenseLimit) return refine(dense, calls, values);
    if (sparse.info() == Eigen::Success) refine(sparse, calls, values);
  }

  std::vector<InnerCall> calls;
  size_t size;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse;
};

ClusterFactors::ClusterFactors() = default;
ClusterFactors::~ClusterFactors() = default;

void ClusterFactors::solve(std::vector<InnerCall> calls, std::vector<long double>& values) {
  for (const auto& known : kept_)
    if (known->size == values.size() && known->calls == calls) return known->solve(values);
  kept_.push_back(std::make_unique<Factors>(std::move(calls), values.size()));
  kept_.back()->solve(values);
}

std::vector<long double> FlowSolver::worth(std::span<const long double> own, std::span<const long double> rates) const {
  Question question(shape_, components_, rates, factors_);
  std::vector<long double> values(own.begin(), own.end());
  for (uint32_t component = 0; component < components_.count(); ++component) {
    const auto members = members_.of(component);
    for (const uint32_t node : members)
      for (uint32_t e = shape_.first_edge[node]; e < shape_.first_edge[node + 1]; ++e)
        if (!question.is_inner(node, e)) values[node] += rates[e] * values[shape_.callee[e]];
    question.solve(members, true, values);
  }
  return values;
}

std::vector<long double> FlowSolver::calls(std::span<const long double> entries,
                                           std::span<const long double> rates) const {
  Question question(shape_, components_, rates, factors_);
  std::vector<long double> values(entries.begin(), entries.end());
  for (auto component = static_cast<uint32_t>(components_.count()); component-- > 0;) {
    const auto members = members_.of(component);
    question.solve(members, false, values);
    for (const uint32_t node : members)
      for (uint32_t e = shape_.first_edge[node]; e < shape_.first_edge[node + 1]; ++e)
        if (!question.is_inner(node, e)) values[shape_.callee[e]] += rates[e] * values[node];
  }
  return values;
}

namespace {

/// What calls beyond the common ones come to: head's at head's worth less base's at base's.
long double beyond_common(const std::array<long double, 2>& calls, const FlowSolution& solution, uint32_t callee) {
  const long double common = std::min(calls[0], calls[1]);
  return (calls[1] - common) * solution.worth[1][callee] - (calls[0] - common) * solution.worth[0][callee];
}

/// x_c = r_c + M_c' x_c, with the lesser of both sides for every call. What is told as a whole passes nothing on.
std::vector<long double> common_calls(const FlowTable& table, const FlowSolver& solver, const TellingPlaces& told) {
  std::vector<long double> entries(table.own[0].size(), 0), rates(table.rates[0].size());
  for (const FlowSource& source : table.sources) entries[source.node] += std::min(source.calls[0], source.calls[1]);
  for (uint32_t node = 0; node < table.shape.nodes(); ++node) {
    const bool passes_on = told.empty() || told[node] == Told::kBelow;
    for (uint32_t e = table.shape.first_edge[node]; e < table.shape.first_edge[node + 1]; ++e)
      rates[e] = passes_on ? std::min(table.rates[0][e], table.rates[1][e]) : 0;
  }
  return solver.calls(entries, rates);
}

}  // namespace

FlowSolution solve(const FlowTable& table, const FlowSolver& solver) {
  FlowSolution solution;
  for (size_t side = 0; side < 2; ++side) {
    std::vector<long double> own = table.own[side];
    for (const RecordedCalls& calls : table.recorded)
      if (calls.side == side) own[calls.caller] += calls.cost_per_call;
    solution.worth[side] = solver.worth(own, table.rates[side]);
  }
  solution.common_calls = common_calls(table, solver, {});
  return solution;
}

FlowTerms terms_of(const FlowTable& table, const FlowSolver& solver, const FlowSolution& solution,
                   const FlowGraph& graph, const TellingPlaces& told) {
  FlowTerms terms;
  terms.own.assign(table.own[0].size(), 0);
  terms.calls.assign(graph.edges.size(), 0);
  terms.entry.assign(graph.nodes.size(), 0);
  terms.common_calls = solution.common_calls;
  if (std::any_of(told.begin(), told.end(), [](Told where) { return where != Told::kBelow; }))
    terms.common_calls = common_calls(table, solver, told);
  for (const FlowSource& source : table.sources)
    (source.kind == TermKind::kCalls ? terms.calls : terms.entry)[source.index] +=
        beyond_common(source.calls, solution, source.node);
  for (const RecordedCalls& calls : table.recorded)
    if (told[calls.caller] == Told::kBelow)
      terms.calls[table.edge_of[calls.edge]] +=
          (calls.side == 1 ? 1 : -1) * terms.common_calls[calls.caller] * calls.cost_per_call;
  for (uint32_t i = 0; i < terms.own.size(); ++i) {
    const long double change = solution.worth[1][i] - solution.worth[0][i];
    if (told[i] == Told::kBelow) terms.own[i] = terms.common_calls[i] * (table.own[1][i] - table.own[0][i]);
    if (told[i] == Told::kWithCalls) terms.calls[table.caller_edge[i]] += terms.common_calls[i] * change;
  }
  for (uint32_t caller = 0; caller < table.shape.nodes(); ++caller) {
    if (told[caller] != Told::kBelow) continue;
    for (uint32_t e = table.shape.first_edge[caller]; e < table.shape.first_edge[caller + 1]; ++e)
      terms.calls[table.edge_of[e]] +=
          terms.common_calls[caller] *
          beyond_common({table.rates[0][e], table.rates[1][e]}, solution, table.shape.callee[e]);
  }
  return terms;
}

}  // namespace icount
