// Flow tables for tests, node for node those of a graph; their figures are written down by the test.
#pragma once

#include <vector>

#include "icount/explain/flow/flow_table.h"

namespace icount {

/// Nothing costs or calls anything yet, and node 0 is entered once on either side.
inline FlowTable table_of(const FlowGraph& graph) {
  FlowTable table;
  for (const FlowEdge& edge : graph.edges) table.shape.callee.push_back(edge.callee);
  table.shape.first_edge = graph.first_edge;
  table.components = flow_components(graph);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) table.node_of.push_back(node);
  for (uint32_t edge = 0; edge < graph.edges.size(); ++edge) table.edge_of.push_back(edge);
  table.is_split.assign(graph.nodes.size(), false);
  table.caller_edge.assign(graph.nodes.size(), FlowTable::kAllCallers);
  for (size_t side = 0; side < 2; ++side) {
    table.prices[side].assign(graph.nodes.size(), 1);
    table.own[side].assign(graph.nodes.size(), 0);
    table.rates[side].assign(graph.edges.size(), 0);
  }
  table.sources = {{0, {1, 1}, TermKind::kEntry, 0}};
  return table;
}

}  // namespace icount
