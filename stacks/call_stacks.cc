#include "icount/stacks/call_stacks.h"

#include <algorithm>

#include "icount/base/checked.h"
#include "icount/base/error.h"

namespace icount {

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

}  // namespace icount
