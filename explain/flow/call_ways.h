// Calls that only moved: what `f` called through `g` on one side and calls itself on the other (a loop's step that went
// from callee to caller, a helper that was split off or inlined). They are put right before anything is compared, so
// that the callee's own change is not lost in a large plus and a large minus. Between explain/flow/flow_graph.h and
// explain/flow/decompose.h.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/flow/flow_graph.h"
#include "icount/explain/flow/flow_table.h"

namespace icount {

/// `calls` calls of `callee` that a call of edge `through` made on `side`; the caller of that edge makes them itself on
/// the other side.
struct CallMove {
  uint32_t through = 0;
  uint32_t callee = 0;
  uint32_t direct = 0;  ///< the edge from the caller to the callee
  size_t side = 0;
  int64_t calls = 0;
};

/// Finds the moves and books them on `graph`: on the side where the calls take the longer way they count as the
/// caller's own. Calls of every function stay what they were, so that each side's total does; so do edges' numbers.
/// Functions that one side has not are looked through to any depth. Does not depend on which side is called base.
std::vector<CallMove> join_call_moves(FlowGraph& graph);

// Calls that a function makes itself on one side and through another one on the other: more calls of `b`, which calls
// `h`, and as many fewer of `h`. What `h` is called for in common does not change with the way. The counterpart of
// explain/flow/call_ways.h where every call of `b` still does what it did. Works on a solved explain/flow/flow_table.h.

/// Every detour of calls that both sides make; `solution` is that of `table` without any. By caller, then by edges.
std::vector<FlowDetour> find_detours(const FlowGraph& graph, const FlowTable& table, const FlowSolution& solution);

}  // namespace icount
