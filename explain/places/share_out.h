// Shares out the terms of a decomposition among the lines of both sides (explain/placed_change.h).
#pragma once

#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/match/joined_graph.h"
#include "icount/explain/placed_change.h"

namespace icount {

/// own(f) = x (s1 - s0) and calls(f, g) = x v (M1 - M0) are of the form head's part less base's; each part is shared
/// out in proportion to what its side recorded by line.
PlacedChange share_out_terms(const JoinedGraph& joined, const OpenedFlow& flow);

/// Own cost in total, where call counts are not trusted.
PlacedChange share_out_totals(const JoinedGraph& joined);

}  // namespace icount
