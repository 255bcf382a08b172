// Several cost graphs as one: the processes of one program, or the programs that one process ran one after the other.
// Read callgraph/cost_graph.h first.
#pragma once

#include <span>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// All costs and calls added up by function (object, file, name); events in the order of first sight, zero where a
/// graph lacks one. Call counts are trusted when all are. An empty graph without events for none. Error{kMalformed}
/// when a self cost overflows.
CostGraph sum_graphs(std::span<const CostGraph* const> graphs);

/// Gives back what the calls lost that were active when parts of a profile were written: Callgrind adds the cost of a
/// call when it returns, and only since the last dump. For each component of the call graph, what its members and the
/// calls that leave it cost and no call that enters it accounts for goes to such an entering call: to the one with the
/// largest share of the graph's calls so far. Self costs and numbers of calls stay as they are.
void complete_inclusive(CostGraph& graph);

}  // namespace icount
