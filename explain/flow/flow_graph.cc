#include "icount/explain/flow/flow_graph.h"

#include <algorithm>
#include <limits>

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

std::optional<size_t> only_side(const FlowEdge& edge) {
  if ((edge.calls[0] != 0) == (edge.calls[1] != 0)) return std::nullopt;
  return edge.calls[1] != 0 ? 1 : 0;
}

void index_edges(FlowGraph& graph) {
  std::vector<uint32_t> starts(graph.nodes.size() + 1, 0);
  for (const FlowEdge& edge : graph.edges) ++starts[edge.caller + 1];
  for (size_t i = 0; i < graph.nodes.size(); ++i) starts[i + 1] += starts[i];
  std::vector<FlowEdge> placed(graph.edges.size());
  std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
  for (const FlowEdge& edge : graph.edges) placed[next[edge.caller]++] = edge;
  graph.edges.clear();
  graph.first_edge.assign(graph.nodes.size() + 1, 0);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
    const auto begin = placed.begin() + starts[node], end = placed.begin() + starts[node + 1];
    std::sort(begin, end, [](const FlowEdge& a, const FlowEdge& b) { return a.callee < b.callee; });
    graph.first_edge[node] = static_cast<uint32_t>(graph.edges.size());
    for (auto edge = begin; edge != end; ++edge) {
      if (edge == begin || edge->callee != graph.edges.back().callee) {
        graph.edges.push_back(*edge);
        continue;
      }
      FlowEdge& sum = graph.edges.back();
      for (size_t side = 0; side < 2; ++side) {
        sum.calls[side] = saturating_add(sum.calls[side], edge->calls[side]);
        sum.inclusive[side] = saturating_add(sum.inclusive[side], edge->inclusive[side]);
      }
    }
  }
  graph.first_edge.back() = static_cast<uint32_t>(graph.edges.size());
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

}  // namespace icount
