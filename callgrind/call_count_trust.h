// Whether the call counts of a profile mean what they say. Toggled regions count calls outside of them, samplers count
// none, later dumps have calls=0 for what was already running: docs/explaining_diff.md, "When call counts can't be
// trusted".
#pragma once

#include "icount/callgrind/profile.h"

namespace icount {

/// Detects what the file gives away; its header does not record the options used. One part that cannot be trusted is
/// enough. calls=0 with cost is in order along one chain of calls, the frames that were active when the part began.
CallCounts judge_call_counts(const Profile& profile);

}  // namespace icount
