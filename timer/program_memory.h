// What a program does with memory, by Valgrind's DHAT: bytes and blocks allocated, and the peak. A run of its own
// beside the counts (timer/count_program.h), under the same pins.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icount/timer/count_program.h"
#include "icount/timer/dhat.h"

namespace icount {

struct ProgramMemory {
  std::optional<MemoryUse> use;
  std::string unknown;  ///< without `use`: why DHAT did not see what the program allocates, as a note
};

/// Runs the program once under DHAT: the first process alone, and nothing but its heap. `counted` is a count of the
/// same program, whose calls of malloc DHAT has to have seen. Error{kTool} when it can't be started, was stopped or did
/// not end with `exit_code`.
ProgramMemory measure_memory(const std::vector<std::string>& argv, const ProgramCountOptions& options,
                             const ProgramCount& counted, int exit_code = 0);

}  // namespace icount
