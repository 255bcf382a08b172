#include "icount/cli/diff_refs.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/cli/run_suite.h"
#include "icount/console/terminal.h"
#include "icount/gate/base_build.h"
#include "icount/gate/commit_sources.h"
#include "icount/gate/coverage_build.h"
#include "icount/gate/git_worktree.h"
#include "icount/gate/hunk_proof.h"
#include "icount/inputs/git_commit.h"
#include "icount/inputs/measure_program.h"
#include "icount/store/result_file.h"
#include "icount/timer/count_bench.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

class RefsMeasurer {
 public:
  RefsMeasurer(const DiffRefsOptions& options, CommandContext& context)
      : options_(options),
        context_(context),
        inside_(options.suite.empty() ? fs::path(".") : folder_of(options.suite)),
        top_(git_output(inside_, {"rev-parse", "--show-toplevel"})) {}

  MeasuredRefs measure() {
    resolve_commit(inside_, options_.base_ref);
    if (!options_.head_ref.empty()) resolve_commit(inside_, options_.head_ref);
    check_program();
    if (!options_.suite_from.empty() && options_.head_ref.empty())
      check_suite_from(options_.suite, options_.suite_from);
    MeasuredRefs measured{.sides = {}, .commits = load_commit_sources(inside_, options_.base_ref, options_.head_ref)};
    DiffSides& sides = measured.sides;
    {
      GitWorktree tree(inside_, options_.base_ref, make_worktrees_folder(context_.environment));
      for (auto& roots : measured.commits.roots) roots.push_back(tree.path().string());
      const CarriedSuite carried(tree, options_.suite, options_.suite_from);
      carried.checkout(tree, resolve_commit(inside_, options_.base_ref));
      sides.base = measure_commit(tree, options_.base_ref);
      if (!options_.head_ref.empty()) {
        carried.checkout(tree, resolve_commit(inside_, options_.head_ref));  // what is built in it is reused
        sides.head = measure_commit(tree, options_.head_ref);
      }
    }
    if (options_.head_ref.empty()) sides.head = measure_working_tree();
    if (options_.source_counts)
      measured.commits.counts = {count_lines(options_.base_ref), count_lines(options_.head_ref)};
    if (options_.remarks) measured.records = {record(options_.base_ref), record(options_.head_ref)};
    return measured;
  }

 private:
  /// Such a program would be the same on both sides.
  void check_program() const {
    const std::string named = !options_.bench.empty()    ? options_.bench
                              : options_.program.empty() ? std::string()
                                                         : options_.program[0];
    if (!fs::path(named).is_absolute()) return;
    const fs::path program = fs::weakly_canonical(named);
    if (program.lexically_relative(fs::weakly_canonical(top_)).string().starts_with("..")) return;
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{} is a file of the working tree, not of a commit: name it relative to this folder", named));
  }

  DiffSide measure_commit(const GitWorktree& tree, const std::string& reference) {
    StatusLine progress(context_.err, context_.error_terminal);
    progress.say(fmt::format("building and measuring {}", reference));
    if (options_.program.empty() && options_.bench.empty()) {
      const MeasureSuite measure = [&](const std::string& suite, const fs::path& out) {
        return measure_suite(suite, out);
      };
      BaseResult measured = measure_in_worktree(tree, {reference, options_.build, options_.suite, measure}, context_);
      if (!measured.absent.empty())
        throw Error(ErrorKind::kCannotJudge, fmt::format("{} has no {}; --suite-from brings that of another commit",
                                                         measured.name, measured.absent));
      return make_side(measured.name, std::move(measured.file));
    }
    const std::string name = tree.name(reference);
    ScratchDir scratch("icount-base");
    const fs::path out = scratch.path() / "base.icount";
    const fs::path folder = tree.path() / git_output(".", {"rev-parse", "--show-prefix"});
    if (!options_.build.empty())
      GitWorktree::remove_built(
          folder, options_.bench.empty() && !options_.program.empty() ? options_.program[0] : options_.bench);
    run_build_command(options_.build, tree.path(), out, name, context_);
    if (fs::exists(out)) return make_side(name, load_result_file(out).file);
    return measure_program_in(folder, name);
  }

  SourceCounts count_lines(const std::string& reference) {
    StatusLine progress(context_.err, context_.error_terminal);
    progress.say(fmt::format("counting source lines of {}", reference.empty() ? "the working tree" : reference));
    const bool has_own = !options_.coverage_build.empty();
    return count_source_lines(inside_,
                              {reference, has_own ? options_.coverage_build : options_.build, has_own, options_.program,
                               options_.time_limit_s},
                              make_worktrees_folder(context_.environment), context_);
  }

  CompilerRecords record(const std::string& reference) {
    StatusLine progress(context_.err, context_.error_terminal);
    progress.say(
        fmt::format("building {} for the compiler's records", reference.empty() ? "the working tree" : reference));
    return record_decisions(inside_, reference, options_.build, make_worktrees_folder(context_.environment), context_);
  }

  DiffSide measure_working_tree() {
    const std::string name = "working tree";
    ScratchDir scratch("icount-head");
    const fs::path out = scratch.path() / "head.icount";
    run_build_command(options_.build, top_, out, name, context_);
    if (fs::exists(out)) return make_side(name, load_result_file(out).file);
    if (!options_.bench.empty()) return measure_program_in({}, name);
    if (options_.program.empty() && options_.suite.empty())
      throw Error(ErrorKind::kCannotJudge,
                  fmt::format("{} has no result: --build must write one to $ICOUNT_OUT", name));
    return options_.program.empty() ? make_side(name, measure_suite(options_.suite, out))
                                    : measure_program_in({}, name);
  }

  ResultFile measure_suite(const std::string& suite, const fs::path& out) {
    SuiteRunOptions measuring = default_suite_run_options();
    measuring.file = suite;
    measuring.out = out.string();
    measuring.jumps = options_.jumps;
    measuring.plan.filter = options_.filter;
    measuring.plan.may_be_empty = !options_.filter.empty();
    if (run_suite(measuring, context_).cancelled) throw Error(ErrorKind::kTool, "interrupted");
    return load_result_file(out).file;
  }

  DiffSide measure_program_in(const fs::path& folder, const std::string& name) {
    const fs::path program = options_.bench.empty() ? options_.program[0] : options_.bench;
    if (program.is_relative() && program.has_parent_path() && !fs::exists(folder / program))
      throw Error(
          ErrorKind::kCannotJudge,
          fmt::format("{} has no program {}; --build CMD must make it, in the top folder", name, program.string()));
    if (!options_.bench.empty()) return measure_bench_in(folder, name);
    MeasureProgramOptions measure;
    measure.argv = options_.program;
    measure.working_dir = folder.string();
    measure.time_limit_s = options_.time_limit_s;
    measure.jumps = options_.jumps;
    measure.code = KeptCode::kAll;
    measure.again_by_chance = true;
    ResultFile file;
    file.results = in_context("at " + name, [&] { return measure_program(measure, context_); });
    for (const Result& result : file.results)
      if (!result.ok())
        throw Error(ErrorKind::kTool, fmt::format("at {}: {}: {}; failed benchmarks are not compared", name,
                                                  result_key(result), result.error));
    return make_side(name, std::move(file));
  }

  /// Cases that fail are listed by the comparison; a binary in which nothing could be counted is an Error.
  DiffSide measure_bench_in(const fs::path& folder, const std::string& name) {
    const WorkingFolder there(folder.empty() ? fs::path(".") : folder);
    BenchOptions bench;
    bench.argv = {options_.bench};
    bench.argv.insert(bench.argv.end(), options_.program.begin(), options_.program.end());
    bench.time_limit = Seconds(options_.time_limit_s);
    bench.environment = context_.environment;
    bench.cancelled = context_.cancelled;
    bench.jumps = options_.jumps;
    BenchCount count = in_context("at " + name, [&] { return count_bench(bench); });
    for (const std::string& note : count.notes) context_.warn(note);
    ResultFile file;
    file.results = std::move(count.results);
    return make_side(name, std::move(file));
  }

  static DiffSide make_side(const std::string& name, ResultFile file) {
    if (file.results.empty()) throw Error(ErrorKind::kCannotJudge, name + ": contains no result to compare");
    return {.name = name, .saved = true, .file = std::move(file)};
  }

  const DiffRefsOptions& options_;
  CommandContext& context_;
  fs::path inside_, top_;
};

}  // namespace

MeasuredRefs measure_refs(const DiffRefsOptions& options, CommandContext& context) {
  return RefsMeasurer(options, context).measure();
}

MixtureCounter::Count mixture_count(double time_limit_s, CommandContext& context) {
  return [time_limit_s, &context](const MixtureProgram& program) {
    MeasureProgramOptions measure;
    measure.argv = program.argv;
    measure.working_dir = program.folder.string();
    measure.time_limit_s = time_limit_s;
    measure.jumps = false;
    const std::vector<Result> results = measure_program(measure, context);
    const std::optional<int64_t> count = median_count(results.front());
    if (!results.front().ok() || !count) throw Error(ErrorKind::kTool, results.front().error);
    return *count;
  };
}

void prove_refs(const DiffRefsOptions& options, const CommitSources& commits, int64_t base_count, int64_t head_count,
                CommandContext& context, Mine& mine) {
  ProofBuild build{.base = options.base_ref,
                   .head = options.head_ref,
                   .build = options.build,
                   .program = options.program,
                   .time_limit_s = options.time_limit_s,
                   .most_builds = options.most_proofs,
                   .base_count = base_count,
                   .head_count = head_count};
  build.count = mixture_count(options.time_limit_s, context);
  prove_units(".", build, commits, make_worktrees_folder(context.environment), context, mine);
}

CommitsBetween read_commits_between(const ParsedOptions& parsed) {
  CommitsBetween between;
  between.patch = parsed.text("patch");
  if (parsed.has("repo")) between.repository = parsed.text("repo");
  parsed.excludes("patch", "commits");
  if (parsed.has("repo") && !parsed.has("patch") && !parsed.has("commits"))
    parsed.problem("--repo is for --patch or --commits");
  if (!parsed.has("commits")) return between;
  const std::string range = parsed.text("commits");
  const size_t dots = range.find("..");
  if (dots == 0 || dots == std::string::npos || dots + 2 == range.size() || range[dots + 2] == '.') {
    parsed.problem("--commits takes two commits as A..B");
    return between;
  }
  between.base = range.substr(0, dots);
  between.head = range.substr(dots + 2);
  return between;
}

std::optional<CommitSources> load_commits_between(const CommitsBetween& between) {
  if (!between.patch.empty()) return load_patch_sources(between.patch, between.repository);
  if (!between.base.empty()) return load_commit_sources(between.repository, between.base, between.head);
  return std::nullopt;
}

std::optional<CommitSources> find_commits_between(const fs::path& inside, const std::string& base,
                                                  const std::string& head, CommandContext& context) {
  constexpr size_t kShown = 10;
  const auto is_here = [&](const std::string& commit) { return probe_commit(commit, inside).has_value(); };
  if (base == head || !is_here(base) || !(head.empty() || is_here(head))) return std::nullopt;
  try {
    return load_commit_sources(inside, base.substr(0, kShown), head.substr(0, kShown));
  } catch (const Error& error) {
    context.warn(fmt::format("what lies between the commits is not known: {}", error.what()));
    return std::nullopt;
  }
}

}  // namespace icount
