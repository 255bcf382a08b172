// Whether a statement's text can have threads whose number --num-threads means. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "icount/harness/timer_args.h"

namespace icount {

/// False only where nothing can: C++ that names neither LibTorch nor a word of threads (a part of a name with "thread",
/// "async", "parallel" or "openmp" in it, or that is "omp", "tbb", "par", "fork" or "vfork"), includes no header of the
/// user's and is built without `flags`, and Python that neither names torch nor imports anything.
bool may_use_threads(const TimerArgs& args, std::span<const std::string> flags);

/// Why may_use_threads said false, for messages: "it does not name torch".
std::string_view describe_no_threads(Language language);

}  // namespace icount
