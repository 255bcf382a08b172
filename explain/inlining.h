// Inlining moves: a call disappears because the callee's code is now inside the caller (or the other way round). Its
// terms
// - the lost call, the caller's own cost, the callee's callees that the caller now calls itself - are one cause.
// Works on the decomposition (explain/cluster_opening.h); see docs/explaining_diff.md, step 2.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/joined_graph.h"

namespace icount {

/// One caller and all that moved into it (head inlines more) or out of it. Node and edge numbers are those of the
/// condensed graph, `terms` are positions in the decomposition's list; a term belongs to one move at most.
struct InliningMove {
  uint32_t caller = 0;
  bool into_caller = true;           ///< on the head side the callees' code is inside the caller
  bool callee_is_known = true;       ///< the first callee is called on both sides, or its lines were seen in the caller
  std::vector<uint32_t> lost_edges;  ///< calls that one side does not make, the weightiest first
  std::vector<uint32_t> own_terms;   ///< own cost of the caller, calls that it makes itself now
  std::vector<uint32_t> call_terms;  ///< the lost edges' terms
  /// Calls by the caller of a function that only the inlining side has, which does what was not inlined: in own_terms.
  std::optional<uint32_t> rest_edge = std::nullopt;
};

std::vector<InliningMove> find_inlining_moves(const JoinedGraph& joined, const OpenedFlow& flow);

}  // namespace icount
