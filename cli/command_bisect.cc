// `icount bisect`: which commit made it dearer, and why.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/program_paths.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/cli/gate_options.h"
#include "icount/console/options.h"
#include "icount/gate/commit_sources.h"
#include "icount/gate/gate_comparison.h"
#include "icount/gate/gate_files.h"
#include "icount/gate/git_worktree.h"
#include "icount/inputs/compare_files.h"
#include "icount/inputs/diff_set_text.h"
#include "icount/inputs/git_commit.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kBisectOptions[] = {
    {"limit", "LIMIT",
     "a commit is bad when it costs more than GOOD by over this: 1%, 100, 1%+100, or fields as in [limits] (default "
     "1%)",
     true},
    {"suite", "FILE", "a suite whose [limits] count too"},
};

constexpr ExampleSpec kBisectExamples[] = {
    {"icount bisect v1.2 main -- sh -c 'make -s && icount count --out $ICOUNT_OUT -- ./calc 1+1'",
     "the commit since v1.2 that introduced a regression, and why"},
    {"icount bisect --limit 0.2% HEAD~20 HEAD -- sh -c 'icount suite run suite.toml --out $ICOUNT_OUT'",
     "the same for a suite"},
};

struct BisectOptions {
  std::string good, bad, suite;
  std::vector<std::string> limits;
  std::vector<std::string> command;
};

BisectOptions read_bisect_options(const ParsedOptions& parsed) {
  BisectOptions options;
  if (parsed.arguments().size() == 2) {
    options.good = parsed.arguments()[0];
    options.bad = parsed.arguments()[1];
  }
  options.suite = parsed.text("suite");
  options.limits = read_limit_options(parsed);
  options.command = parsed.program();
  if (options.command.empty())
    parsed.problem("no command to build and count a commit: pass -- COMMAND, which writes a result to $ICOUNT_OUT");
  parsed.check();
  return options;
}

/// Results of commits, measured at most once each.
class CommitResults {
 public:
  CommitResults(GitWorktree& tree, const BisectOptions& options, CommandContext& context)
      : tree_(tree), options_(options), context_(context), scratch_("icount-bisect") {}

  const fs::path& folder() const { return scratch_.path(); }

  /// The commit's result; Error{kCannotJudge} when the command gives none.
  const ResultFile& of(const std::string& commit, const std::string& called) {
    const auto known = results_.find(commit);
    if (known != results_.end()) return known->second;
    const fs::path file = scratch_.path() / (commit + ".icount");
    if (!fs::exists(file)) measure(commit, called, file);
    return results_[commit] = load_result_file(file).file;
  }

 private:
  void measure(const std::string& commit, const std::string& called, const fs::path& file) {
    tree_.checkout(commit);
    context_.err << fmt::format("icount: counting {} ({})\n", escape_for_terminal(called), commit.substr(0, 10));
    const ProcessOutcome outcome = run_user_command(options_.command, tree_.path(), file, context_.cancelled);
    if (context_.cancelled && context_.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
    if (!outcome.ok())
      throw Error(ErrorKind::kCannotJudge, fmt::format("{} ({}): the command gave no result: {}", called,
                                                       commit.substr(0, 10), describe_end(outcome)));
    if (!fs::exists(file))
      throw Error(ErrorKind::kCannotJudge,
                  fmt::format("{} ({}): the command wrote no result to $ICOUNT_OUT", called, commit.substr(0, 10)));
  }

  GitWorktree& tree_;
  const BisectOptions& options_;
  CommandContext& context_;
  ScratchDir scratch_;
  std::map<std::string, ResultFile> results_;
};

Verdict judge_commit(const ResultFile& good, const ResultFile& commit, const std::string& good_name,
                     const LimitSet& limits) {
  const GateSides sides{.head_name = "commit",
                        .head = &commit,
                        .base_name = good_name,
                        .base = &good,
                        .selected = [](const std::string&) { return false; }};
  return judge(make_comparison(sides, limits), limits, {.new_benchmark = Severity::kNote, .vanished = Severity::kNote});
}

void check_ends(const BisectOptions& options, const Verdict& verdict) {
  if (verdict.worst == Severity::kRefusal) return;
  const std::string reason =
      verdict.worst == Severity::kNote ? std::string("nothing there is over a limit") : verdict.findings[0].text;
  throw Error(ErrorKind::kUsage, fmt::format("{} is not worse than {}: {}; a smaller --limit finds smaller changes",
                                             options.bad, options.good, reason));
}

/// The script that `git bisect run` runs in each commit: the user's command, then the gate's verdict as git wants it.
/// 125 skips: a commit that can't be built or judged is neither good nor bad.
std::string step_script(const BisectOptions& options, const fs::path& results, const std::string& good) {
  std::vector<std::string> gate = {"--no-expected",
                                   "--baseline",
                                   (results / (good + ".icount")).string(),
                                   "--allow",
                                   "new,vanished",
                                   "--suite",
                                   options.suite.empty() ? "none" : fs::absolute(options.suite).string()};
  for (const std::string& limit : options.limits) gate.insert(gate.end(), {"--limit", limit});
  return fmt::format(
      "commit=$(git rev-parse HEAD)\n"
      "out={}/$commit.icount\n"
      "ICOUNT_OUT=$out\nexport ICOUNT_OUT\n"
      "[ -s \"$out\" ] || (exec >&2; {}) || exit 125\n"
      "[ -s \"$out\" ] || exit 125\n"
      "{} gate \"$out\" {} >&2\n"
      "case $? in 0) exit 0;; 3) exit 1;; *) exit 125;; esac\n",
      shell_quote({results.string()}), shell_quote(options.command), shell_quote({own_program().string()}),
      shell_quote(gate));
}

/// `git bisect run` in the worktree; the first bad commit, empty when only skipped ones are left.
std::string find_first_bad(const GitWorktree& tree, const std::string& good, const std::string& bad,
                           const fs::path& script, CommandContext& context) {
  git_output(tree.path(), {"bisect", "start", bad, good});
  const ProcessOutcome outcome =
      run_user_command({"git", "bisect", "run", "/bin/sh", script.string()}, tree.path(), "", context.cancelled);
  if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
  // 2: git says which commits are left, all of them skipped.
  if (outcome.ok()) return git_output(tree.path(), {"rev-parse", "--verify", "refs/bisect/bad"});
  if (outcome.end == ProcessOutcome::End::kExited && outcome.exit_code == 2) return {};
  throw Error(ErrorKind::kTool, fmt::format("git bisect run: {}", describe_end(outcome)));
}

/// Ends the bisection, however it went; the worktree is removed anyway, but git keeps its record until then.
class BisectReset {
 public:
  explicit BisectReset(const fs::path& folder) : folder_(folder) {}
  BisectReset(const BisectReset&) = delete;
  ~BisectReset() {
    // Never begun, or the worktree is in a state that its removal clears.
    ignore_failures([&] { git_output(folder_, {"bisect", "reset"}); });
  }

 private:
  fs::path folder_;
};

void explain_commit(const std::string& commit, const GitWorktree& tree, CommitResults& results,
                    CommandContext& context) {
  const std::string subject = git_output(tree.path(), {"log", "-1", "--format=%h %an %as: %s", commit});
  context.out << "first bad commit: " << escape_for_terminal(subject) << '\n' << commit << "\n\n";
  const std::string parent = resolve_commit(tree.path(), commit + "^");
  const ResultFile& head = results.of(commit, commit.substr(0, 10));
  const ResultFile& base = results.of(parent, parent.substr(0, 10));
  const TextStyle& style = context.terminal.style;
  const CommitSources between = load_commit_sources(tree.path(), parent.substr(0, 10), commit.substr(0, 10));
  CompareResultsOptions comparing;
  comparing.commits = &between;
  make_diff_set_document(compare_files(between.base_name, base, between.head_name, head, comparing), {}, style.width)
      .render_text(context.out, style);
}

ExitCode run_bisect(const ParsedOptions& parsed, CommandContext& context) {
  const BisectOptions options = read_bisect_options(parsed);
  const LimitSet limits = collect_limits(options.suite, options.limits);
  const std::string good = resolve_commit(".", options.good), bad = resolve_commit(".", options.bad);
  GitWorktree tree(".", bad, make_worktrees_folder(context.environment));
  CommitResults results(tree, options, context);
  const ResultFile& good_result = results.of(good, options.good);
  check_ends(options, judge_commit(good_result, results.of(bad, options.bad), options.good, limits));
  const fs::path script = results.folder() / "step.sh";
  save_file(script, step_script(options, results.folder(), good));
  std::string guilty;
  {
    BisectReset reset(tree.path());
    guilty = find_first_bad(tree, good, bad, script, context);
  }
  if (guilty.empty())
    throw Error(ErrorKind::kCannotJudge,
                "every commit that is left was skipped: none of them could be built, counted and judged (git listed "
                "them above)");
  explain_commit(guilty, tree, results, context);
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& bisect_command() {
  static const CommandSpec command = {
      .name = "bisect",
      .summary = "find the commit that introduced a regression, and explain it against its parent",
      .arguments = "GOOD BAD -- COMMAND ARGS...",
      .description =
          "COMMAND builds and counts the commit it is run in and writes the result to the file that $ICOUNT_OUT names "
          "(`icount count --out`, `icount suite run --out`). A commit in which it fails, "
          "with 125 or anything else, is skipped. `git bisect run` chooses the commits, in a worktree of its own: your "
          "checkout stays as it is.\n\n"
          "A commit is bad when the gate refuses it against GOOD (docs/gate.md). Exit code 0: found; 125: only skipped "
          "commits are left; 2: BAD is not worse than GOOD.",
      .options = kBisectOptions,
      .examples = kBisectExamples,
      .min_arguments = 2,
      .max_arguments = 2,
      .takes_program = true,
      .run = run_bisect,
  };
  return command;
}

}  // namespace icount
