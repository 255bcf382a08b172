#include "icount/callgrind/forked_profile.h"

#include <algorithm>

namespace icount {

bool is_leaving_function(std::string_view function) {
  return std::any_of(kLeavingFunctions.begin(), kLeavingFunctions.end(), [&](std::string_view name) {
    return name.ends_with('*') ? function.starts_with(name.substr(0, name.size() - 1)) : function == name;
  });
}

bool has_fork_at(const Profile& parent, int64_t block) {
  constexpr std::string_view kBefore = "--dump-before=";
  return std::any_of(parent.parts.begin(), parent.parts.end(), [&](const ProfilePart& part) {
    return part.last_block == block && part.trigger.starts_with(kBefore) &&
           is_leaving_function(std::string_view(part.trigger).substr(kBefore.size()));
  });
}

}  // namespace icount
