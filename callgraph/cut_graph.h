// Parts of a cost graph taken out: functions that belong to the measuring and not to what is measured. Read
// callgraph/cost_graph.h first.
#pragma once

#include <functional>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// Removes the functions that `is_foreign` names: their self cost leaves the totals, the calls from and to them are
/// gone. What they called stays.
void remove_functions(CostGraph& graph, const std::function<bool(FunctionIndex)>& is_foreign);

/// Removes the functions that were active when the profile began and did nothing since: callers without a call and
/// without self cost, with the edges that were not called.
void remove_outer_callers(CostGraph& graph);

}  // namespace icount
