// Which dumps of a profile are counted: those inside of chosen functions. Pure; timer/count_program asks. Those that
// the program itself named are callgrind/named_regions.h.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "icount/callgrind/profile.h"

namespace icount {

using FunctionNames = std::set<std::string, std::less<>>;

/// The function of `functions` before whose outermost call, or behind which, the part was written; empty: another one.
std::string_view begun_function(const ProfilePart& part, const FunctionNames& functions);
std::string_view ended_function(const ProfilePart& part, const FunctionNames& functions);

/// How many of `functions` were active when the process had run `block` basic blocks; `depth` at its start.
int64_t depth_at(const Profile& profile, const FunctionNames& functions, int64_t block, int64_t depth);

/// Leaves the parts that ran inside of one of `functions`; the profile was made with dumps at their calls. `depth` is
/// how many of them were active where it begins: more than 0 in a copy that was forked inside of one.
void keep_within(Profile& profile, const FunctionNames& functions, int64_t depth);

}  // namespace icount
