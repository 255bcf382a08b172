// Jumps through a linkage table that Valgrind did not know as one: `0x5081c78` in `???`, called by one function to
// reach another. Callgrind leaves out the tables it knows (--skip-plt); explain/match/folded_graph.h leaves out these.
#pragma once

#include <cstddef>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// For each function where it only jumps to, kNoJump for all others: no name but an address, no object, one callee that
/// is no such jump itself, as many calls out as in, at most four of the event a call.
std::vector<FunctionIndex> find_linkage_jumps(const CostGraph& graph, size_t event);

inline constexpr FunctionIndex kNoJump = static_cast<FunctionIndex>(-1);

}  // namespace icount
