// The frames of a differential flame graph as columns of JSON. Part of report/report_json.h; value:
// stacks/stack_tree_diff.h.
#pragma once

#include "icount/base/json.h"
#include "icount/report/report_strings.h"
#include "icount/stacks/stack_tree_diff.h"

namespace icount {

/// {"approximate", "id": [function number], "up": [how many places above the parent stands; place + 1 for outermost
/// frames], "self": {"base": [], "delta": []}, "kind": {"place": text of a frame that is no function}}, in the tree's
/// own order.
Json stacks_to_json(const StackTreeDiff& stacks, ReportStrings& strings);

}  // namespace icount
