// The terms of a decomposition as whole numbers (explain/rounding.h), own cost of a condensed cycle member by member.
// Used by explain/cause_list.cc.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/joined_graph.h"

namespace icount {

/// All of `whole` and `rest` add up to the change.
struct WholeTerms {
  std::vector<int64_t> whole;  ///< by term
  /// By term of a condensed cycle's own cost: its members, as nodes of the joined graph, that come to something.
  std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, int64_t>>> inside;
  int64_t rest = 0;  ///< what no term carries (explain/rounding.h)
};

WholeTerms make_whole_terms(const JoinedGraph& joined, const OpenedFlow& flow, int64_t delta);

/// Whether a term is the own cost of a condensed cycle.
bool is_of_cluster(const OpenedFlow& flow, const Term& term);

}  // namespace icount
