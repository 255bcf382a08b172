#include "icount/callgrind/part_choice.h"

#include <algorithm>

namespace icount {
namespace {

/// How the dump at the end of a part changes the number of chosen functions that are active.
int64_t depth_change(const ProfilePart& part, const FunctionNames& functions) {
  if (!begun_function(part, functions).empty()) return 1;
  return ended_function(part, functions).empty() ? 0 : -1;
}

std::string_view behind(std::string_view option, const ProfilePart& part, const FunctionNames& functions) {
  const std::string_view trigger = part.trigger;
  if (!trigger.starts_with(option)) return {};
  const std::string_view name = trigger.substr(option.size());
  return functions.contains(name) ? name : std::string_view();
}

}  // namespace

std::string_view begun_function(const ProfilePart& part, const FunctionNames& functions) {
  return behind("--dump-before=", part, functions);
}

std::string_view ended_function(const ProfilePart& part, const FunctionNames& functions) {
  return behind("--dump-after=", part, functions);
}

int64_t depth_at(const Profile& profile, const FunctionNames& functions, int64_t block, int64_t depth) {
  for (const ProfilePart& part : profile.parts) {
    if (part.last_block > block) break;
    depth = std::max<int64_t>(depth + depth_change(part, functions), 0);
  }
  return depth;
}

void keep_within(Profile& profile, const FunctionNames& functions, int64_t depth) {
  std::erase_if(profile.parts, [&](const ProfilePart& part) {
    const bool outside = depth <= 0;
    depth = std::max<int64_t>(depth + depth_change(part, functions), 0);
    return outside;
  });
}

}  // namespace icount
