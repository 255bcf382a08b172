// Two matched profiles as one graph: what a function costs itself, how often it is entered and called, on the base side
// [0] and on the head side [1]. The arithmetic of the explaining diff works on this alone; names stay outside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "icount/callgraph/components.h"

namespace icount {

/// A pair of figures, base [0] and head [1].
using BothSides = std::array<int64_t, 2>;

struct FlowNode {
  BothSides self{};
  BothSides entries{};  ///< calls from outside the profile
};

struct FlowEdge {
  uint32_t caller = 0;
  uint32_t callee = 0;
  BothSides calls{};
  BothSides inclusive{};  ///< what these calls cost with all below them, as recorded
};

/// The side that alone makes these calls; nothing where both do, or none.
std::optional<size_t> only_side(const FlowEdge& edge);

/// Edges are sorted by (caller, callee) and occur once. Nothing here may depend on which side is called base, so that
/// swapping the sides changes signs and nothing else.
struct FlowGraph {
  std::vector<FlowNode> nodes;
  std::vector<FlowEdge> edges;
  std::vector<uint32_t> first_edge;  ///< edges of node i: [first_edge[i], first_edge[i + 1])

  std::span<const FlowEdge> edges_of(uint32_t node) const {
    return {edges.data() + first_edge[node], edges.data() + first_edge[node + 1]};
  }
};

/// Sorts the edges, adds up equal ones and fills first_edge.
void index_edges(FlowGraph& graph);

/// Recursive clusters over the edges that either side has.
Components flow_components(const FlowGraph& graph);

/// Fills FlowNode::entries: 1 for the root of every part that has cost or calls others and that no call from another
/// part reaches, on each side. The root of a part of several functions is the one that costs most on both sides
/// together, the first among equals, so that both sides begin at the same.
void find_entries(FlowGraph& graph);

/// A graph in which every recursive cluster that is not in `opened` is one node. Where others call several of its
/// functions, each of these is a node, too, a door: calls enter by it, it costs nothing itself and calls the cluster
/// once. So what a call costs may be told by where it enters.
struct CondensedFlow {
  FlowGraph graph;
  std::vector<uint32_t> node_of;               ///< node of the full graph -> node here; never a door
  std::vector<uint32_t> entered_by;            ///< node of the full graph -> its door, or node_of where it has none
  std::vector<std::vector<uint32_t>> members;  ///< node here -> nodes of the full graph; of a door its function

  bool is_door(uint32_t node) const { return node_of[members[node].front()] != node; }
};

/// `opened[c]` says whether component c of the full graph stays as it is. Calls inside a condensed cluster vanish;
/// the self edge of a single function stays.
CondensedFlow condense(const FlowGraph& graph, const Components& components, const std::vector<bool>& opened);

/// By node: whether `top` is that node or leads to it by calls of either side.
std::vector<bool> nodes_below(const FlowGraph& graph, uint32_t top);

/// The edge by which one other node calls `node`; nullptr where several do, or none.
const FlowEdge* only_call_of(const FlowGraph& graph, uint32_t node);

/// Calls of every node: entries plus incoming edges; saturating.
std::vector<BothSides> calls_of(const FlowGraph& graph);

}  // namespace icount
