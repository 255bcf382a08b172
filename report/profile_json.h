// `icount show --format json`: every function and edge of a cost graph. Schema: docs/json.md.
#pragma once

#include "icount/base/json.h"
#include "icount/callgraph/cost_graph.h"

namespace icount {

/// Functions by self cost of the first event, then name; edges by caller and callee index. Names are never shortened.
Json profile_to_json(const CostGraph& graph);

}  // namespace icount
