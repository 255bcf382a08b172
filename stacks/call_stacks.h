// Cost by call stack: a tree of frames in which every frame's self cost was spent with exactly the frames above it on
// the stack. Made from real contexts by stacks/stack_contexts.h or, where a profile has none, guessed by
// stacks/approximate_stacks.h; result files keep it; stacks/stack_tree.h makes of it what is drawn and exported.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/base/string_pool.h"

namespace icount {

/// One table's numbers.
class FirstSeen {
 public:
  /// The number of (a, b, c); a new triple gets the next one, from 0.
  uint32_t number_of(uint32_t a, uint32_t b, uint32_t c) {
    return known_.try_emplace({a, b, c}, static_cast<uint32_t>(known_.size())).first->second;
  }

 private:
  struct Hash {
    size_t operator()(const std::array<uint32_t, 3>& key) const;
  };
  std::unordered_map<std::array<uint32_t, 3>, uint32_t, Hash> known_;
};

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

// Which frames a tree of call stacks tells apart: the costliest. The others join in a frame "… other" of their nearest
// caller that is kept, and every function keeps a leaf of its own in it, so that its frames still add up to its self
// cost. stacks/stack_contexts.h and stacks/stack_tree.h make smaller trees by it.

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
