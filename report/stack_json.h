// The frames of a differential flame graph as columns of JSON. Part of report/report_json.h; value:
// stats/stack_tree_diff.h.
#pragma once

#include "base/json.h"
#include "report/report_strings.h"
#include "stats/stack_tree_diff.h"

namespace icount {

/// {"approximate", "id": [function number], "up": [how many places above the parent stands; place + 1 for outermost
/// frames], "self": {"base": [], "delta": []}, "kind": {"place": text of a frame that is no function}}, in the tree's
/// own order.
Json stacks_to_json(const StackTreeDiff& stacks, ReportStrings& strings);

}  // namespace icount
