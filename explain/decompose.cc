#include "icount/explain/decompose.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "icount/explain/caller_split.h"
#include "icount/explain/scaling.h"
#include "icount/explain/solved_table.h"

namespace icount {
namespace {

// So many functions are tried split by caller beside those that call nothing; each trial is a solve.
constexpr size_t kTried = 16, kTriedOfMany = 4, kManyEdges = 10000;
// What a split could tell is at least this part of all that is told.
constexpr long double kMatters = 0.005L;
// A split may add this little to the sum of magnitudes: it tells a call's cost more truly.
constexpr long double kNoWorse = 1.005L;

void add_term(std::vector<Term>& terms, TermKind kind, size_t index, long double value) {
  if (value != 0) terms.push_back({kind, static_cast<uint32_t>(index), value});
}

/// `split` are functions whose callers' `prices` are known.
FlowTable split_table(const FlowGraph& graph, const Components& components, const std::vector<bool>& split,
                      const CallerPrices& prices, const Decomposition& figures) {
  return split_by_callers(graph, scaling_table(graph, components, figures, split), split, prices);
}

bool is_leaf(const FlowGraph& graph, uint32_t node) { return graph.edges_of(node).empty(); }

/// Functions whose calls' recorded costs changed otherwise than the average says, by how much, the most first.
std::vector<uint32_t> misjudged(const FlowGraph& graph, const std::vector<bool>& can_split,
                                const Decomposition& figures, long double least) {
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
    if (missed[i] >= least) nodes.push_back(i);
  std::stable_sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return missed[a] > missed[b]; });
  return nodes;
}

Solved split_where_it_helps(const FlowGraph& graph, const Components& components, const Decomposition& figures,
                            ClusterFactors& factors) {
  const std::vector<bool> can_split = splittable(graph, components);
  std::vector<bool> split(graph.nodes.size(), false);
  for (uint32_t i = 0; i < split.size(); ++i) split[i] = can_split[i] && is_leaf(graph, i);
  const CallerPrices prices = caller_prices(graph, can_split);
  const auto solve = [&] {
    return solve_table(graph, split_table(graph, components, split, prices, figures), split, figures, factors);
  };
  Solved best = solve();
  std::vector<uint32_t> candidates = misjudged(graph, can_split, figures, std::max(1.0L, kMatters * best.gross));
  candidates.resize(std::min(candidates.size(), graph.edges.size() > kManyEdges ? kTriedOfMany : kTried));
  for (const uint32_t node : candidates) {
    split[node] = true;
    Solved tried = solve();
    if (tried.gross <= best.gross * kNoWorse) {
      best = std::move(tried);
    } else {
      split[node] = false;
    }
  }
  price_as_recorded(graph, figures, factors, best);
  return best;
}

/// Where some calls of a node of the table are priced as recorded: what the others cost.
void add_other_calls(const FlowTable& table, uint32_t i, Decomposition& result) {
  const uint32_t node = table.node_of[i];
  if (result.fixed_self[node]) return;
  OtherCalls& others = result.other_calls[node];
  for (size_t side = 0; side < 2; ++side) {
    const bool apart = !table.other_calls[side].empty() && table.other_calls[side][i] != FlowTable::kAllCalls;
    others.are_told = others.are_told || apart;
    others.calls[side] = apart ? table.other_calls[side][i] : result.sides[side].calls[node];
    others.own_cost[side] = table.own[side][i];
  }
}

void add_terms(const FlowGraph& graph, const Solved& solved, Decomposition& result) {
  result.terms.clear();
  const std::vector<long double> own = own_terms(graph, solved.table, solved.terms, solved.split, result);
  for (uint32_t i = 0; i < own.size(); ++i) add_term(result.terms, TermKind::kOwnCost, i, own[i]);
  for (uint32_t e = 0; e < graph.edges.size(); ++e) add_term(result.terms, TermKind::kCalls, e, solved.terms.calls[e]);
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) add_term(result.terms, TermKind::kEntry, i, solved.terms.entry[i]);
  result.common_calls.assign(graph.nodes.size(), 0);
  result.caller_shares.clear();
  result.other_calls.assign(graph.nodes.size(), {});
  result.joined_prices.assign(graph.edges.size(), {0, 0});
  for (auto& calls : result.own_cost_calls) calls.assign(graph.nodes.size(), 0);
  for (uint32_t i = 0; i < solved.table.node_of.size(); ++i) {
    const uint32_t node = solved.table.node_of[i];
    result.common_calls[node] += solved.terms.common_calls[i];
    for (size_t side = 0; side < 2; ++side) {
      const long double average = result.sides[side].own_cost[node];
      const long double part =
          average > 0 && !result.fixed_self[node] ? solved.table.own[side][i] / average : solved.table.prices[side][i];
      if (solved.told[i] == Told::kBelow) result.own_cost_calls[side][node] += solved.terms.common_calls[i] * part;
    }
    if (solved.told[i] == Told::kWithCalls)
      for (size_t side = 0; side < 2; ++side)
        result.joined_prices[solved.table.caller_edge[i]][side] = solved.solution.worth[side][i];
    if (!solved.table.is_split[i]) add_other_calls(solved.table, i, result);
    if (!solved.table.is_split[i] || solved.terms.own[i] == 0) continue;
    result.caller_shares.push_back({solved.table.caller_edge[i],
                                    solved.terms.common_calls[i],
                                    {solved.table.own[0][i], solved.table.own[1][i]},
                                    solved.terms.own[i]});
  }
}

}  // namespace

Decomposition decompose_on_average(const FlowGraph& graph, ClusterFactors& factors) {
  const Components components = flow_components(graph);
  const std::vector<BothSides> calls = calls_of(graph);
  Decomposition result;
  for (size_t side = 0; side < 2; ++side) result.sides[side] = per_call_figures(graph, calls, side);
  find_fixed(graph, result);
  const std::vector<bool> none(graph.nodes.size(), false);
  Solved solved;
  solved.split = none;
  solved.table = split_table(graph, components, none, {}, result);
  solved.told.assign(graph.nodes.size(), Told::kBelow);
  const FlowSolver solver(solved.table.shape, solved.table.components, factors);
  solved.solution = solve(solved.table, solver);
  solved.terms = terms_of(solved.table, solver, solved.solution, graph, solved.told);
  add_terms(graph, solved, result);
  for (size_t side = 0; side < 2; ++side) result.sides[side].worth = std::move(solved.solution.worth[side]);
  return result;
}

Decomposition decompose_by_callers(const FlowGraph& graph, Decomposition average, ClusterFactors& factors) {
  Decomposition result = std::move(average);
  const Solved solved = split_where_it_helps(graph, flow_components(graph), result, factors);
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    if (solved.split[i]) result.fixed_self[i] = false;
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (solved.split[graph.edges[e].caller]) result.fixed_calls[e] = false;
  add_terms(graph, solved, result);
  return result;
}

}  // namespace icount
