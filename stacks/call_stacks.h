// Cost by call stack: a tree of frames in which every frame's self cost was spent with exactly the frames above it on
// the stack. Made from real contexts by stacks/stack_contexts.h or, where a profile has none, guessed by
// stacks/approximate_stacks.h; result files keep it; stacks/stack_tree.h makes of it what is drawn and exported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/string_pool.h"

namespace icount {

inline constexpr uint32_t kNoFrame = std::numeric_limits<uint32_t>::max();

/// What a frame stands for. All but functions carry their text (kind_text) as their name.
enum class FrameKind : uint8_t {
  kFunction,
  kRecursion,  ///< functions that call each other in a circle, in an order that the profile does not tell
  kJoined,     ///< stacks deeper than the recorded contexts, whose outer frames are not known
  kOther       ///< frames too small to be kept one by one
};

/// "… recursion joined", "… deeper stacks joined", "… other"; empty for functions.
std::string_view kind_text(FrameKind kind);

struct CallFrame {
  StringId name = kEmptyString;  ///< of functions as the profile has it, without contexts: "f", "f'2", "f.part.0"
  StringId file = kEmptyString;
  StringId object = kEmptyString;
  uint32_t parent = kNoFrame;  ///< kNoFrame: outermost
  FrameKind kind = FrameKind::kFunction;
};

/// A plain value. Parents stand before their children; sum of self = totals, per event; nothing is negative.
struct CallStacks {
  std::vector<std::string> events;
  StringPool strings;
  std::vector<CallFrame> frames;
  std::vector<int64_t> self;  ///< row-major, events.size() per frame
  std::vector<int64_t> totals;
  int64_t callers = 0;       ///< how many callers each context named (--separate-callers); 0: unknown
  bool approximate = false;  ///< guessed from calls between functions

  std::optional<size_t> event_index(std::string_view event) const;
  std::string_view name(uint32_t frame) const { return strings.view(frames[frame].name); }
};

/// Throws Error{kMalformed} naming the first broken invariant of the struct; for stacks from files and for tests.
void check_call_stacks(const CallStacks& stacks);

}  // namespace icount
