// Another commit of the user's repository, built and measured in a worktree, as the base of a gate. Called by
// gate_base.cc.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/stats/result.h"

namespace icount {

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
