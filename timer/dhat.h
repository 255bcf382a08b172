// Valgrind's DHAT: how it is started, and its JSON read. timer/program_memory measures programs with it,
// timer/case_memory the cases of benchmark binaries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/result.h"

namespace icount {

struct MemoryUse {
  int64_t bytes = 0, blocks = 0;            ///< allocated in all; a realloc counts as a block of its new size
  int64_t peak_bytes = 0, peak_blocks = 0;  ///< in use when most bytes were
  int64_t end_bytes = 0, end_blocks = 0;    ///< still in use at the end
  bool operator==(const MemoryUse&) const = default;
};

/// Of DHAT's file. Error{kMalformed} "NAME: ..." for anything else, and for a mode other than heap.
MemoryUse parse_dhat(std::string_view text, const std::string& name);

/// The beginning of a command line; the program and its arguments follow.
std::vector<std::string> make_dhat_command(const std::filesystem::path& valgrind, const std::filesystem::path& out);

/// As figures of the result, named by kMemoryFigures (stats/result_figures.h).
void add_memory_figures(const MemoryUse& memory, Result& result);

}  // namespace icount
