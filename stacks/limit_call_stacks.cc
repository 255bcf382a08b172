#include "icount/stacks/limit_call_stacks.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/event_costs.h"

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

/// Which frames are the costliest; a frame's callers cost at least as much as it does and stand before it.
std::vector<bool> choose_costliest(const CallStacks& stacks, size_t count) {
  const std::vector<int64_t> inclusive = inclusive_costs(stacks);
  std::vector<uint32_t> by_cost(stacks.frames.size());
  std::iota(by_cost.begin(), by_cost.end(), 0u);
  std::stable_sort(by_cost.begin(), by_cost.end(), [&](uint32_t a, uint32_t b) { return inclusive[a] > inclusive[b]; });
  std::vector<bool> chosen(stacks.frames.size(), false);
  for (size_t i = 0; i < count; ++i) chosen[by_cost[i]] = true;
  return chosen;
}

}  // namespace

CallStacks limit_call_stacks(CallStacks stacks, size_t max_frames) {
  const size_t count = stacks.frames.size();
  if (count <= max_frames) return stacks;
  const std::vector<bool> kept = choose_costliest(stacks, max_frames / 2);  // each may need one "… other"
  CallStacks limited;
  limited.events = stacks.events;
  limited.totals = stacks.totals;
  limited.callers = stacks.callers;
  limited.approximate = stacks.approximate;
  const auto text = [&](StringId id) { return limited.strings.intern(stacks.strings.view(id)); };
  const StringId other_name = limited.strings.intern(kind_text(FrameKind::kOther));
  std::vector<uint32_t> moved(count);
  std::unordered_map<uint32_t, uint32_t> others;
  for (uint32_t i = 0; i < count; ++i) {
    const CallFrame& frame = stacks.frames[i];
    const uint32_t parent = frame.parent == kNoFrame ? kNoFrame : moved[frame.parent];
    const auto next = static_cast<uint32_t>(limited.frames.size());
    uint32_t target = next;
    if (kept[i]) {
      moved[i] = next;
      limited.frames.push_back({text(frame.name), text(frame.file), text(frame.object), parent, frame.kind});
    } else {
      moved[i] = parent;
      const auto [at, is_new] = others.try_emplace(parent, next);
      target = at->second;
      if (is_new) limited.frames.push_back({other_name, kEmptyString, kEmptyString, parent, FrameKind::kOther});
    }
    add_costs(limited.self, target, stacks.self, i, stacks.events.size());
  }
  return limited;
}

}  // namespace icount
