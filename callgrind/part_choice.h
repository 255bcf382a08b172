// Which dumps of a profile are counted: those inside of chosen functions. Pure; timer/count_program asks. Those that
// the program itself named are callgrind/named_regions.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/callgrind/profile.h"

namespace icount {

/// Callgrind options by which a dump is written at every outermost call of the functions (patterns with * and ?) and at
/// its end. A name without arguments stands for the C++ functions of that name, too.
std::vector<std::string> within_options(const std::vector<std::string>& functions);

/// How many of the chosen functions were active when the process had run `block` basic blocks; `depth` at its start.
int64_t depth_at(const Profile& profile, int64_t block, int64_t depth);

/// Leaves the parts that ran inside of a chosen function; the profile was made with within_options. `depth` is how many
/// of them were active where it begins: more than 0 in a copy that was forked inside of one.
void keep_within(Profile& profile, int64_t depth);

}  // namespace icount
