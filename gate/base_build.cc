#include "icount/gate/base_build.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/gate/git_worktree.h"
#include "icount/store/result_file.h"

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
  return fs::path(git_output(folder_of(suite), {"rev-parse", "--show-prefix"})) / suite.filename();
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

WorkingFolder::WorkingFolder(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }

WorkingFolder::~WorkingFolder() {
  std::error_code ignored;  // gone meanwhile: there is nowhere to go back to
  fs::current_path(before_, ignored);
}

BaseResult measure_base(const BaseBuild& build, CommandContext& context) {
  const fs::path inside = build.suite.empty() ? fs::path(".") : folder_of(build.suite);
  return measure_in_worktree(GitWorktree(inside, build.reference, build.worktrees), build, context);
}

BaseResult measure_in_worktree(const GitWorktree& tree, const BaseBuild& build, CommandContext& context) {
  ScratchDir scratch("icount-base");
  const fs::path out = scratch.path() / "base.icount";
  BaseResult base;
  base.name = fmt::format("{} ({})", build.reference, resolve_commit(tree.path(), "HEAD").substr(0, 10));
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
