// Two trees of call stacks as one, frame by frame along the path of names: what a differential flame graph draws. Every
// frame has its own and its inclusive cost on both sides; frames that only one side has are there too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/stacks/stack_tree.h"

namespace icount {

enum class FrameStatus : uint8_t { kKept, kNew, kVanished };

/// "kept", "new", "vanished".
std::string_view to_text(FrameStatus status);

/// Name, file and object are head's, or base's where head has none; a renamed function has head's name all the same.
struct StackDiffFrame {
  StringId name = kEmptyString;
  StringId file = kEmptyString;
  StringId object = kEmptyString;
  uint32_t parent = kNoFrame;
  FrameKind kind = FrameKind::kFunction;
  FrameStatus status = FrameStatus::kKept;
  int64_t base_self = 0, head_self = 0;
  int64_t base_inclusive = 0, head_inclusive = 0;
};

/// Frames are in depth-first order: parents before children, siblings by the larger of their two inclusive costs
/// (larger first), then by name, file, object. The self costs of each side add up to its total.
struct StackTreeDiff {
  StringPool strings;
  std::vector<StackDiffFrame> frames;
  std::string event;
  int64_t base_total = 0, head_total = 0;
  bool approximate = false;  ///< either side is
  size_t max_depth = 0;

  std::string_view name(size_t frame) const { return strings.view(frames[frame].name); }
  std::string_view file(size_t frame) const { return strings.view(frames[frame].file); }
  std::string_view object(size_t frame) const { return strings.view(frames[frame].object); }
};

/// A function of base that is another name's in head (an explanation's renames).
struct RenamedFunction {
  std::string base, head;
};

/// Below one caller, a frame of base is the frame of head with the same name, file name and object name, else with the
/// same name, in order of cost; `renamed` names count as one. Swapping the sides swaps the costs, new and vanished.
StackTreeDiff make_stack_tree_diff(const StackTree& base, const StackTree& head,
                                   const std::vector<RenamedFunction>& renamed = {});

}  // namespace icount
