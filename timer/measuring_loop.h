// The harness's own functions in a measured region become one: people look for their statement, not for our steps
// around it. Used by timer/region_parts after a region's profile is read; totals stay.
#pragma once

#include "icount/callgraph/cost_graph.h"
#include "icount/stacks/call_stacks.h"

namespace icount {

/// Every function of the stub server ("icount_stub::...") as one function "(measuring loop)" without a file that
/// nobody calls, and which calls the statement: also where the profile begins within the statement. A graph without any
/// stays as it is.
void fold_measuring_loop(CostGraph& graph);

/// The same for frames: those that follow each other become one.
void fold_measuring_loop(CallStacks& stacks);

}  // namespace icount
