// Whole programs that were counted before: the profiles of a run, kept in the build cache with what they stand on.
// timer/count_program asks before it starts Valgrind; the key is its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "icount/callgrind/run.h"
#include "icount/harness/build_cache.h"
#include "icount/timer/count_program.h"

namespace icount {

/// The run that was kept under `key`. nullopt when there is none, when anything that it looked at is another one now
/// (harness/reuse.h), or when the entry cannot be read.
std::optional<CallgrindRun> load_known_run(BuildCache& cache, const std::string& key, const ParseOptions& parse);

/// Keeps the files of a run, which lie in `folder`, with what it looked at, all of which is known.
void keep_run(BuildCache& cache, const std::string& key, const std::filesystem::path& folder,
              const ProgramCount& result);

}  // namespace icount
