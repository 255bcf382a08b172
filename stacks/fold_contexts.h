// A profile of --separate-callers as the plain cost graph that the same run gives without it. The stacks that the
// contexts tell are taken by stacks/stack_contexts.h before.
#pragma once

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// The graph without callers in names; recursion levels stay. Equal to that of the same run without --separate-callers.
CostGraph fold_contexts(const CostGraph& contexts);

}  // namespace icount
