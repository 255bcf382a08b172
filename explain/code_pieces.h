// The inside of a folded function: the code of all its pieces, as one flow. Between the folded graph, which says what
// the pieces of a function are, and shapes/, which makes blocks and loops.
#pragma once

#include <cstdint>

#include "icount/callgraph/function_code.h"
#include "icount/explain/folded_graph.h"
#include "icount/shapes/code_flow.h"

namespace icount {

/// Callees are numbered as the folded functions. Pieces in another object (steps through a linkage table) are left out.
/// Closed where nothing was recorded. `shift` is subtracted from every address.
CodeFlow flow_of_function(const FoldedGraph& side, const ProfileCode& code, uint32_t function, uint64_t shift = 0);

}  // namespace icount
