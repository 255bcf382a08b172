// One callee in place of another in one caller: calls that are gone and new ones that are as many are one change, told
// by what they come to together. Used by explain/cause_list.cc as explain/headed_sums.h is; what several callers
// exchanged is there.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/headed_sums.h"
#include "icount/explain/joined_graph.h"

namespace icount {

/// Edges and terms of one exchange: [0] is of the calls that only base makes, [1] of those that only head makes.
struct ReplacedCalls {
  std::array<uint32_t, 2> edges{};
  std::array<uint32_t, 2> terms{};
};

/// Calls by one function that base makes of one callee and head as often of another, where neither is nearly all of the
/// change. Nothing where another callee of that function came or went as often (what replaced what is not known then)
/// unless the two have one plain name, and nothing of functions without a name, which are other functions on each side
/// for no reason.
std::vector<ReplacedCalls> find_replaced_calls(const JoinedGraph& joined, const OpenedFlow& flow,
                                               const std::vector<bool>& taken);

/// Functions that do what they do another way: several of their calls came and went, whole numbers of times for each
/// call of the function, and cancel each other in part. Terms: those calls and its own cost.
std::vector<HeadedSum> find_rewritten_functions(const OpenedFlow& flow, const std::vector<bool>& taken);

}  // namespace icount
