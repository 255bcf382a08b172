// Recursive clusters: decomposed as one node each, and opened when they lead the explanation
// (docs/explaining_diff.md, step 3). Between explain/joined_graph.h and the list of causes.
#pragma once

#include <span>
#include <vector>

#include "icount/explain/call_moves.h"
#include "icount/explain/decompose.h"
#include "icount/explain/flow_graph.h"

namespace icount {

/// A decomposition with the graph that its nodes and edges are numbered in.
struct OpenedFlow {
  CondensedFlow condensed;
  std::vector<CallMove> moves;  ///< booked on the condensed graph
  Decomposition figures;
};

/// Decomposes with every cluster condensed; clusters that take part in one of the first terms are then opened and the
/// whole is decomposed anew. A cluster whose inside then cancels (one edge's minus is the next edge's plus, many times
/// what the cluster changed by) is condensed again: its inside is better told member by member (member_terms). The
/// clusters of the nodes `to_open` are opened in any case and stay so.
OpenedFlow decompose_with_leading_clusters_open(const FlowGraph& graph, std::span<const uint32_t> to_open = {});

/// Functions of the largest cluster that one of the nodes is in; 1 where none is in a cluster of several.
size_t largest_cluster_of(const FlowGraph& graph, std::span<const uint32_t> nodes);
/// Clusters of more functions stay one node.
size_t largest_opened_cluster();

/// The own-cost term of a condensed cluster split among its members, in their order: what each costs itself per call
/// that enters the cluster (or in total, when the cluster's self cost does not scale). `term` is that term; adds up to
/// it.
std::vector<long double> member_terms(const FlowGraph& graph, const OpenedFlow& flow, const Term& term);

}  // namespace icount
