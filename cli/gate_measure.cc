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

constexpr std::string_view kPassed[] = {"filter", "language", "shard", "number", "repeats", "timeout", "retries", "jobs", "warm", "cores", "torch", "python", "compiler", "cxxflag", "link-flag"};

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// The suite's path from the top of its repository.
fs::path path_in_repository(const fs::path& suite) {
  return fs::path(git_output(folder_of(suite), {"rev-parse", "--show-prefix"})) / suite.filename();
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

ResultFile measure_suite(const std::string& suite, const std::vector<std::string>& words, const fs::path& out, CommandContext& context) {
  std::vector<std::string> all = words;
  all.push_back("--out=" + out.string());
  all.push_back(suite);
  std::ostringstream table;
  CommandContext inner{.out = table, .err = context.err, .terminal = {}, .error_terminal = context.error_terminal, .environment = context.environment,
                       .cancelled = context.cancelled, .arguments = {"suite", "run"}};
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
    const ProcessOutcome outcome = run_user_command({"/bin/sh", "-c", build.command}, tree.path(), out, context.cancelled);
    if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
    if (!outcome.ok()) throw Error(ErrorKind::kCannotJudge, fmt::format("--build at {}: {}: {}", base.name, build.command, describe_end(outcome)));
    if (fs::exists(out)) {
      base.file = load_result_file(out).file;
      return base;
    }
  }
  if (build.suite.empty())
    throw Error(ErrorKind::kCannotJudge, fmt::format("{} has no result: --build must write one to $ICOUNT_OUT where no suite is known", base.name));
  const fs::path suite = tree.path() / path_in_repository(build.suite);
  if (!fs::exists(suite)) throw Error(ErrorKind::kCannotJudge, fmt::format("{} has no {} (every benchmark is new there)", base.name, path_in_repository(build.suite).string()));
  base.file = measure_suite(suite.string(), build.words, out, context);
  return base;
}

}  // namespace icount
