// Jumps through a linkage table that Valgrind did not know as one: `0x5081c78` in `???`, called by one function to
// reach another. Callgrind leaves out the tables it knows (--skip-plt); explain/match/folded_graph.h leaves out these.
// And jumps from one function into another, which Callgrind takes for calls between objects alone.
#pragma once

#include <cstddef>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// For each function where it only jumps to, kNoJump for all others: no name but an address, no object, one callee that
/// is no such jump itself, as many calls out as in, at most four of the event a call.
std::vector<FunctionIndex> find_linkage_jumps(const CostGraph& graph, size_t event);

/// What a function costs that others jump into, in calls of one of these.
struct SharedEnd {
  FunctionIndex end = 0, of = 0;
  int64_t cost = 0;
};

/// Functions of an object that nothing calls and that call nothing, with the ones of that object and file that jump
/// into them: calls of these, which call nothing either, cost as much more than they do themselves. So the C library's
/// memcpy and mempcpy share their loops. By end, the dearest first.
std::vector<SharedEnd> find_shared_ends(const CostGraph& graph, size_t event);

inline constexpr FunctionIndex kNoJump = static_cast<FunctionIndex>(-1);

}  // namespace icount
