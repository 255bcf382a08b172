// The functions behind "… other": what approximate stacks do not tell apart is followed through the calls below to the
// functions whose own cost it is, so that a function's frames add up to its self cost. Read stacks/cost_division.h
// first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "icount/stacks/call_stacks.h"
#include "icount/stacks/cost_division.h"

namespace icount {

/// A frame whose cheaper calls are not told apart: those from `first` on, in the order of CostDivision::leaving.
struct JoinedCalls {
  uint32_t frame = kNoFrame;
  FunctionIndex function = 0;
  size_t first = 0;
  DividedCost scale = 0;  ///< the frame's part of the function's cost
};

/// A frame below which a circle was entered and members are not told apart: those from `first` on, in the order of
/// CostDivision::others_in_circle.
struct JoinedCircle {
  uint32_t frame = kNoFrame;
  FunctionIndex entered = 0;
  size_t first = 0;
  DividedCost scale = 0;
};

/// An outermost function that no frame stands for.
struct JoinedEntry {
  FunctionIndex function = 0;
  DividedCost cost = 0;
};

struct JoinedParts {
  std::vector<JoinedCalls> calls;
  std::vector<JoinedCircle> circles;
  std::vector<JoinedEntry> entries;
};

/// A part of a function's own cost that was spent somewhere below `frame`; kNoFrame: below no frame that is told apart.
struct JoinedLeaf {
  uint32_t frame = kNoFrame;
  DividedCost cost = 0;
};

/// Per function its leaves, by frame, each frame once. Costs are shares: they add up to what the parts are worth where
/// the costs of calls agree with what is below them. Where several frames join, which of them a cost is below follows
/// the calls and is arbitrary otherwise. O(parts + calls + functions).
std::vector<std::vector<JoinedLeaf>> make_joined_leaves(const CostGraph& graph, size_t event,
                                                        const CostDivision& division, const JoinedParts& parts);

}  // namespace icount
