// Calls that only moved: what `f` called through `g` on one side and calls itself on the other (a loop's step that went
// from callee to caller, a helper that was split off or inlined). They are put right before anything is compared, so
// that the callee's own change is not lost in a large plus and a large minus. Between explain/flow_graph.h and
// explain/decompose.h.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/explain/flow_graph.h"

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

}  // namespace icount
