// `icount show --format json`: every function and edge of a cost graph. Schema: docs/json.md.
#pragma once

#include "icount/base/json.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/stats/function_filter.h"

namespace icount {

/// Functions by self cost of the first event, then name; edges by caller and callee index. Names are never shortened.
/// With a filter the functions that it keeps, the edges between them, and "left_out".
Json profile_to_json(const CostGraph& graph, const FunctionFilter& filter = {});

}  // namespace icount
