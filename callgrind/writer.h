// CostGraph -> callgrind.out: the way back, for KCachegrind, callgrind_annotate and whoever else reads the format. Says
// the same by both position rules: every position is absolute, every call stands before the function's own cost.
#pragma once

#include <string>
#include <string_view>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// One part. parse_profile and make_cost_graph read back the same functions, rows, edges and lines, in another order;
/// the number of parts and the verdict on call counts are not in the format. Lines are written when the graph has them,
/// else everything stands on line 0. Error{kMalformed} for a name that holds a line feed or begins with a blank.
std::string render_callgrind(const CostGraph& graph, std::string_view command = {});

}  // namespace icount
