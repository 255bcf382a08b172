// Recursive clusters: decomposed as one node each, and opened when they lead the explanation
// (docs/explaining_diff.md, step 3). Between stats/joined_graph.h and the list of causes.
#pragma once

#include "stats/decompose.h"
#include "stats/flow_graph.h"

namespace icount {

/// A decomposition with the graph that its nodes and edges are numbered in.
struct OpenedFlow {
  CondensedFlow condensed;
  Decomposition figures;
  std::vector<uint32_t> cluster_of;  ///< node of condensed.graph -> number of its opened cluster, or kNotOpened
  static constexpr uint32_t kNotOpened = ~uint32_t{0};
};

/// Terms of an opened cluster that tell of one thing only when taken together.
struct ClusterFold {
  std::vector<uint32_t> nodes;  ///< members, numbers of the condensed graph
  std::vector<uint32_t> terms;  ///< positions in the decomposition's list
};

/// Opened clusters whose terms cancel: inside a recursion one edge's minus is the next edge's plus, many times what the
/// cluster changed by. Where calls into the cluster cancel with its inside as well, they are part of the fold.
std::vector<ClusterFold> cancelling_clusters(const OpenedFlow& flow);

/// Decomposes with every cluster condensed; clusters that take part in one of the first terms are then opened and the
/// whole is decomposed anew.
OpenedFlow decompose_with_leading_clusters_open(const FlowGraph& graph);

}  // namespace icount
