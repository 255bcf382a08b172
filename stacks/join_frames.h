// Which frames a tree of call stacks tells apart: the costliest. The others join in a frame "… other" of their nearest
// caller that is kept, and every function keeps a leaf of its own in it, so that its frames still add up to its self
// cost. stacks/limit_call_stacks.h and stacks/stack_tree.h make smaller trees by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "icount/stacks/call_stacks.h"

namespace icount {

/// A frame of the smaller tree.
struct JoinedFrame {
  uint32_t source = kNoFrame;  ///< the frame that it is, or the first one that its leaf holds; kNoFrame: "… other"
  uint32_t parent = kNoFrame;  ///< in the smaller tree, before it
};

struct JoinedFrames {
  std::vector<JoinedFrame> frames;
  std::vector<uint32_t> moved;  ///< per frame of the larger tree: the one that takes its own cost
};

/// What may be told apart: all but "… other" and the leaves in it.
std::vector<bool> frames_that_stand_alone(std::span<const CallFrame> frames);

/// `kept`: among those that stand alone, with all its callers. `costs`: which frames have a cost of their own; others
/// need no leaf. A dropped frame that is no function has no leaf, its cost is that of "… other" itself.
JoinedFrames join_frames(std::span<const CallFrame> frames, const std::vector<bool>& kept,
                         const std::vector<bool>& costs);

/// Keeps the first of `by_cost` (which stand alone, callers before callees): at most `most` of them, and fewer where
/// the leaves would be more than `max_leaves` and one for each function.
JoinedFrames join_frames(std::span<const CallFrame> frames, const std::vector<uint32_t>& by_cost, size_t most,
                         size_t max_leaves, const std::vector<bool>& costs);

}  // namespace icount
