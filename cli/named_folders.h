// The folders that recorded flags name instead of spelling them out (stats/flag_paths.h), as they are on this machine.
// Used where results are recorded: cli/run_suite.cc, cli/command_count.cc.
#pragma once

#include <filesystem>
#include <vector>

#include "icount/harness/environment.h"
#include "icount/stats/flag_paths.h"

namespace icount {

/// "<source>": the checkout or worktree that each of `starts` is in, else the folder itself. "<build>": folders above
/// one of `used` in which CMake built one of those sources. "<cache>": the build cache's entries, without their keys.
std::vector<NamedFolder> probe_named_folders(const std::vector<std::filesystem::path>& starts,
                                             const std::vector<std::filesystem::path>& used,
                                             const Environment& environment);

}  // namespace icount
