// Whether a statement's text can have threads whose number --num-threads means. Pure.
#pragma once

#include <span>
#include <string>

#include "icount/harness/timer_args.h"

namespace icount {

/// False only where nothing can: C++ that names neither LibTorch nor a word of threads (thread, async, omp, tbb, par,
/// fork), includes no header of the user's and is built without `flags`, and Python that neither names torch nor
/// imports anything.
bool may_use_threads(const TimerArgs& args, std::span<const std::string> flags);

}  // namespace icount
