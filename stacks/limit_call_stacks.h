// Call stacks cut to a size that results can keep. Read stacks/call_stacks.h first.
#pragma once

#include <cstddef>

#include "icount/stacks/call_stacks.h"

namespace icount {

/// Keeps the costliest frames (by the first event); others join in a frame "… other" of their caller, where each
/// function has a leaf. At most max_frames remain, or a leaf for each function where those are more.
CallStacks limit_call_stacks(CallStacks stacks, size_t max_frames);

}  // namespace icount
