#include "icount/explain/caller_split.h"

#include <algorithm>
#include <cmath>

namespace icount {
namespace {

// A caller's calls that cost what all calls do to this part need no telling apart.
constexpr long double kSamePrice = 0.01L;
// A split function has so many edges at most: a hub of a large profile would have a million.
constexpr size_t kMostEdges = 20000;
// By so much the costs of a function's calls may differ from its own cost and its calls'; else the profile contradicts
// itself and prices tell nothing.
constexpr long double kContradiction = 0.02L;

/// Of all calls of one node, by side.
struct Incoming {
  std::array<long double, 2> calls{}, cost{};
  std::array<long double, 2> below{};  ///< the node's own cost and what its calls cost
  size_t callers = 0;
  bool is_told = true;  ///< every counted call has a cost and every cost is counted
};

std::vector<Incoming> incoming_of(const FlowGraph& graph) {
  std::vector<Incoming> incoming(graph.nodes.size());
  for (size_t i = 0; i < incoming.size(); ++i)
    for (size_t side = 0; side < 2; ++side)
      incoming[i].below[side] = static_cast<long double>(graph.nodes[i].self[side]);
  for (const FlowEdge& edge : graph.edges) {
    Incoming& of = incoming[edge.callee];
    of.callers += edge.calls[0] > 0 || edge.calls[1] > 0;
    for (size_t side = 0; side < 2; ++side) {
      of.calls[side] += static_cast<long double>(edge.calls[side]);
      of.cost[side] += static_cast<long double>(edge.inclusive[side]);
      incoming[edge.caller].below[side] += static_cast<long double>(edge.inclusive[side]);
      if ((edge.calls[side] > 0) != (edge.inclusive[side] > 0)) of.is_told = false;
    }
  }
  for (Incoming& of : incoming)
    for (size_t side = 0; side < 2; ++side)
      if (std::abs(of.cost[side] - of.below[side]) > kContradiction * std::max(of.cost[side], of.below[side]))
        of.is_told = false;
  return incoming;
}

/// By node: the edge by which all its calls come; kAllCallers where there are several, or calls from outside.
std::vector<uint32_t> only_edges(const FlowGraph& graph) {
  std::vector<uint32_t> only(graph.nodes.size(), FlowTable::kAllCallers);
  std::vector<bool> seen(graph.nodes.size(), false);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) seen[node] = graph.nodes[node].entries != BothSides{};
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const uint32_t callee = graph.edges[e].callee;
    if (graph.edges[e].calls == BothSides{}) continue;
    only[callee] = seen[callee] ? FlowTable::kAllCallers : e;
    seen[callee] = true;
  }
  return only;
}

/// Components of the table, callee first as the graph's are; the nodes of a split function do not reach each other.
Components split_components(const Components& whole, const std::vector<std::vector<uint32_t>>& nodes_of) {
  Components split;
  size_t count = 0;
  for (const auto& nodes : nodes_of) count += nodes.size();
  split.of.resize(count);
  const Components::Members all = whole.members();
  for (uint32_t component = 0; component < whole.count(); ++component) {
    const auto members = all.of(component);
    if (members.size() > 1) split.sizes.push_back(0);
    for (const uint32_t member : members)
      for (const uint32_t node : nodes_of[member]) {
        if (members.size() == 1) split.sizes.push_back(0);
        split.of[node] = static_cast<uint32_t>(split.sizes.size() - 1);
        ++split.sizes.back();
      }
  }
  return split;
}

/// Those of `nodes` whose callers pay different prices on either side.
std::vector<bool> with_other_prices(const FlowGraph& graph, const std::vector<bool>& nodes) {
  const CallerPrices prices = caller_prices(graph, nodes);
  std::vector<bool> found(graph.nodes.size(), false);
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    for (size_t side = 0; side < 2; ++side)
      if (graph.edges[e].calls[side] > 0 && std::abs(prices[side][e] - 1) > kSamePrice)
        found[graph.edges[e].callee] = true;
  return found;
}

}  // namespace

std::vector<bool> splittable(const FlowGraph& graph, const Components& components) {
  const std::vector<Incoming> incoming = incoming_of(graph);
  std::vector<bool> found(graph.nodes.size(), false);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node)
    found[node] = incoming[node].callers > 1 && incoming[node].callers * graph.edges_of(node).size() <= kMostEdges &&
                  incoming[node].is_told && graph.nodes[node].entries == BothSides{} &&
                  components.sizes[components.of[node]] == 1;
  for (const FlowEdge& edge : graph.edges)
    if (edge.caller == edge.callee) found[edge.caller] = false;
  return with_other_prices(graph, found);
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
  const std::vector<uint32_t> only_edge = only_edges(graph);
  const auto add = [&](uint32_t node, uint32_t edge) {
    nodes_of[node].push_back(static_cast<uint32_t>(table.node_of.size()));
    table.node_of.push_back(node);
    table.is_split.push_back(edge != FlowTable::kAllCallers);
    table.caller_edge.push_back(edge == FlowTable::kAllCallers ? only_edge[node] : edge);
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
  table.components = split_components(whole.components, nodes_of);
  table.sources = whole.sources;
  for (FlowSource& source : table.sources)
    source.node = source.kind == TermKind::kCalls ? target[source.index] : nodes_of[source.index].front();
  return table;
}

}  // namespace icount
