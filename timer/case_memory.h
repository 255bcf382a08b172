// Bytes, blocks and peak of a benchmark binary's cases, by DHAT and the hooks of harness/hooks/bench_memory.h: a
// further run of the binary in which each case has two processes, whose difference is the case's larger region. Used by
// timer/count_google and timer/count_hooked after they counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/result.h"
#include "icount/timer/bench_session.h"
#include "icount/timer/count_program.h"

namespace icount {

/// Valgrind's DHAT: how it is started, and its JSON read.
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

/// As figures of the result, named by kMemoryFigures (stats/result.h).
void add_memory_figures(const MemoryUse& memory, Result& result);

/// Lines of the plan for one case: as many iterations as were counted.
std::string memory_plan(size_t case_index, const Result& result);

/// Adds the figures to the result; where they would not be exact, a note that says why they are missing.
void take_memory(const std::filesystem::path& folder, const BenchRun& run, const BenchCaseRun& one, Result& result);

/// Notes that a counted case has no figures, where nothing says why.
void note_missing_memory(Result& result);

/// How the notes begin.
inline constexpr const char* kNoMemory = "its memory is not known: ";

// What a program does with memory, by Valgrind's DHAT: bytes and blocks allocated, and the peak. A run of its own
// beside the counts (timer/count_program.h), under the same pins.

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
