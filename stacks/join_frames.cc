#include "icount/stacks/join_frames.h"

#include <algorithm>
#include <unordered_map>

#include "icount/stacks/first_seen.h"

namespace icount {
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
