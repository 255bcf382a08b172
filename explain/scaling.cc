#include "icount/explain/scaling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace icount {
namespace {

// By this factor a total must be steadier than its average to be taken as independent of the calls.
constexpr long double kFixed = 4;
// Where the calls changed by less than this factor nothing shows what scales with them.
constexpr long double kOtherCalls = 1.25L;

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
    if (std::max(base.calls[node], head.calls[node]) < kOtherCalls * std::min(base.calls[node], head.calls[node]))
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

}  // namespace icount
