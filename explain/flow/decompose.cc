#include "icount/explain/flow/decompose.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "icount/explain/flow/edge_prices.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

// So many functions are tried split by caller beside those that call nothing; each trial is a solve.
constexpr size_t kTried = 16, kTriedOfMany = 4, kManyEdges = 10000;

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
  std::vector<uint32_t> candidates = misjudged(graph, can_split, figures, std::max(1.0L, kHardly / 2 * best.gross));
  candidates.resize(std::min(candidates.size(), graph.edges.size() > kManyEdges ? kTriedOfMany : kTried));
  for (const uint32_t node : candidates) {
    split[node] = true;
    Solved tried = solve();
    if (tried.gross <= best.gross * (1 + kHardly / 2)) {
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

namespace {

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

}  // namespace

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

void find_fixed(const FlowGraph& graph, Decomposition& result) {
  const auto& [base, head] = result.sides;
  result.fixed_self.assign(graph.nodes.size(), false);
  result.fixed_calls.assign(graph.edges.size(), false);
  result.further_self.assign(graph.nodes.size(), 0);
  result.further_calls.assign(graph.edges.size(), 0);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
    if (base.calls[node] == 0 || head.calls[node] == 0) continue;
    if (std::max(base.calls[node], head.calls[node]) < (1 + kMatters) * std::min(base.calls[node], head.calls[node]))
      continue;
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

FlowTable scaling_table(const FlowGraph& graph, const Components& components, const Decomposition& figures,
                        const std::vector<bool>& split) {
  const auto fixed_self = [&](uint32_t node) { return figures.fixed_self[node] && !split[node]; };
  const auto fixed_calls = [&](uint32_t e) { return figures.fixed_calls[e] && !split[graph.edges[e].caller]; };
  FlowTable table;
  table.components = components;
  table.shape.first_edge = graph.first_edge;
  table.shape.callee.reserve(graph.edges.size());
  for (const FlowEdge& edge : graph.edges) table.shape.callee.push_back(edge.callee);
  table.node_of.resize(graph.nodes.size());
  std::iota(table.node_of.begin(), table.node_of.end(), 0);
  table.edge_of.resize(graph.edges.size());
  std::iota(table.edge_of.begin(), table.edge_of.end(), 0);
  table.caller_edge.assign(graph.nodes.size(), FlowTable::kAllCallers);
  for (size_t side = 0; side < 2; ++side) {
    table.own[side] = figures.sides[side].own_cost;
    table.rates[side] = figures.sides[side].calls_per_call;
    for (uint32_t i = 0; i < graph.nodes.size(); ++i)
      if (fixed_self(i)) table.own[side][i] = figures.further_self[i];
    for (uint32_t e = 0; e < graph.edges.size(); ++e)
      if (fixed_calls(e)) table.rates[side][e] = figures.further_calls[e];
  }
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const BothSides& entries = graph.nodes[i].entries;
    if (entries != BothSides{})
      table.sources.push_back(
          {i, {static_cast<long double>(entries[0]), static_cast<long double>(entries[1])}, TermKind::kEntry, i});
  }
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    if (!fixed_calls(e)) continue;
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

namespace {

/// Sum of magnitudes of all terms. Calls that are made as often as before and have a term all the same, because their
/// caller's price changed, count more: the proportional split made them up.
long double gross_of(const FlowGraph& graph, const FlowTable& table, const FlowTerms& terms,
                     const std::vector<bool>& split, const Decomposition& figures) {
  long double gross = 0;
  for (const long double value : own_terms(graph, table, terms, split, figures)) gross += std::abs(value);
  for (uint32_t e = 0; e < terms.calls.size(); ++e) {
    const long double base = figures.sides[0].calls_per_call[e], head = figures.sides[1].calls_per_call[e];
    const bool as_before = std::abs(head - base) <= kHardly * std::max(base, head);
    gross += std::abs(terms.calls[e]) * (as_before ? kFiction : 1);
  }
  for (const long double value : terms.entry) gross += std::abs(value);
  return gross;
}

/// Changes of what a call costs that are no news below it.
///
/// A function is split in proportion; where one caller's calls changed what they cost and another's did not, the split
/// makes terms for the other that cancel: as a whole they come to next to nothing. And where an edge has more calls
/// that are cheaper each, or fewer that are dearer, others than before are made: it is one change, of the edge.
TellingPlaces places_to_tell(const FlowGraph& graph, const FlowTable& table, const FlowSolution& solution,
                             const FlowTerms& terms) {
  TellingPlaces told(table.node_of.size(), Told::kBelow);
  const auto change = [&](uint32_t i) { return solution.worth[1][i] - solution.worth[0][i]; };
  const auto costs_the_same = [&](uint32_t i, long double part) {
    const FlowEdge& edge = graph.edges[table.caller_edge[i]];
    if (edge.calls[0] <= 0 || edge.calls[1] <= 0) return false;
    const auto price = [&](size_t side) {
      return static_cast<long double>(edge.inclusive[side]) / static_cast<long double>(edge.calls[side]);
    };
    return std::abs(price(1) - price(0)) <= part * std::max(price(0), price(1));
  };
  std::vector<bool> differs(graph.nodes.size(), false);
  for (uint32_t i = 0; i < told.size(); ++i)
    if (table.is_split[i] && !costs_the_same(i, kHardly)) differs[table.node_of[i]] = true;
  for (uint32_t i = 0; i < told.size(); ++i) {
    const uint32_t by = table.caller_edge[i];
    if (by == FlowTable::kAllCallers) continue;
    // A caller with the same share on both sides has no terms that the split made up.
    const auto [less, more] = std::minmax(table.prices[0][i], table.prices[1][i]);
    const bool is_shared_alike = more - less <= kSame * more;
    if (table.is_split[i] && !is_shared_alike && differs[table.node_of[i]] && costs_the_same(i, kHardly / 10))
      told[i] = Told::kWithCalls;
    const long double calls = terms.calls[by], price = solution.common_calls[i] * change(i);
    const BothSides& counts = graph.edges[by].calls;
    if (counts[0] > 0 && counts[1] > 0 && calls * price < 0 && std::abs(price) >= kLittle * std::abs(calls) &&
        std::abs(price) <= (1 - kMatters) * std::abs(calls))
      told[i] = Told::kWithCalls;
  }
  return told;
}

/// Terms and their gross, of a table with its solution.
void find_terms(const FlowGraph& graph, const FlowSolver& solver, const Decomposition& figures, Solved& solved) {
  const TellingPlaces below(solved.table.node_of.size(), Told::kBelow);
  solved.terms = terms_of(solved.table, solver, solved.solution, graph, below);
  solved.told = places_to_tell(graph, solved.table, solved.solution, solved.terms);
  if (solved.told != below) solved.terms = terms_of(solved.table, solver, solved.solution, graph, solved.told);
  solved.gross = gross_of(graph, solved.table, solved.terms, solved.split, figures);
}

}  // namespace

std::vector<long double> own_terms(const FlowGraph& graph, const FlowTable& table, const FlowTerms& terms,
                                   const std::vector<bool>& split, const Decomposition& figures) {
  std::vector<long double> own(graph.nodes.size(), 0);
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    if (figures.fixed_self[i] && figures.further_self[i] == 0 && !split[i]) own[i] = difference(graph.nodes[i].self);
  for (uint32_t i = 0; i < terms.own.size(); ++i) own[table.node_of[i]] += terms.own[i];
  return own;
}

Solved solve_table(const FlowGraph& graph, FlowTable table, const std::vector<bool>& split,
                   const Decomposition& figures, ClusterFactors& factors) {
  Solved solved;
  solved.split = split;
  solved.table = std::move(table);
  const FlowSolver solver(solved.table.shape, solved.table.components, factors);
  solved.solution = solve(solved.table, solver);
  find_terms(graph, solver, figures, solved);
  return solved;
}

void price_as_recorded(const FlowGraph& graph, const Decomposition& figures, ClusterFactors& factors, Solved& solved) {
  const FlowSolver solver(solved.table.shape, solved.table.components, factors);
  if (!price_recorded_calls(graph, solver, solved.solution, kHardly / 10 * solved.gross, solved.table)) return;
  solved.solution = solve(solved.table, solver);
  find_terms(graph, solver, figures, solved);
}

}  // namespace icount
