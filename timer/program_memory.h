// What a program does with memory, by Valgrind's DHAT: bytes and blocks allocated, and the peak. A run of its own
// beside the counts (timer/count_program.h), under the same pins. DHAT's JSON is read here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/result.h"
#include "icount/timer/count_program.h"

namespace icount {

struct MemoryUse {
  int64_t bytes = 0, blocks = 0;            ///< allocated in all
  int64_t peak_bytes = 0, peak_blocks = 0;  ///< in use when most bytes were
  int64_t end_bytes = 0;                    ///< still in use at the end
  bool operator==(const MemoryUse&) const = default;
};

/// Of DHAT's file. Error{kMalformed} "NAME: ..." for anything else, and for a mode other than heap.
MemoryUse parse_dhat(std::string_view json, const std::string& name);

/// Runs the program once under DHAT: the first process alone, and nothing but its heap. Error{kTool} when it can't be
/// started, was stopped or did not end with `exit_code`.
MemoryUse measure_memory(const std::vector<std::string>& argv, const ProgramCountOptions& options, int exit_code = 0);

/// As figures of the result, named by kMemoryFigures (stats/result_figures.h).
void add_memory_figures(const MemoryUse& memory, Result& result);

}  // namespace icount
