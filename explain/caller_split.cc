#include "icount/explain/caller_split.h"

#include <algorithm>
#include <cmath>

namespace icount {
namespace {

// A caller's calls that cost what all calls do to this part need no telling apart.
constexpr long double kSamePrice = 0.01L;
// Callers whose numbers of calls differ by no more than this part call as often as before.
constexpr long double kSameCalls = 0.01L;
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
/// `node_of` gives the function of each node of the table.
Components split_components(const Components& whole, const std::vector<uint32_t>& node_of) {
  Components split;
  split.of.resize(node_of.size());
  std::vector<uint32_t> first(whole.count() + 1, 0);
  for (const uint32_t node : node_of) {
    const uint32_t component = whole.of[node];
    first[component + 1] = whole.sizes[component] > 1 ? 1 : first[component + 1] + 1;
  }
  for (size_t component = 0; component < whole.count(); ++component) first[component + 1] += first[component];
  split.sizes.assign(first.back(), 0);
  for (size_t i = 0; i < node_of.size(); ++i) {
    const uint32_t component = whole.of[node_of[i]];
    split.of[i] = whole.sizes[component] > 1 ? first[component] : first[component]++;
    ++split.sizes[split.of[i]];
  }
  return split;
}

/// Calls of `edge` per call by its `origin`, where these are the calls by `caller`; of the other side where this one
/// has none.
long double rate_of_origin(const FlowGraph& graph, uint32_t edge, uint32_t origin, uint32_t caller, size_t side) {
  if (origin != caller) return 0;
  const size_t from = graph.edges[origin].calls[side] > 0 ? side : 1 - side;
  return static_cast<long double>(graph.edges[edge].calls[from]) /
         static_cast<long double>(graph.edges[origin].calls[from]);
}

/// The edges of each node are those of its function; what it calls is told by `target`, by edge of the graph.
void add_edges(const FlowGraph& graph, const FlowTable& whole, const std::vector<uint32_t>& target,
               const std::vector<uint32_t>& origins, FlowTable& table) {
  size_t edges = 0;
  for (const uint32_t node : table.node_of) edges += graph.edges_of(node).size();
  table.shape.first_edge.reserve(table.node_of.size() + 1);
  table.shape.callee.reserve(edges);
  table.edge_of.reserve(edges);
  for (auto& rates : table.rates) rates.reserve(edges);
  table.shape.first_edge.push_back(0);
  for (uint32_t i = 0; i < table.node_of.size(); ++i) {
    const uint32_t node = table.node_of[i];
    for (uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e) {
      table.shape.callee.push_back(target[e]);
      table.edge_of.push_back(e);
      const bool is_told = table.is_split[i] && origins[e] != kAnyCaller;
      for (size_t side = 0; side < 2; ++side)
        table.rates[side].push_back(is_told ? rate_of_origin(graph, e, origins[e], table.caller_edge[i], side)
                                            : whole.rates[side][e] * table.prices[side][i]);
    }
    table.shape.first_edge.push_back(static_cast<uint32_t>(table.shape.callee.size()));
  }
}

/// What a call of each edge costs, as a part of what a call of the callee costs on average; the other side's where the
/// edge has no calls.
std::array<std::vector<long double>, 2> proportional_parts(const FlowGraph& graph, const std::vector<bool>& of) {
  const std::vector<Incoming> incoming = incoming_of(graph);
  std::array<std::vector<long double>, 2> prices;
  for (size_t side = 0; side < 2; ++side) {
    prices[side].assign(graph.edges.size(), 1);
    for (uint32_t e = 0; e < graph.edges.size(); ++e) {
      const FlowEdge& edge = graph.edges[e];
      if (!of[edge.callee]) continue;
      const size_t from = edge.calls[side] > 0 ? side : 1 - side;
      if (edge.calls[from] <= 0) continue;
      const Incoming& all = incoming[edge.callee];
      prices[side][e] = static_cast<long double>(edge.inclusive[from]) / static_cast<long double>(edge.calls[from]) /
                        (all.cost[from] / all.calls[from]);
    }
  }
  return prices;
}

/// Where every caller calls a function as often as before, what it does for whom has not changed: the shares of both
/// sides are the mean of both, or else calls that are made as before would have terms. Of a function that calls nothing
/// the price is its own cost.
void share_alike(const FlowGraph& graph, const std::vector<bool>& of, const std::vector<bool>& except,
                 std::array<std::vector<long double>, 2>& parts) {
  std::vector<bool> alike(graph.nodes.size(), false);
  for (uint32_t node = 0; node < alike.size(); ++node)
    alike[node] = of[node] && !except[node] && !graph.edges_of(node).empty();
  for (const FlowEdge& edge : graph.edges)
    if (std::abs(static_cast<long double>(edge.calls[1]) - static_cast<long double>(edge.calls[0])) >
        kSameCalls * static_cast<long double>(std::max(edge.calls[0], edge.calls[1])))
      alike[edge.callee] = false;
  std::array<std::vector<long double>, 2> calls, shared;
  for (size_t side = 0; side < 2; ++side) {
    calls[side].assign(graph.nodes.size(), 0);
    shared[side].assign(graph.nodes.size(), 0);
  }
  const auto mean = [&](uint32_t e) { return (parts[0][e] + parts[1][e]) / 2; };
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    for (size_t side = 0; side < 2; ++side) {
      const FlowEdge& edge = graph.edges[e];
      calls[side][edge.callee] += static_cast<long double>(edge.calls[side]);
      shared[side][edge.callee] += static_cast<long double>(edge.calls[side]) * mean(e);
    }
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const uint32_t callee = graph.edges[e].callee;
    if (!alike[callee] || shared[0][callee] <= 0 || shared[1][callee] <= 0) continue;
    const long double both = mean(e);
    for (size_t side = 0; side < 2; ++side) parts[side][e] = both * calls[side][callee] / shared[side][callee];
  }
}

/// Those of `nodes` whose callers pay different prices on either side.
std::vector<bool> with_other_prices(const FlowGraph& graph, const std::vector<bool>& nodes) {
  const auto prices = proportional_parts(graph, nodes);
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
    found[node] = incoming[node].callers * graph.edges_of(node).size() <= kMostEdges && incoming[node].is_told &&
                  graph.nodes[node].entries == BothSides{} && components.sizes[components.of[node]] == 1;
  for (const FlowEdge& edge : graph.edges)
    if (edge.caller == edge.callee) found[edge.caller] = false;
  return with_other_prices(graph, found);
}

std::vector<bool> has_consistent_costs(const FlowGraph& graph) {
  std::vector<bool> found;
  for (const Incoming& of : incoming_of(graph)) found.push_back(of.is_told);
  return found;
}

CallerPrices caller_prices(const FlowGraph& graph, const std::vector<bool>& of) {
  CallerPrices prices{proportional_parts(graph, of), find_call_origins(graph, of)};
  std::vector<bool> is_told(graph.nodes.size(), false);
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (prices.origins[e] != kAnyCaller) is_told[graph.edges[e].caller] = true;
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (is_told[graph.edges[e].callee]) prices.parts[0][e] = prices.parts[1][e] = 1;
  share_alike(graph, of, is_told, prices.parts);
  return prices;
}

FlowTable split_by_callers(const FlowGraph& graph, const FlowTable& whole, const std::vector<bool>& split,
                           const CallerPrices& prices) {
  FlowTable table;
  // The nodes: one for each, or one for each edge that enters it.
  std::vector<uint32_t> first_of(graph.nodes.size(), 0);
  std::vector<uint32_t> target(graph.edges.size());
  const std::vector<uint32_t> only_edge = only_edges(graph);
  const auto add = [&](uint32_t node, uint32_t edge) {
    table.node_of.push_back(node);
    table.is_split.push_back(edge != FlowTable::kAllCallers);
    table.caller_edge.push_back(edge == FlowTable::kAllCallers ? only_edge[node] : edge);
    for (size_t side = 0; side < 2; ++side) {
      table.prices[side].push_back(edge == FlowTable::kAllCallers ? 1 : prices.parts[side][edge]);
      table.own[side].push_back(whole.own[side][node] * table.prices[side].back());
    }
    return static_cast<uint32_t>(table.node_of.size() - 1);
  };
  for (uint32_t node = 0; node < graph.nodes.size(); ++node)
    if (!split[node]) first_of[node] = add(node, FlowTable::kAllCallers);
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const uint32_t callee = graph.edges[e].callee;
    target[e] = split[callee] ? add(callee, e) : first_of[callee];
  }
  add_edges(graph, whole, target, prices.origins, table);
  table.components = split_components(whole.components, table.node_of);
  table.sources = whole.sources;
  for (FlowSource& source : table.sources)
    source.node = source.kind == TermKind::kCalls ? target[source.index] : first_of[source.index];
  return table;
}

}  // namespace icount
