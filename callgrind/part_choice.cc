#include "icount/callgrind/part_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "icount/callgrind/forked_profile.h"

namespace icount {
namespace {

constexpr std::string_view kBefore = "--dump-before=", kAfter = "--dump-after=";

/// How the dump at the end of a part changes the number of chosen functions that are active.
int64_t depth_change(const ProfilePart& part) {
  const std::string_view trigger = part.trigger;
  if (trigger.starts_with(kAfter)) return -1;
  if (!trigger.starts_with(kBefore)) return 0;
  return is_leaving_function(trigger.substr(kBefore.size())) ? 0 : 1;
}

}  // namespace

std::vector<std::string> within_options(const std::vector<std::string>& functions) {
  std::vector<std::string> options;
  for (const std::string& function : functions) {
    std::vector<std::string> patterns = {function};
    if (function.find_first_of("(*") == std::string::npos) patterns.push_back(function + "(*");
    for (const std::string& pattern : patterns) {
      options.push_back(fmt::format("{}{}", kBefore, pattern));
      options.push_back(fmt::format("{}{}", kAfter, pattern));
    }
  }
  return options;
}

int64_t depth_at(const Profile& profile, int64_t block, int64_t depth) {
  for (const ProfilePart& part : profile.parts) {
    if (part.last_block > block) break;
    depth = std::max<int64_t>(depth + depth_change(part), 0);
  }
  return depth;
}

void keep_within(Profile& profile, int64_t depth) {
  std::erase_if(profile.parts, [&](const ProfilePart& part) {
    const bool outside = depth <= 0;
    depth = std::max<int64_t>(depth + depth_change(part), 0);
    return outside;
  });
}

}  // namespace icount
