#include "icount/explain/decompose.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "icount/explain/caller_split.h"
#include "icount/explain/flow_table.h"

namespace icount {
namespace {

// By this factor a total must be steadier than its average to be taken as independent of the calls.
constexpr long double kFixed = 4;

// So many functions are tried split by caller beside those that call nothing; each trial is a solve.
constexpr size_t kTried = 24;
// A split may add this little to the sum of magnitudes: it tells a call's cost more truly.
constexpr long double kNoWorse = 1.005L;

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

/// Figures with their fixed parts taken out: of self cost they are constants, which no call carries, and of calls they
/// are sources.
FlowTable scaling_table(const FlowGraph& graph, const Decomposition& figures) {
  FlowTable table;
  table.shape.nodes.resize(graph.nodes.size());
  table.shape.edges = graph.edges;
  table.shape.first_edge = graph.first_edge;
  table.node_of.resize(graph.nodes.size());
  std::iota(table.node_of.begin(), table.node_of.end(), 0);
  table.edge_of.resize(graph.edges.size());
  std::iota(table.edge_of.begin(), table.edge_of.end(), 0);
  table.caller_edge.assign(graph.nodes.size(), FlowTable::kAllCallers);
  for (size_t side = 0; side < 2; ++side) {
    table.own[side] = figures.sides[side].own_cost;
    table.rates[side] = figures.sides[side].calls_per_call;
    for (size_t i = 0; i < graph.nodes.size(); ++i)
      if (figures.fixed_self[i]) table.own[side][i] = figures.further_self[i];
    for (size_t e = 0; e < graph.edges.size(); ++e)
      if (figures.fixed_calls[e]) table.rates[side][e] = figures.further_calls[e];
  }
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const BothSides& entries = graph.nodes[i].entries;
    if (entries != BothSides{})
      table.sources.push_back(
          {i, {static_cast<long double>(entries[0]), static_cast<long double>(entries[1])}, TermKind::kEntry, i});
  }
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    if (!figures.fixed_calls[e]) continue;
    const FlowEdge& edge = graph.edges[e];
    std::array<long double, 2> fixed{};
    for (size_t side = 0; side < 2; ++side)
      fixed[side] = static_cast<long double>(edge.calls[side]) -
                    figures.further_calls[e] * figures.sides[side].calls[edge.caller];
    // With a part for each further call both sides have the same constant, but for the last bit.
    if (figures.further_calls[e] != 0) fixed[0] = fixed[1] = (fixed[0] + fixed[1]) / 2;
    table.sources.push_back({edge.callee, fixed, TermKind::kCalls, e});
  }
  return table;
}

void add_term(std::vector<Term>& terms, TermKind kind, size_t index, long double value) {
  if (value != 0) terms.push_back({kind, static_cast<uint32_t>(index), value});
}

/// Own cost by node of the graph; what does not scale at all is its own term.
std::vector<long double> own_terms(const FlowGraph& graph, const FlowTable& table, const FlowTerms& terms,
                                   const Decomposition& figures) {
  std::vector<long double> own(graph.nodes.size(), 0);
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    if (figures.fixed_self[i] && figures.further_self[i] == 0) own[i] = difference(graph.nodes[i].self);
  for (uint32_t i = 0; i < terms.own.size(); ++i) own[table.node_of[i]] += terms.own[i];
  return own;
}

/// Sum of magnitudes of all terms.
long double gross_of(const FlowGraph& graph, const FlowTable& table, const FlowTerms& terms,
                     const Decomposition& figures) {
  long double gross = 0;
  for (const long double value : own_terms(graph, table, terms, figures)) gross += std::abs(value);
  for (const long double value : terms.calls) gross += std::abs(value);
  for (const long double value : terms.entry) gross += std::abs(value);
  return gross;
}

/// A table with its solution and its terms.
struct Solved {
  FlowTable table;
  FlowSolution solution;
  FlowTerms terms;
  long double gross = 0;
};

Solved solve_split(const FlowGraph& graph, const FlowTable& whole, const std::vector<bool>& split,
                   const Decomposition& figures) {
  Solved solved;
  solved.table = split_by_callers(graph, whole, split);
  solved.solution = solve(solved.table);
  solved.terms = terms_of(solved.table, solved.solution, graph);
  solved.gross = gross_of(graph, solved.table, solved.terms, figures);
  return solved;
}

bool is_leaf(const FlowGraph& graph, uint32_t node) { return graph.edges_of(node).empty(); }

/// Functions whose calls' recorded costs changed otherwise than the average says, by how much, the most first.
std::vector<uint32_t> misjudged(const FlowGraph& graph, const std::vector<bool>& can_split,
                                const Decomposition& figures) {
  std::vector<long double> missed(graph.nodes.size(), 0);
  for (const FlowEdge& edge : graph.edges) {
    if (!can_split[edge.callee] || is_leaf(graph, edge.callee)) continue;
    const auto change = [&](auto of) { return of(size_t{1}) - of(size_t{0}); };
    const long double recorded = difference(edge.inclusive),
                      average = change([&](size_t side) {
                        return static_cast<long double>(edge.calls[side]) * figures.sides[side].worth[edge.callee];
                      });
    missed[edge.callee] += std::abs(recorded - average);
  }
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i < missed.size(); ++i)
    if (missed[i] >= 1) nodes.push_back(i);
  std::stable_sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return missed[a] > missed[b]; });
  return nodes;
}

Solved split_where_it_helps(const FlowGraph& graph, const Components& components, const FlowTable& whole,
                            const Decomposition& figures) {
  const std::vector<bool> can_split = splittable(graph, components);
  std::vector<bool> split(graph.nodes.size(), false);
  for (uint32_t i = 0; i < split.size(); ++i) split[i] = can_split[i] && is_leaf(graph, i);
  Solved best = solve_split(graph, whole, split, figures);
  std::vector<uint32_t> candidates = misjudged(graph, can_split, figures);
  candidates.resize(std::min(candidates.size(), kTried));
  for (const uint32_t node : candidates) {
    split[node] = true;
    Solved tried = solve_split(graph, whole, split, figures);
    if (tried.gross <= best.gross * kNoWorse) {
      best = std::move(tried);
    } else {
      split[node] = false;
    }
  }
  return best;
}

void add_terms(const FlowGraph& graph, const Solved& solved, Decomposition& result) {
  const std::vector<long double> own = own_terms(graph, solved.table, solved.terms, result);
  for (uint32_t i = 0; i < own.size(); ++i) add_term(result.terms, TermKind::kOwnCost, i, own[i]);
  for (uint32_t e = 0; e < graph.edges.size(); ++e) add_term(result.terms, TermKind::kCalls, e, solved.terms.calls[e]);
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) add_term(result.terms, TermKind::kEntry, i, solved.terms.entry[i]);
  result.common_calls.assign(graph.nodes.size(), 0);
  for (auto& calls : result.own_cost_calls) calls.assign(graph.nodes.size(), 0);
  for (uint32_t i = 0; i < solved.table.node_of.size(); ++i) {
    const uint32_t node = solved.table.node_of[i];
    result.common_calls[node] += solved.solution.common_calls[i];
    for (size_t side = 0; side < 2; ++side)
      result.own_cost_calls[side][node] += solved.solution.common_calls[i] * solved.table.prices[side][i];
    if (solved.table.caller_edge[i] == FlowTable::kAllCallers || solved.terms.own[i] == 0) continue;
    result.caller_shares.push_back({solved.table.caller_edge[i],
                                    solved.solution.common_calls[i],
                                    {solved.table.own[0][i], solved.table.own[1][i]},
                                    solved.terms.own[i]});
  }
}

}  // namespace

Decomposition decompose(const FlowGraph& graph) {
  const Components components = flow_components(graph);
  const std::vector<BothSides> calls = calls_of(graph);
  Decomposition result;
  for (size_t side = 0; side < 2; ++side) result.sides[side] = per_call_figures(graph, calls, side);
  find_fixed(graph, result);
  const FlowTable table = scaling_table(graph, result);
  FlowSolution average = solve(table);
  for (size_t side = 0; side < 2; ++side) result.sides[side].worth = std::move(average.worth[side]);
  add_terms(graph, split_where_it_helps(graph, components, table, result), result);
  return result;
}

}  // namespace icount
