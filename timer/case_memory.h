// Bytes, blocks and peak of a benchmark binary's cases, by DHAT and the hooks of harness/hooks/bench_memory.h: a
// further run of the binary in which each case has two processes, whose difference is the case's larger region. Used by
// timer/count_google and timer/hooked_counting after they counted.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "icount/stats/result.h"
#include "icount/timer/bench_run.h"
#include "icount/timer/dhat.h"

namespace icount {

/// Lines of the plan for one case: as many iterations as were counted.
std::string memory_plan(size_t case_index, const Result& result);

/// Of the region alone, above what was in use where it began. Error{kIo}, Error{kMalformed} when a file is not whole.
MemoryUse load_bench_memory(const std::filesystem::path& folder, const BenchMemory& memory);

/// Adds the figures to the result; where they would not be exact, a note that says why they are missing.
void take_memory(const std::filesystem::path& folder, const BenchRun& run, const BenchCaseRun& one, Result& result);

/// Notes that a counted case has no figures, where nothing says why.
void note_missing_memory(Result& result);

/// How the notes begin.
inline constexpr const char* kNoMemory = "its memory is not known: ";

}  // namespace icount
