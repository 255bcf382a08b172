// What a program does with memory, by Valgrind's DHAT: bytes and blocks allocated, and the peak. A run of its own
// beside the counts (timer/count_program.h), under the same pins.
#pragma once

#include <string>
#include <vector>

#include "icount/timer/count_program.h"
#include "icount/timer/dhat.h"

namespace icount {

/// Runs the program once under DHAT: the first process alone, and nothing but its heap. Error{kTool} when it can't be
/// started, was stopped or did not end with `exit_code`.
MemoryUse measure_memory(const std::vector<std::string>& argv, const ProgramCountOptions& options, int exit_code = 0);

}  // namespace icount
