// A commit built once more: without optimisation and with gcc's coverage, and run natively, for how often every source
// line ran (mine/source_counts.h); or as it is measured, for what the compiler records of its decisions
// (mine/compiler_decisions.h). Used by `icount diff --source-counts` and `--remarks`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/mine/compiler_decisions.h"
#include "icount/mine/source_counts.h"

namespace icount {

struct CoverageBuild {
  std::string reference;   ///< git's name of the commit; empty: HEAD with all that is not committed
  std::string build;       ///< shell command, run in the worktree's top folder
  bool has_flags = false;  ///< the command compiles for coverage itself; else compilers in PATH are given the flags
  std::vector<std::string> program;  ///< a relative one is that of the worktree
  double time_limit_s = 0;
};

/// `inside`: a folder of the repository, which relative names are of; `worktrees`: where the worktree is made.
/// Error{kCannotJudge} when the build or the program fails, or nothing of it was compiled by gcc for coverage;
/// Error{kTool} without gcov.
SourceCounts count_source_lines(const std::filesystem::path& inside, const CoverageBuild& build,
                                const std::filesystem::path& worktrees, const CommandContext& context);

/// What gcc and clang record while `build`, a shell command, makes the commit; its instructions are those that are
/// measured. `reference`, `inside` and `worktrees` as above. Error{kCannotJudge} when the build fails or there is no
/// record.
CompilerRecords record_decisions(const std::filesystem::path& inside, const std::string& reference,
                                 const std::string& build, const std::filesystem::path& worktrees,
                                 const CommandContext& context);

}  // namespace icount
