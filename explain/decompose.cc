#include "icount/explain/decompose.h"

#include <algorithm>
#include <cmath>

#include "icount/explain/flow_solver.h"

namespace icount {
namespace {

// By this factor a total must be steadier than its average to be taken as independent of the calls.
constexpr long double kFixed = 4;

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

/// A call that comes from outside the table: an entry, or a call that does not scale with its caller's.
struct FlowSource {
  uint32_t node = 0;
  std::array<long double, 2> calls{};
  TermKind kind = TermKind::kEntry;
  uint32_t index = 0;
};

/// The table that the identity is about: what scales, per call, and what comes from outside.
struct FlowTable {
  std::array<std::vector<long double>, 2> own, rates;
  std::vector<FlowSource> sources;
};

/// Figures with their fixed parts taken out: of self cost they are constants, which no call carries, and of calls they
/// are sources.
FlowTable scaling_table(const FlowGraph& graph, const Decomposition& figures) {
  FlowTable table;
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

/// x_c = r_c + M_c' x_c, with the lesser of both sides for every call.
void find_common_calls(const FlowSolver& solver, const FlowTable& table, Decomposition& result) {
  std::vector<long double> entries(table.own[0].size(), 0), rates(table.rates[0].size());
  for (const FlowSource& source : table.sources) entries[source.node] += std::min(source.calls[0], source.calls[1]);
  for (size_t e = 0; e < rates.size(); ++e) rates[e] = std::min(table.rates[0][e], table.rates[1][e]);
  result.common_calls = solver.calls(entries, rates);
}

/// What calls beyond the common ones come to: head's at head's worth less base's at base's.
long double beyond_common(const std::array<long double, 2>& calls, const Decomposition& result, uint32_t callee) {
  const long double common = std::min(calls[0], calls[1]);
  return (calls[1] - common) * result.sides[1].worth[callee] - (calls[0] - common) * result.sides[0].worth[callee];
}

void add_terms(const FlowGraph& graph, const FlowTable& table, Decomposition& result) {
  std::vector<long double> of_edge(graph.edges.size(), 0), of_entry(graph.nodes.size(), 0);
  for (const FlowSource& source : table.sources)
    (source.kind == TermKind::kCalls ? of_edge : of_entry)[source.index] +=
        beyond_common(source.calls, result, source.node);
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
    long double own = result.common_calls[i] * (table.own[1][i] - table.own[0][i]);
    if (result.fixed_self[i] && result.further_self[i] == 0) own += difference(graph.nodes[i].self);
    add_term(result.terms, TermKind::kOwnCost, i, own);
  }
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    add_term(result.terms, TermKind::kCalls, e,
             of_edge[e] + result.common_calls[graph.edges[e].caller] *
                              beyond_common({table.rates[0][e], table.rates[1][e]}, result, graph.edges[e].callee));
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) add_term(result.terms, TermKind::kEntry, i, of_entry[i]);
}

}  // namespace

Decomposition decompose(const FlowGraph& graph) {
  const Components components = flow_components(graph);
  const std::vector<BothSides> calls = calls_of(graph);
  Decomposition result;
  for (size_t side = 0; side < 2; ++side) result.sides[side] = per_call_figures(graph, calls, side);
  find_fixed(graph, result);
  const FlowTable table = scaling_table(graph, result);
  const FlowSolver solver(graph, components);
  for (size_t side = 0; side < 2; ++side) result.sides[side].worth = solver.worth(table.own[side], table.rates[side]);
  find_common_calls(solver, table, result);
  add_terms(graph, table, result);
  return result;
}

}  // namespace icount
