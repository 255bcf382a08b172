// Profile -> CostGraph: adds parts and threads up by key and judges whether the call counts can be trusted.
#pragma once

#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/profile.h"

namespace icount {

/// Which functions' code a graph takes over from its profile.
enum class KeptCode { kCostly, kAll };

/// Sums all parts by (object, file, name), edges by (caller, callee). Parts may name events in another order; events
/// that some part lacks count as zero there. Error{kMalformed} when a self cost overflows. Takes its argument apart.
CostGraph make_cost_graph(Profile profile, KeptCode kept = KeptCode::kCostly);

/// The graph of one part alone (`part` counts from 0): its functions are those it has cost or calls of.
CostGraph make_part_graph(const Profile& profile, size_t part);

}  // namespace icount
