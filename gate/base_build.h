// Another commit of the user's repository, built and measured in a worktree, as the base of a gate. Called by
// gate_base.cc.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/stats/result.h"

namespace icount {

/// Measures a suite file as head was measured, relative paths meaning the working folder's, and writes the result file
/// `out`.
using MeasureSuite = std::function<ResultFile(const std::string& suite, const std::filesystem::path& out)>;

/// What to build and measure of another commit.
struct BaseBuild {
  std::string reference;  ///< what git knows the commit by
  std::string command;    ///< shell command run first, in the worktree's top folder; empty: none
  std::string suite;      ///< suite file in the user's checkout; empty: the command writes $ICOUNT_OUT
  MeasureSuite measure;
};

struct BaseResult {
  std::string name;  ///< "main (1a2b3c4d5e)"
  ResultFile file;
  std::string absent;  ///< the suite, where the commit does not have it: then there is no result
};

class GitWorktree;

/// A suite file, with what it includes and the folder that it is in unless that is the top, as one commit has it: what
/// other commits are measured by.
class CarriedSuite {
 public:
  /// `suite`: of the user's checkout. An empty `from` carries nothing. Else the worktree stands there afterwards;
  /// Error{kUsage} when that commit has no such suite.
  CarriedSuite(const GitWorktree& tree, const std::string& suite, const std::string& from);

  /// Checks the commit out in the worktree, with the suite that is carried, and of the folders with headers that the
  /// suite names those that the commit lacks: helpers of benchmarks, not the library.
  void checkout(const GitWorktree& tree, const std::string& commit) const;

 private:
  std::string from_;
  std::vector<std::string> paths_;
  std::vector<std::string> folders_;  ///< carried where a commit lacks them
};

/// Error{kUsage} where the suite of the user's checkout is another than that commit's, so that a side which is measured
/// here would not be measured by it.
void check_suite_from(const std::string& suite, const std::string& from);

/// In a worktree that stands at the commit already, in which what was built before is there still: the command, then
/// the result that it wrote to $ICOUNT_OUT, or else the commit's own suite file. Error{kCannotJudge} when the command
/// fails or the suite can't be measured.
BaseResult measure_in_worktree(const GitWorktree& tree, const BaseBuild& build, CommandContext& context);

/// `command` in `folder` with ICOUNT_OUT set to `out`; nothing for an empty command. Error{kCannotJudge} naming `where`
/// when it fails.
void run_build_command(const std::string& command, const std::filesystem::path& folder,
                       const std::filesystem::path& out, const std::string& where, const CommandContext& context);

/// Another working folder as long as the object lives.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::filesystem::path& folder);
  WorkingFolder(const WorkingFolder&) = delete;
  ~WorkingFolder();

 private:
  std::filesystem::path before_;
};

}  // namespace icount
