// Whether the call counts of a profile mean what they say. Toggled regions count calls outside of them, samplers count
// none, later dumps have calls=0 for what was already running: docs/explaining_diff.md, "When call counts can't be
// trusted".
#pragma once

#include <string>

#include "icount/callgrind/profile.h"

namespace icount {

/// Detects what the file gives away; its header does not record the options used. One part that cannot be trusted is
/// enough. calls=0 with cost is in order along one chain of calls, the frames that were active when the part began.
CallCounts judge_call_counts(const Profile& profile);

/// What a profile of icount's own begins with: a program, or the call of fork by which a process became a copy.
enum class ProfileStart { kProgram, kFork };

/// What gives away that a program which Callgrind followed switched collection off for a part of its run, by whatever
/// request: blocks and calls go on being counted then. Empty: nothing does. With ParseOptions::keep_insides each call
/// is looked at, else only the sums of functions.
std::string find_uncollected_part(const Profile& profile, ProfileStart start);

/// "2 Ir in 72,799 basic blocks" of a profile whose collection was on for next to nothing of the run (less than an
/// instruction in a hundred blocks); empty for others.
std::string describe_small_collection(const Profile& profile);

}  // namespace icount
