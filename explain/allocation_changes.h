// What changed in how often memory is asked for: the totals of two graphs and the functions behind it, as sentences.
// Beside explain/explain.h, which explains the cost itself.
#pragma once

#include <string>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// "allocations 300 -> 1,200 (+900): `parse` now allocates 3 times per call; ..." and the same for frees where they did
/// not change alike. Empty when nothing changed or a side does not know. Functions are matched by name; those with the
/// largest change come first, at most `most`. `runs` divides the totals: how often the statement ran.
std::vector<std::string> allocation_changes(const CostGraph& base, const CostGraph& head, int64_t runs = 1,
                                            size_t most = 3);

}  // namespace icount
