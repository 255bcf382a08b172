// Files with GPU kernels, read at another commit and in the working tree: those that `icount kernels` is given, and the
// [[kernels]] tables of a suite, which `icount gate` judges, too. Read kernels/compare_kernels.h first.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/gate/git_worktree.h"
#include "icount/kernels/compare_kernels.h"
#include "icount/kernels/kernel_files.h"
#include "icount/suite/suite_spec.h"
#include "icount/verdict/gate.h"

namespace icount {

/// Two files, or one file at two commits.
struct KernelsJob {
  std::string label;             ///< of a [[kernels]] table; empty: none
  std::string place;             ///< of its definition
  std::string base, head;        ///< relative to `folder`
  std::filesystem::path folder;  ///< in the user's checkout; empty: the working folder
  KernelFilesOptions base_files, head_files;
  std::set<std::string> fail_on;  ///< of kKernelLimits
};

/// One for each of the suite's tables, with what `usual` adds to them.
std::vector<KernelsJob> expand_kernels(const Suite& suite, const KernelsJob& usual);

/// Takes away what a build of the worktree's commit will make, so that one that fails in silence leaves nothing.
void remove_built_kernels(const GitWorktree& tree, const std::vector<KernelsJob>& jobs);

/// The suite's own build commands, in the worktree; `name` is the tree's. Error{kCannotJudge} when one fails.
void build_kernels(const GitWorktree& tree, const Suite& suite, const std::string& name, const CommandContext& context);

std::vector<Cubin> load_base_kernels(const GitWorktree& tree, const KernelsJob& job, const std::string& name);
std::vector<Cubin> load_head_kernels(const KernelsJob& job);

/// What `icount gate` says of the tables: how they were judged, and what was compared.
struct JudgedKernels {
  std::vector<GateKernels> tables;
  std::vector<KernelComparison> comparisons;  ///< of those that could be compared
};

/// Both sides built already; `tree` is nullptr where no commit was named to compare with. What can't be read or
/// compared is a table with its reason.
JudgedKernels judge_kernel_tables(const std::vector<KernelsJob>& jobs, const GitWorktree* tree, const std::string& name,
                                  const CommandContext& context);

}  // namespace icount
