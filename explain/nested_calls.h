// New calls that lead to further new calls: one thing that a program does on one side only, told in two terms where
// what lies between them is called on both sides (a library's loop over a list, given another function). Sums of terms
// as those of explain/headed_sums.h, found for explain/cause_list.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/cluster_opening.h"

namespace icount {

/// Edges of calls that one side alone makes: those by `outer` lead to those by `inner`, through functions that both
/// sides call.
struct NestedCalls {
  uint32_t outer = 0, inner = 0;
  std::vector<uint32_t> terms;  ///< positions in the decomposition's list: outer's, inner's
};

/// Where what the inner calls cost with all below them, as recorded, is nearly all that the outer ones do, and each of
/// both terms tells a part of it. Looked for among the largest terms; each is in one pair at most.
std::vector<NestedCalls> find_nested_calls(const OpenedFlow& flow, const std::vector<bool>& taken);

}  // namespace icount
