#include "icount/gate/base_build.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/gate/git_worktree.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

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
/// includes then mean that commit's files. A process of its own, because the working folder belongs to the whole
/// process.
void run_suite_there(const BaseBuild& build, const fs::path& tree, const fs::path& out, const std::string& name,
                     CommandContext& context) {
  if (build.suite.empty())
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("{} has no result: --build must write one to $ICOUNT_OUT where no suite is known", name));
  const fs::path suite = path_in_repository(build.suite);
  if (!fs::exists(tree / suite))
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("{} has no {} (every benchmark is new there)", name, suite.string()));
  const bool same_repository =
      git_output(folder_of(build.suite), {"rev-parse", "--show-toplevel"}) == git_toplevel(".");
  const fs::path folder =
      same_repository ? tree / git_output(".", {"rev-parse", "--show-prefix"}) : (tree / suite).parent_path();
  std::vector<std::string> argv = {
      "/bin/sh", "-c", "exec \"$@\" >/dev/null", "icount", fs::read_symlink("/proc/self/exe").string(), "suite", "run"};
  argv.insert(argv.end(), build.words.begin(), build.words.end());
  argv.push_back("--out=" + out.string());
  argv.push_back(fs::relative(tree / suite, fs::exists(folder) ? folder : tree).string());
  const ProcessOutcome outcome = run_user_command(argv, fs::exists(folder) ? folder : tree, "", context.cancelled);
  if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
  // 1: some benchmarks failed, the others are there.
  const bool measured = outcome.end == ProcessOutcome::End::kExited &&
                        (outcome.exit_code == 0 || outcome.exit_code == 1) && fs::exists(out);
  if (!measured)
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("{}: {} could not be measured: {}", name, suite.string(), describe_end(outcome)));
}

}  // namespace

BaseResult measure_base(const BaseBuild& build, CommandContext& context) {
  const fs::path inside = build.suite.empty() ? fs::path(".") : folder_of(build.suite);
  GitWorktree tree(inside, build.reference);
  ScratchDir scratch("icount-base");
  const fs::path out = scratch.path() / "base.icount";
  BaseResult base;
  base.name = fmt::format("{} ({})", build.reference, resolve_commit(tree.path(), "HEAD").substr(0, 10));
  if (!build.command.empty()) {
    const ProcessOutcome outcome =
        run_user_command({"/bin/sh", "-c", build.command}, tree.path(), out, context.cancelled);
    if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
    if (!outcome.ok())
      throw Error(ErrorKind::kCannotJudge,
                  fmt::format("--build at {}: {}: {}", base.name, build.command, describe_end(outcome)));
  }
  if (!fs::exists(out)) run_suite_there(build, tree.path(), out, base.name, context);
  base.file = load_result_file(out).file;
  return base;
}

}  // namespace icount
