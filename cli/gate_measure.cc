#include "cli/gate_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/scratch_dir.h"
#include "cli/command_suite_run.h"
#include "cli/git_worktree.h"
#include "cli/options.h"
#include "store/result_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPassed[] = {"filter",  "language", "shard",    "number",  "repeats",
                                        "timeout", "retries",  "jobs",     "no-warm", "cores",
                                        "torch",   "python",   "compiler", "cxxflag", "link-flag"};

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

const std::vector<OptionSpec>& suite_run_pass_options() {
  static const std::vector<OptionSpec> rows = [] {
    std::vector<OptionSpec> found;
    for (const OptionSpec& row : suite_run_command().options)
      if (std::find(std::begin(kPassed), std::end(kPassed), row.name) != std::end(kPassed)) found.push_back(row);
    return found;
  }();
  return rows;
}

std::vector<std::string> passed_words(const ParsedOptions& parsed) {
  std::vector<std::string> words;
  for (const OptionSpec& row : suite_run_pass_options()) {
    if (!parsed.has(row.name)) continue;
    if (row.value.empty()) {
      words.push_back(fmt::format("--{}", row.name));
    } else {
      for (const std::string& value : parsed.texts(row.name)) words.push_back(fmt::format("--{}={}", row.name, value));
    }
  }
  return words;
}

ResultFile measure_suite(const std::string& suite, const std::vector<std::string>& words, const fs::path& out,
                         CommandContext& context) {
  std::vector<std::string> all = words;
  all.push_back("--out=" + out.string());
  all.push_back(suite);
  std::ostringstream table;
  CommandContext inner{.out = table,
                       .err = context.err,
                       .terminal = {},
                       .error_terminal = context.error_terminal,
                       .environment = context.environment,
                       .cancelled = context.cancelled,
                       .arguments = {"suite", "run"}};
  inner.arguments.insert(inner.arguments.end(), all.begin(), all.end());
  suite_run_command().run(parse_options(suite_run_command(), all), inner);
  if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
  return load_result_file(out).file;
}

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
