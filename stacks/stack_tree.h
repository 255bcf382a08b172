// The tree of call stacks as it is drawn and exported: one event, names without compiler clones, bounded in size, in a
// fixed order. Made from stacks/call_stacks.h (measured) or from a cost graph (guessed); two of them meet in
// stacks/stack_tree_diff.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/stacks/call_stacks.h"

namespace icount {

struct StackFrame {
  StringId name = kEmptyString;  ///< without recursion level and clone tags; a frame that is no function: kind_text
  StringId file = kEmptyString;
  StringId object = kEmptyString;
  uint32_t parent = kNoFrame;
  FrameKind kind = FrameKind::kFunction;
  int64_t self = 0;
  int64_t inclusive = 0;  ///< self of the frame and of all below it
};

/// Frames are in depth-first order: parents before children, siblings by inclusive cost (larger first), then by name,
/// file, object. Siblings differ in name, file, object or kind. No frame has inclusive cost 0.
struct StackTree {
  StringPool strings;
  std::vector<StackFrame> frames;
  std::string event;
  int64_t total = 0;         ///< sum of self; the graph's total
  int64_t joined = 0;        ///< of the total: spent below frames "… other", in stacks that are not told apart
  bool approximate = false;  ///< guessed from calls between functions; to be said wherever it is shown
  int64_t callers = 0;       ///< how many callers each context named; 0: unknown or none
  size_t max_depth = 0;      ///< frames on the longest stack

  std::string_view name(size_t frame) const { return strings.view(frames[frame].name); }
  std::string_view file(size_t frame) const { return strings.view(frames[frame].file); }
  std::string_view object(size_t frame) const { return strings.view(frames[frame].object); }
};

struct StackTreeOptions {
  /// Smaller frames join in a frame "… other" of their caller; half as many are told apart where not all are.
  size_t max_frames = 20000;
  /// Of functions in frames "… other", the costliest; what is beyond is the cost of "… other" itself. nullopt: as many
  /// as it takes for the frames of a function to add up to its self cost.
  std::optional<size_t> max_leaves;
  size_t max_depth = 1000;  ///< deeper ones as well
  double min_share = 0;     ///< and those with less than this share of the total
  bool fold_clones = true;  ///< f.isra.0 is f, and a piece f.part.0 below f is part of it; false: raw names
};

/// Error{kUsage} that lists the events when there is none of that name; an empty name is the first.
StackTree make_stack_tree(const CallStacks& stacks, std::string_view event, const StackTreeOptions& options = {});

/// Guessed from the calls (stacks/approximate_stacks.h); approximate is set.
StackTree make_stack_tree(const CostGraph& graph, std::string_view event, const StackTreeOptions& options = {});

}  // namespace icount
