// How the gate comes to results: a suite measured now, or measured in a worktree of another commit. Uses `suite run`,
// so that both sides are measured as any run is. Called by command_gate.cc.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command_spec.h"
#include "stats/result.h"

namespace icount {

/// Options of `suite run` that the gate hands on; rows for its own table.
const std::vector<OptionSpec>& suite_run_pass_options();
/// Those that were given, as words.
std::vector<std::string> passed_words(const ParsedOptions& parsed);

/// Runs `suite run SUITE WORDS --out OUT` in this process; its table is not shown. Error{kTool} when it was
/// interrupted.
ResultFile measure_suite(const std::string& suite, const std::vector<std::string>& words,
                         const std::filesystem::path& out, CommandContext& context);

/// What to build and measure of another commit.
struct BaseBuild {
  std::string reference;           ///< what git knows the commit by
  std::string command;             ///< shell command run first, in the worktree's top folder; empty: none
  std::string suite;               ///< suite file in the user's checkout; empty: the command writes $ICOUNT_OUT
  std::vector<std::string> words;  ///< passed on to `suite run`
};

struct BaseResult {
  std::string name;  ///< "main (1a2b3c4d5e)"
  ResultFile file;
};

/// A worktree of the commit, the command, then the result that it wrote to $ICOUNT_OUT, or else the commit's own suite
/// file. Error{kCannotJudge} when the command fails or the suite is not there; Error{kUsage} when git knows no such
/// commit.
BaseResult measure_base(const BaseBuild& build, CommandContext& context);

}  // namespace icount
