#include "icount/stacks/call_stacks.h"

#include <algorithm>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/hash.h"

namespace icount {

size_t FirstSeen::Hash::operator()(const std::array<uint32_t, 3>& key) const {
  return hash64({reinterpret_cast<const char*>(key.data()), sizeof key});
}

std::string_view kind_text(FrameKind kind) {
  switch (kind) {
    case FrameKind::kFunction:
      return "";
    case FrameKind::kRecursion:
      return "… recursion joined";
    case FrameKind::kJoined:
      return "… deeper stacks joined";
    case FrameKind::kOther:
      return "… other";
  }
  return "";
}

std::optional<size_t> CallStacks::event_index(std::string_view event) const {
  const auto at = std::find(events.begin(), events.end(), event);
  if (at == events.end()) return std::nullopt;
  return static_cast<size_t>(at - events.begin());
}

void check_call_stacks(const CallStacks& stacks) {
  const auto fail = [](const std::string& what) { throw Error(ErrorKind::kMalformed, "call stacks: " + what); };
  const size_t events = stacks.events.size();
  if (events == 0 || stacks.totals.size() != events) fail("no events, or not one total for each");
  if (stacks.self.size() != stacks.frames.size() * events) fail("not one self cost per frame and event");
  std::vector<int64_t> sums(events, 0);
  for (size_t i = 0; i < stacks.frames.size(); ++i) {
    const CallFrame& frame = stacks.frames[i];
    if (frame.parent != kNoFrame && frame.parent >= i) fail("frame " + std::to_string(i) + " stands before its caller");
    if (std::max({frame.name, frame.file, frame.object}) >= stacks.strings.size())
      fail("frame " + std::to_string(i) + " has no name");
    if (frame.kind > FrameKind::kOther) fail("frame " + std::to_string(i) + " is of no known kind");
    for (size_t e = 0; e < events; ++e) {
      const int64_t cost = stacks.self[i * events + e];
      if (cost < 0) fail("frame " + std::to_string(i) + " has a negative cost");
      sums[e] = checked_add(sums[e], cost, "cost of the stacks");
    }
  }
  for (size_t e = 0; e < events; ++e)
    if (sums[e] != stacks.totals[e])
      fail("self costs of " + stacks.events[e] + " add up to " + std::to_string(sums[e]) + ", the total is " +
           std::to_string(stacks.totals[e]));
}

namespace {

class Joiner {
 public:
  Joiner(std::span<const CallFrame> frames, const std::vector<bool>& kept, const std::vector<bool>& costs)
      : frames_(frames), kept_(kept), costs_(costs) {}

  JoinedFrames join() {
    joined_.moved.assign(frames_.size(), kNoFrame);
    for (uint32_t i = 0; i < frames_.size(); ++i) joined_.moved[i] = kept_[i] ? push(i, caller_of(i)) : caller_of(i);
    // Kept frames are numbered; a dropped one has its nearest kept caller, and gets its leaf in that one's "… other".
    for (uint32_t i = 0; i < frames_.size(); ++i)
      if (!kept_[i] && costs_[i]) joined_.moved[i] = leaf_of(i, other_of(joined_.moved[i]));
    return std::move(joined_);
  }

 private:
  /// Nearest kept caller; those of dropped callers are known.
  uint32_t caller_of(uint32_t i) const {
    return frames_[i].parent == kNoFrame ? kNoFrame : joined_.moved[frames_[i].parent];
  }

  uint32_t push(uint32_t source, uint32_t parent) {
    joined_.frames.push_back({source, parent});
    return static_cast<uint32_t>(joined_.frames.size() - 1);
  }

  uint32_t other_of(uint32_t caller) {
    const auto [at, is_new] = others_.try_emplace(caller, kNoFrame);
    if (is_new) at->second = push(kNoFrame, caller);
    return at->second;
  }

  uint32_t leaf_of(uint32_t i, uint32_t other) {
    const CallFrame& frame = frames_[i];
    if (frame.kind != FrameKind::kFunction) return other;
    const uint32_t number = leaves_.number_of(functions_.number_of(frame.name, frame.file, frame.object), other, 0);
    if (number == leaf_frames_.size()) leaf_frames_.push_back(push(i, other));
    return leaf_frames_[number];
  }

  std::span<const CallFrame> frames_;
  const std::vector<bool>& kept_;
  const std::vector<bool>& costs_;
  JoinedFrames joined_;
  std::unordered_map<uint32_t, uint32_t> others_;  ///< caller -> its "… other"
  FirstSeen functions_, leaves_;
  std::vector<uint32_t> leaf_frames_;
};

size_t count_functions(std::span<const CallFrame> frames, const std::vector<bool>& costs) {
  FirstSeen functions;
  size_t count = 0;
  for (size_t i = 0; i < frames.size(); ++i)
    if (costs[i] && functions.number_of(frames[i].name, frames[i].file, frames[i].object) == count) ++count;
  return count;
}

}  // namespace

std::vector<bool> frames_that_stand_alone(std::span<const CallFrame> frames) {
  std::vector<bool> alone(frames.size());
  for (size_t i = 0; i < frames.size(); ++i)
    alone[i] = frames[i].kind != FrameKind::kOther && (frames[i].parent == kNoFrame || alone[frames[i].parent]);
  return alone;
}

JoinedFrames join_frames(std::span<const CallFrame> frames, const std::vector<bool>& kept,
                         const std::vector<bool>& costs) {
  return Joiner(frames, kept, costs).join();
}

JoinedFrames join_frames(std::span<const CallFrame> frames, const std::vector<uint32_t>& by_cost, size_t most,
                         size_t max_leaves, const std::vector<bool>& costs) {
  most = std::min(most, by_cost.size());
  const size_t bearable = max_leaves + count_functions(frames, costs);
  while (true) {
    std::vector<bool> kept(frames.size(), false);
    for (size_t i = 0; i < most; ++i) kept[by_cost[i]] = true;
    JoinedFrames joined = join_frames(frames, kept, costs);
    const auto others = static_cast<size_t>(std::count_if(
        joined.frames.begin(), joined.frames.end(), [](const JoinedFrame& frame) { return frame.source == kNoFrame; }));
    if (most == 0 || joined.frames.size() - most - others <= bearable) return joined;
    most /= 2;
  }
}

}  // namespace icount
