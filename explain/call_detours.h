// Calls that a function makes itself on one side and through another one on the other: more calls of `b`, which calls
// `h`, and as many fewer of `h`. What `h` is called for in common does not change with the way. The counterpart of
// explain/call_moves.h where every call of `b` still does what it did. Works on a solved explain/flow_table.h.
#pragma once

#include "icount/explain/flow_table.h"

namespace icount {

/// Every detour of calls that both sides make; `solution` is that of `table` without any. By caller, then by edges.
std::vector<FlowDetour> find_detours(const FlowGraph& graph, const FlowTable& table, const FlowSolution& solution);

}  // namespace icount
