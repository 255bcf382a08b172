#include "icount/gate/base_build.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/gate/git_worktree.h"
#include "icount/store/result_file.h"
#include "icount/suite/definition_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Empty outside of a repository.
std::string git_toplevel(const fs::path& folder) {
  try {
    return git_output(folder, {"rev-parse", "--show-toplevel"});
  } catch (const Error&) {
    return {};
  }
}

/// The suite's path from the top of its repository.
fs::path path_in_repository(const fs::path& suite) {
  const fs::path folder = folder_of(suite);
  return fs::path(git_output(folder, {"rev-parse", "--show-prefix"})) / suite.lexically_relative(folder);
}

/// Folders of headers that a suite names, below the top folder `top` and relative to it.
std::vector<std::string> include_folders(const fs::path& suite, const fs::path& top) {
  std::vector<std::string> folders;
  for (const fs::path& folder : load_suite(suite).library.include_dirs) {
    const fs::path below = fs::weakly_canonical(folder).lexically_relative(fs::weakly_canonical(top));
    if (!below.empty() && below != "." && *below.begin() != "..") folders.push_back(below.string());
  }
  return folders;
}

/// What belongs to a suite: the files that it includes and its folder, relative to the top folder `top`.
std::vector<std::string> paths_of_suite(const fs::path& suite, const fs::path& top) {
  std::vector<std::string> paths;
  for (const fs::path& file : load_suite(suite).files) paths.push_back(fs::relative(file, top).string());
  const fs::path folder = fs::relative(folder_of(suite), top);
  if (folder != ".") paths.push_back(folder.string());
  return paths;
}

/// The commit's own suite, measured from the folder of the worktree that corresponds to ours: relative paths and quoted
/// includes then mean that commit's files.
ResultFile measure_suite_there(const BaseBuild& build, const fs::path& tree, const fs::path& suite, const fs::path& out,
                               const std::string& name) {
  const bool same_repository =
      git_output(folder_of(build.suite), {"rev-parse", "--show-toplevel"}) == git_toplevel(".");
  const fs::path wanted =
      same_repository ? tree / git_output(".", {"rev-parse", "--show-prefix"}) : (tree / suite).parent_path();
  const fs::path folder = fs::exists(wanted) ? wanted : tree;
  const WorkingFolder there(folder);
  return in_context(fmt::format("measuring {} at {}", suite.string(), name),
                    [&] { return build.measure(fs::relative(tree / suite, folder).string(), out); });
}

}  // namespace

void run_build_command(const std::string& command, const fs::path& folder, const fs::path& out,
                       const std::string& where, const CommandContext& context) {
  if (command.empty()) return;
  const ProcessOutcome outcome = run_user_command({"/bin/sh", "-c", command}, folder, out, context.cancelled);
  if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
  if (!outcome.ok())
    throw Error(ErrorKind::kCannotJudge, fmt::format("--build at {}: {}: {}", where, command, describe_end(outcome)));
}

CarriedSuite::CarriedSuite(const GitWorktree& tree, const std::string& suite, const std::string& from) {
  if (from.empty()) return;
  from_ = resolve_commit(folder_of(suite), from);
  tree.checkout(from_);
  const fs::path there = tree.path() / path_in_repository(suite);
  if (!fs::exists(there))
    throw Error(ErrorKind::kUsage,
                fmt::format("--suite-from {}: that commit has no {}", from, path_in_repository(suite).string()));
  paths_ = paths_of_suite(there, tree.path());
  folders_ = include_folders(there, tree.path());
}

void CarriedSuite::checkout(const GitWorktree& tree, const std::string& commit) const {
  tree.checkout(commit);
  if (paths_.empty()) return;
  std::vector<std::string> words = {"checkout", "--quiet", from_, "--"};
  words.insert(words.end(), paths_.begin(), paths_.end());
  for (const std::string& folder : folders_)
    if (!fs::exists(tree.path() / folder)) words.push_back(folder);
  git_output(tree.path(), words);
}

void check_suite_from(const std::string& suite, const std::string& from) {
  if (!fs::exists(suite))
    throw Error(ErrorKind::kUsage, fmt::format("--suite-from {}: {} is not here, where head is measured: `git checkout "
                                               "{} -- {}` and commit it first",
                                               from, suite, from, suite));
  const fs::path top = git_output(folder_of(suite), {"rev-parse", "--show-toplevel"});
  std::vector<std::string> words = {"diff", "--name-only", resolve_commit(folder_of(suite), from), "--"};
  const std::vector<std::string> paths = paths_of_suite(fs::canonical(suite), top);
  words.insert(words.end(), paths.begin(), paths.end());
  const std::string changed = git_output(top, words);
  if (!changed.empty())
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--suite-from {}: {} differs from that commit here, where head is measured: commit it first", from,
                    first_line(changed)));
}

WorkingFolder::WorkingFolder(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }

WorkingFolder::~WorkingFolder() {
  std::error_code ignored;  // gone meanwhile: there is nowhere to go back to
  fs::current_path(before_, ignored);
}

BaseResult measure_in_worktree(const GitWorktree& tree, const BaseBuild& build, CommandContext& context) {
  ScratchDir scratch("icount-base");
  const fs::path out = scratch.path() / "base.icount";
  BaseResult base;
  base.name = tree.name(build.reference);
  run_build_command(build.command, tree.path(), out, base.name, context);
  if (fs::exists(out)) {
    base.file = load_result_file(out).file;
    return base;
  }
  if (build.suite.empty())
    throw Error(
        ErrorKind::kCannotJudge,
        fmt::format("{} has no result: --build must write one to $ICOUNT_OUT where no suite is known", base.name));
  const fs::path suite = path_in_repository(build.suite);
  if (fs::exists(tree.path() / suite))
    base.file = measure_suite_there(build, tree.path(), suite, out, base.name);
  else
    base.absent = suite.string();
  return base;
}

}  // namespace icount
