// `icount history measure`: the runs of a range of commits, for a history that begins before anybody kept one.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/cli/gate_case.h"
#include "icount/cli/store_to_write.h"
#include "icount/cli/suite_run_options.h"
#include "icount/console/options.h"
#include "icount/gate/git_worktree.h"
#include "icount/inputs/git_commit.h"
#include "icount/inputs/open_store.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kOwnOptions[] = {
    {"", "", "what to measure"},
    {"suite", "FILE", "the suite (default suite.toml), as each commit has it"},
    {"suite-from", "COMMIT",
     "the suite as this commit has it, with what it includes and the folder that it is in, unless that is the top"},
    {"build", "CMD",
     "shell command run first, in the top folder; a result that it writes to $ICOUNT_OUT is the commit's"},
    {"", "", "where to keep it"},
    kStoreOption,
    {"branch", "NAME", "the runs' branch (default: the one that has the commit in its own line, main before others)"},
    {"name", "NAME", "a name for the runs"},
};

constexpr ExampleSpec kExamples[] = {
    {"icount history measure HEAD~10..HEAD --suite-from HEAD", "the last ten commits, by today's suite"},
    {"icount history measure v1.0..main --build 'cmake --build build'", "commits that have a suite of their own"},
};

struct Options {
  std::string range, suite, suite_from, build;
  RunTag tag;
  SuiteRunOptions measuring;
};

Options read_options(const ParsedOptions& parsed) {
  Options options;
  if (!parsed.arguments().empty()) options.range = parsed.arguments()[0];
  options.suite = parsed.text("suite", "suite.toml");
  options.suite_from = parsed.text("suite-from");
  options.build = parsed.text("build");
  options.tag.name = parsed.text("name");
  options.tag.branch = parsed.text("branch");
  options.measuring = read_suite_measuring_options(parsed);
  if (options.range.find("..") == std::string::npos || options.range.starts_with('-'))
    parsed.problem(fmt::format("'{}' is no range of commits; write A..B, which begins behind A", options.range));
  parsed.check();
  return options;
}

/// Measures commit after commit in one worktree, so that a build finds what the one before left.
class RangeMeasurer {
 public:
  RangeMeasurer(const Options& options, const std::vector<std::string>& commits, CommandContext& context)
      : options_(options),
        context_(context),
        tree_(folder_of(options.suite), commits.front(), make_worktrees_folder(context.environment)),
        carried_(tree_, options.suite, options.suite_from),
        measure_(suite_measurer(options.measuring, context)) {}

  /// Error where the commit has nothing that could be counted.
  ResultFile measure(const std::string& commit) {
    carried_.checkout(tree_, commit);
    BaseResult measured = measure_in_worktree(tree_, {"commit", options_.build, options_.suite, measure_}, context_);
    if (!measured.absent.empty())
      throw Error(ErrorKind::kCannotJudge, fmt::format("it has no {}; --suite-from brings one", measured.absent));
    const std::vector<Result>& results = measured.file.results;
    if (std::none_of(results.begin(), results.end(), [](const Result& result) { return result.ok(); }))
      throw Error(ErrorKind::kCannotJudge, results.empty() ? "there is no benchmark"
                                                           : fmt::format("no benchmark could be counted: {}",
                                                                         first_line(results.front().error)));
    return std::move(measured.file);
  }

 private:
  const Options& options_;
  CommandContext& context_;
  GitWorktree tree_;
  CarriedSuite carried_;
  MeasureSuite measure_;
};

ExitCode run_history_measure(const ParsedOptions& parsed, CommandContext& context) {
  const Options options = read_options(parsed);
  const fs::path folder = folder_of(options.suite);
  const std::string listed = git_output(folder, {"rev-list", "--reverse", "--first-parent", options.range, "--"});
  std::vector<std::string> commits;
  for (const std::string_view line : split_lines(listed)) commits.emplace_back(line);
  if (commits.empty()) throw Error(ErrorKind::kUsage, fmt::format("{}: there is no commit in it", options.range));
  std::map<std::string, std::string> branches;
  if (!parsed.has("branch")) branches = probe_branches(commits, options.range, folder);
  History history = open_store_to_write(parsed.text("store"), context, OpenMode::kCreate);
  RangeMeasurer measurer(options, commits, context);
  std::vector<std::string> skipped;
  int64_t measured = 0, there = 0;
  for (size_t i = 0; i < commits.size(); ++i) {
    RunTag tag = options.tag;
    if (!parsed.has("branch")) tag.branch = branches[commits[i]];
    tag.commit = probe_commit(commits[i], folder).value_or(CommitInfo{.hash = commits[i]});
    const std::string called = fmt::format("{} {}", commits[i].substr(0, 10), tag.commit.subject);
    if (history.newest_run({.name = tag.name, .commit = commits[i]})) {
      ++there;
      continue;
    }
    context.err << fmt::format("icount: {}/{}: {}\n", i + 1, commits.size(), escape_for_terminal(called));
    try {
      const ResultFile file = measurer.measure(commits[i]);
      tag.unix_time = static_cast<int64_t>(std::time(nullptr));
      history.import(file, tag, called);
      ++measured;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kIo || (context.cancelled && context.cancelled())) throw;
      skipped.push_back(fmt::format("{}: {}", called, first_line(error.what())));
    }
  }
  context.out << fmt::format("{} measured, {} known from before, {} skipped: {}\n", counted(measured, "commit"), there,
                             skipped.size(), escape_for_terminal(history.url().text));
  for (const std::string& one : skipped) context.out << "  skipped " << escape_for_terminal(one) << '\n';
  return measured + there > 0 ? ExitCode::kOk : ExitCode::kCannotJudge;
}

}  // namespace

const CommandSpec& history_measure_command() {
  static const std::vector<OptionSpec> table = [] {
    std::vector<OptionSpec> all(std::begin(kOwnOptions), std::end(kOwnOptions));
    all.insert(all.end(), suite_measuring_options().begin(), suite_measuring_options().end());
    return all;
  }();
  static const CommandSpec command = {
      .name = "history measure",
      .summary = "measure a range of commits and file each in the history",
      .arguments = "A..B",
      .description =
          "Each commit behind A up to B, along first parents, is checked out in a worktree, built and "
          "measured, and filed under its hash. A commit that the history has under that --name is not measured again: "
          "after an interruption the same command goes on. One that cannot be built or counted is skipped and named.",
      .options = table,
      .examples = kExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_history_measure,
  };
  return command;
}

}  // namespace icount
