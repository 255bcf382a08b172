#include "icount/explain/caller_split.h"

#include <algorithm>

namespace icount {
namespace {

/// Of all calls of one node, by side.
struct Incoming {
  std::array<long double, 2> calls{}, cost{};
  size_t callers = 0;
  bool is_told = true;  ///< every counted call has a cost and every cost is counted
};

std::vector<Incoming> incoming_of(const FlowGraph& graph) {
  std::vector<Incoming> incoming(graph.nodes.size());
  for (const FlowEdge& edge : graph.edges) {
    Incoming& of = incoming[edge.callee];
    of.callers += edge.calls[0] > 0 || edge.calls[1] > 0;
    for (size_t side = 0; side < 2; ++side) {
      of.calls[side] += static_cast<long double>(edge.calls[side]);
      of.cost[side] += static_cast<long double>(edge.inclusive[side]);
      if ((edge.calls[side] > 0) != (edge.inclusive[side] > 0)) of.is_told = false;
    }
  }
  return incoming;
}

}  // namespace

std::vector<bool> splittable(const FlowGraph& graph, const Components& components) {
  const std::vector<Incoming> incoming = incoming_of(graph);
  std::vector<bool> found(graph.nodes.size(), false);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node)
    found[node] = incoming[node].callers > 1 && incoming[node].is_told && graph.nodes[node].entries == BothSides{} &&
                  components.sizes[components.of[node]] == 1;
  for (const FlowEdge& edge : graph.edges)
    if (edge.caller == edge.callee) found[edge.caller] = false;
  return found;
}

CallerPrices caller_prices(const FlowGraph& graph, const std::vector<bool>& split) {
  const std::vector<Incoming> incoming = incoming_of(graph);
  CallerPrices prices;
  for (size_t side = 0; side < 2; ++side) {
    prices[side].assign(graph.edges.size(), 1);
    for (uint32_t e = 0; e < graph.edges.size(); ++e) {
      const FlowEdge& edge = graph.edges[e];
      if (!split[edge.callee]) continue;
      const size_t from = edge.calls[side] > 0 ? side : 1 - side;
      if (edge.calls[from] <= 0) continue;
      const Incoming& all = incoming[edge.callee];
      prices[side][e] = static_cast<long double>(edge.inclusive[from]) / static_cast<long double>(edge.calls[from]) /
                        (all.cost[from] / all.calls[from]);
    }
  }
  return prices;
}

FlowTable split_by_callers(const FlowGraph& graph, const FlowTable& whole, const std::vector<bool>& split) {
  const CallerPrices prices = caller_prices(graph, split);
  FlowTable table;
  // The nodes: one for each, or one for each edge that enters it.
  std::vector<std::vector<uint32_t>> nodes_of(graph.nodes.size());
  std::vector<uint32_t> target(graph.edges.size());
  const auto add = [&](uint32_t node, uint32_t edge) {
    nodes_of[node].push_back(static_cast<uint32_t>(table.node_of.size()));
    table.node_of.push_back(node);
    table.caller_edge.push_back(edge);
    for (size_t side = 0; side < 2; ++side) {
      table.prices[side].push_back(edge == FlowTable::kAllCallers ? 1 : prices[side][edge]);
      table.own[side].push_back(whole.own[side][node] * table.prices[side].back());
    }
    return nodes_of[node].back();
  };
  for (uint32_t node = 0; node < graph.nodes.size(); ++node)
    if (!split[node]) add(node, FlowTable::kAllCallers);
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const uint32_t callee = graph.edges[e].callee;
    target[e] = split[callee] ? add(callee, e) : nodes_of[callee].front();
  }
  table.shape.nodes.resize(table.node_of.size());
  table.shape.first_edge.push_back(0);
  for (const uint32_t node : table.node_of) {
    const auto caller = static_cast<uint32_t>(table.shape.first_edge.size() - 1);
    for (uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e) {
      table.shape.edges.push_back({.caller = caller, .callee = target[e]});
      table.edge_of.push_back(e);
      for (size_t side = 0; side < 2; ++side)
        table.rates[side].push_back(whole.rates[side][e] * table.prices[side][caller]);
    }
    table.shape.first_edge.push_back(static_cast<uint32_t>(table.shape.edges.size()));
  }
  table.sources = whole.sources;
  for (FlowSource& source : table.sources)
    source.node = source.kind == TermKind::kCalls ? target[source.index] : nodes_of[source.index].front();
  return table;
}

}  // namespace icount
