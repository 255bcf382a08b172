// Recursive clusters: decomposed as one node each, and opened when they lead the explanation
// (docs/explaining_diff.md, "The stages"). Between explain/match/joined_graph.h and the list of causes.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icount/explain/flow/decompose.h"
#include "icount/explain/flow/edge_prices.h"
#include "icount/explain/flow/flow_table.h"
#include "icount/explain/match/joined_graph.h"

namespace icount {

/// A decomposition with the graph that its nodes and edges are numbered in.
struct OpenedFlow {
  CondensedFlow condensed;
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

// Rational terms to whole numbers that still add up: the largest remainder method, made antisymmetric.
// Used by the explaining diff (docs/explaining_diff.md).

struct RoundedTerms {
  std::vector<int64_t> whole;  ///< next to each term; with `rest` they add up to the total
  int64_t rest = 0;            ///< 0 unless the terms miss the total by more than floating-point residue
};

/// Indices by magnitude, the largest first; of equals the first, where those that differ in the last bits are equal:
/// these depend on which side is the base. A total order, if the values come in one that does not.
std::vector<uint32_t> by_magnitude(std::span<const long double> values);

/// `order` holds every index once, most important first; it settles ties between equal remainders and takes up residue.
/// Negating all terms and the total negates the result and changes nothing else.
RoundedTerms round_to_total(std::span<const long double> terms, int64_t total, std::span<const uint32_t> order);

// The terms of a decomposition as whole numbers (explain/flow/opened_flow.h), own cost of a condensed cycle member by
// member. Used by explain/claims/claims.cc.

/// All of `whole` and `rest` add up to the change.
struct WholeTerms {
  std::vector<int64_t> whole;  ///< by term
  /// By term of a condensed cycle's own cost: its members, as nodes of the joined graph, that come to something.
  std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, int64_t>>> inside;
  int64_t rest = 0;  ///< what no term carries (explain/flow/opened_flow.h)
};

WholeTerms make_whole_terms(const JoinedGraph& joined, const OpenedFlow& flow, int64_t delta);

/// Whether a term is the own cost of a condensed cycle.
bool is_of_cluster(const OpenedFlow& flow, const Term& term);

}  // namespace icount
