// What of a run's processes is counted where the user asked for a part: calls within functions (--within), and the part
// of each thread (--per-thread). Used by timer/count_program between callgrind/run and the cost graphs.
#pragma once

#include <string>
#include <vector>

#include "icount/callgrind/run.h"

namespace icount {

/// A note with the part of each thread, for every process that has several. Callgrind's dumps are of the calling thread
/// alone then, so that a copy keeps what the other threads had counted before the fork: it can't be counted.
void tell_threads(CallgrindRun& run, std::vector<std::string>& notes);

}  // namespace icount
