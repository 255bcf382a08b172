#include "icount/stacks/limit_call_stacks.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/event_costs.h"
#include "icount/stacks/join_frames.h"

namespace icount {
namespace {

/// Of the first event: what each frame costs with all below it.
std::vector<int64_t> inclusive_costs(const CallStacks& stacks) {
  std::vector<int64_t> inclusive(stacks.frames.size());
  for (size_t i = stacks.frames.size(); i-- > 0;) {
    inclusive[i] = saturating_add(inclusive[i], stacks.self[i * stacks.events.size()]);
    const uint32_t parent = stacks.frames[i].parent;
    if (parent != kNoFrame) inclusive[parent] = saturating_add(inclusive[parent], inclusive[i]);
  }
  return inclusive;
}

/// The costliest first; a frame's callers cost at least as much as it does and stand before it.
std::vector<uint32_t> frames_by_cost(const CallStacks& stacks) {
  const std::vector<int64_t> inclusive = inclusive_costs(stacks);
  const std::vector<bool> alone = frames_that_stand_alone(stacks.frames);
  std::vector<uint32_t> by_cost;
  for (uint32_t i = 0; i < stacks.frames.size(); ++i)
    if (alone[i]) by_cost.push_back(i);
  std::stable_sort(by_cost.begin(), by_cost.end(), [&](uint32_t a, uint32_t b) { return inclusive[a] > inclusive[b]; });
  return by_cost;
}

std::vector<bool> frames_with_costs(const CallStacks& stacks) {
  const size_t events = stacks.events.size();
  std::vector<bool> costs(stacks.frames.size());
  for (size_t i = 0; i < costs.size(); ++i)
    costs[i] = std::any_of(stacks.self.begin() + static_cast<std::ptrdiff_t>(i * events),
                           stacks.self.begin() + static_cast<std::ptrdiff_t>((i + 1) * events),
                           [](int64_t cost) { return cost != 0; });
  return costs;
}

}  // namespace

CallStacks limit_call_stacks(CallStacks stacks, size_t max_frames) {
  if (stacks.frames.size() <= max_frames) return stacks;
  const JoinedFrames joined =
      join_frames(stacks.frames, frames_by_cost(stacks), max_frames / 3, max_frames / 3, frames_with_costs(stacks));
  CallStacks limited;
  limited.events = stacks.events;
  limited.totals = stacks.totals;
  limited.callers = stacks.callers;
  limited.approximate = stacks.approximate;
  const auto text = [&](StringId id) { return limited.strings.intern(stacks.strings.view(id)); };
  const StringId other = limited.strings.intern(kind_text(FrameKind::kOther));
  for (const JoinedFrame& one : joined.frames) {
    if (one.source == kNoFrame) {
      limited.frames.push_back({other, kEmptyString, kEmptyString, one.parent, FrameKind::kOther});
      continue;
    }
    const CallFrame& frame = stacks.frames[one.source];
    limited.frames.push_back({text(frame.name), text(frame.file), text(frame.object), one.parent, frame.kind});
  }
  limited.self.assign(limited.frames.size() * stacks.events.size(), 0);
  for (size_t i = 0; i < stacks.frames.size(); ++i)
    if (joined.moved[i] != kNoFrame) add_costs(limited.self, joined.moved[i], stacks.self, i, stacks.events.size());
  return limited;
}

}  // namespace icount
