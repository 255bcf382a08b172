// `icount diff BASE HEAD`: the causes of a difference, which add up to it exactly. The main job of icount.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <ostream>
#include <tuple>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/cli/diff_refs.h"
#include "icount/cli/name_options.h"
#include "icount/cli/write_document.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/gate/commit_sources.h"
#include "icount/gate/object_proof.h"
#include "icount/gate/past_moves.h"
#include "icount/inputs/compare_files.h"
#include "icount/inputs/diff_set_text.h"
#include "icount/inputs/diff_side.h"
#include "icount/inputs/listing_sources.h"
#include "icount/inputs/open_store.h"
#include "icount/report/explanation_document.h"
#include "icount/report/explanation_json.h"
#include "icount/suite/plan.h"
#include "icount/verdict/gate_limit.h"

namespace icount {
namespace {

constexpr OptionSpec kDiffOptions[] = {
    {"", "", "what to compare"},
    {"event", "EVENT", "the event to explain, also allocations or frees (default: the first that both sides have)"},
    {"calls", "trusted|untrusted", "whether to use the call counts of the profiles (default: detected)"},
    {"force", "", "compare results even if they were measured under different conditions; the output says so"},
    {"raw", "", "match only equal names, and print them in full"},
    {"rename", "OLD=NEW",
     "the last resort when functions are not matched: rewrite the function names of both sides before matching; OLD is "
     "a regular expression (RE2) and every match becomes NEW, where \\1 is its first group; \\= is a '=' in OLD",
     true},
    {"open-cluster", "NAME", "break down the cycle that contains NAME, even where its causes cancel out"},
    {"run", "", "run an executable even if it is named like a data file (.icount, .json, callgrind.out...)"},
    {"fresh", "", "measure an executable again even if its result is cached"},
    {"base-ref", "COMMIT",
     "measure PROGRAM or --suite at this commit, in a worktree; head is --head-ref or the working tree"},
    {"head-ref", "COMMIT", "measure head at this commit (default: the working tree)"},
    {"build", "CMD",
     "with --base-ref: shell command that builds a commit, run in its top folder; a result that it writes to "
     "$ICOUNT_OUT is compared in place of PROGRAM or --suite"},
    {"suite", "FILE", "with --base-ref: the suite to measure, instead of PROGRAM"},
    {"suite-from", "COMMIT", "with --suite: measure it on both sides as this commit has it"},
    {"filter", "REGEX", "of several benchmarks compare those whose name contains a match (RE2)"},
    {"bench", "BINARY", "with --base-ref: the benchmark binary to count (`icount bench`); its arguments follow --"},
    kPatchOption,
    kCommitsOption,
    kRepositoryOption,
    {"source-counts", "",
     "with --base-ref and PROGRAM: build both commits for coverage, too, and run them natively: how often each source "
     "line runs tells the compiler's changes from other work (gcc)"},
    {"coverage-build", "CMD",
     "with --source-counts: shell command that builds with -O0 --coverage -fprofile-abs-path (default: --build, with "
     "compilers in PATH that add these)"},
    {"remarks", "",
     "with --base-ref and --build: build both commits once more for what gcc or clang records of its decisions; say "
     "which decisions about the causes' code differ: inlined or not and why, loops vectorised or unrolled"},
    {"prove", "N",
     "with --base-ref and PROGRAM: build and count base with the hunks of one unit alone, and head without them, in N "
     "builds at most"},
    {"relink", "CMD",
     "for two programs that are still in the folders where CMD linked them (-o and objects are relative to these): "
     "count base with each differing object alone, and head without it"},
    {"timeout", "SECONDS", "stop a program that runs longer (default: no limit)"},
    {"no-jumps", "",
     "do not record jumps of what is measured: a few percent faster, but functions are not explained inside"},
    kStoreOption,
    {"", "", "what to show"},
    {"top", "N", "show N causes; 0 shows all (default: until 95 % of the gross change is covered, at most 30)"},
    {"all", "", "show every cause, and what groups of causes are made of"},
    {"functions", "", "also print a table of self costs by function"},
    {"open", "FUNCTION",
     "list FUNCTION side by side, loop by loop and line by line; for profiles with --dump-instr=yes "
     "--collect-jumps=yes. For a Python function: list the C functions that it calls",
     true},
    {"c-functions", "", "explain Python statements by C functions, not by the Python functions that call them"},
    {"no-open", "", "explain by functions alone; do not look into the leading ones"},
    kNoSourceOption,
    {"format", "text|markdown|json", "form of the output (default text; JSON always has every cause)"},
    kValgrindOption,
    kCounterOption,
    kPathsOption,
    {"", "", "exit code"},
    {"fail-over", "P%|N", "exit with code 3 when head costs more than P percent, or more than N Ir, above base"},
};

constexpr ExampleSpec kDiffExamples[] = {
    {"icount diff callgrind.out.1234 callgrind.out.5678", "why the second run cost more, or less, than the first"},
    {"icount diff ./calc-old ./calc-new", "run two programs under Valgrind and explain the difference"},
    {"icount diff './calc 1+1' './calc 1+1+1'", "the same program, two inputs"},
    {"icount diff --open longest_match base.out head.out", "one function side by side, loop by loop and line by line"},
    {"icount diff @v1.2 @HEAD", "two commits whose runs were stored with `icount store import`"},
    {"icount diff --base-ref main --build 'make -s' -- ./calc 1+1", "a program at main and as it is now, and why"},
    {"icount diff --base-ref v1.1 --head-ref v1.2 --suite suite.toml", "a suite at two commits"},
    {"icount diff --rename '^v1::=v2::' base.icount head.icount", "functions moved to another namespace in between"},
    {"icount diff --fail-over 0.5% main.icount branch.icount",
     "a gate: exit code 3 when the branch costs over 0.5 % more"},
};

struct DiffOptions {
  std::string base, head;
  DiffRefsOptions refs;    ///< base_ref is empty: base and head are named
  CommitsBetween between;  ///< named sides
  CompareResultsOptions compare;
  DiffSideOptions side;
  ExplanationView view;
  OutputFormat format = OutputFormat::kText;
  bool with_source = true;  ///< beside listed functions
  std::optional<Allowance> limit;
  std::optional<std::array<CompilerRecords, 2>> records;  ///< of --remarks
  std::vector<std::string> relink;                        ///< a link command; empty: nothing is linked
};

void read_sides(const ParsedOptions& parsed, DiffOptions& options) {
  options.refs = {parsed.text("base-ref"), parsed.text("head-ref"),   parsed.text("build"),
                  parsed.text("suite"),    parsed.text("suite-from"), parsed.text("filter"),
                  parsed.text("bench"),    parsed.program(),          parsed.seconds("timeout", 0)};
  options.between = read_commits_between(parsed);
  for (const char* name : {"patch", "commits", "repo"})
    if (parsed.has(name)) parsed.excludes("base-ref", name);
  options.refs.source_counts = parsed.has("source-counts");
  options.refs.remarks = parsed.has("remarks");
  if (parsed.has("remarks") && (!parsed.has("base-ref") || options.refs.build.empty()))
    parsed.problem("--remarks needs --base-ref and --build");
  options.refs.coverage_build = parsed.text("coverage-build");
  options.refs.most_proofs = parsed.integer("prove", 0, 1, 10'000);
  if (parsed.has("prove") && (!parsed.has("base-ref") || options.refs.program.empty() || parsed.has("bench")))
    parsed.problem("--prove needs --base-ref and -- PROGRAM ARGS; of a suite, give a program that runs the same code");
  if (parsed.has("coverage-build") && !parsed.has("source-counts"))
    parsed.problem("--coverage-build is for --source-counts");
  if (parsed.has("source-counts") && (!parsed.has("base-ref") || options.refs.program.empty() || parsed.has("bench")))
    parsed.problem(
        "--source-counts needs --base-ref and -- PROGRAM ARGS; of a suite, give a program that runs the same code");
  if (parsed.has("relink")) parsed.excludes("base-ref", "relink");
  if (parsed.has("base-ref")) {
    if (options.refs.base_ref.empty()) parsed.problem("--base-ref needs a commit");
    if (!parsed.arguments().empty() && !parsed.has_unknown())
      parsed.problem("--base-ref replaces BASE and HEAD: give -- PROGRAM or --suite FILE");
    const bool has_program = !options.refs.program.empty(), has_suite = !options.refs.suite.empty(),
               has_bench = !options.refs.bench.empty();
    if (!has_program && !has_suite && !has_bench && options.refs.build.empty())
      parsed.problem(
          "--base-ref needs -- PROGRAM ARGS, --bench BINARY, --suite FILE, or a --build that writes $ICOUNT_OUT");
    if (!options.refs.suite_from.empty() && !has_suite) parsed.problem("--suite-from is for --suite FILE");
    if (has_suite && (has_program || has_bench))
      parsed.problem("--base-ref takes one of -- PROGRAM ARGS, --bench BINARY and --suite FILE");
    return;
  }
  for (const char* name : {"head-ref", "build", "suite", "suite-from", "bench"})
    if (parsed.has(name)) parsed.problem(fmt::format("--{} is for --base-ref", name));
  std::vector<std::string> sides = parsed.arguments();
  sides.insert(sides.end(), parsed.program().begin(), parsed.program().end());  // "--" ends the options
  if (sides.size() == 2) std::tie(options.base, options.head) = std::pair(sides[0], sides[1]);
  if (sides.size() == 2 || parsed.has_unknown()) return;
  if (sides.size() > 2)
    parsed.problem(fmt::format("unexpected argument '{}'", sides[2]));
  else if (sides.empty())
    parsed.problem("BASE HEAD missing");
  else
    parsed.problem(fmt::format("BASE HEAD needed, but only '{}' given", sides[0]));
}

DiffOptions read_diff_options(const ParsedOptions& parsed) {
  DiffOptions options;
  read_sides(parsed, options);
  options.compare.explain.event = parsed.text("event");
  if (parsed.has("calls"))
    options.compare.explain.calls =
        parsed.choice("calls", {"trusted", "untrusted"}) == 0 ? CallTrust::kTrusted : CallTrust::kUntrusted;
  options.compare.explain.raw_names = parsed.has("raw");
  options.compare.rename = read_name_rules(parsed, "rename");
  if (parsed.has("open-cluster")) options.compare.explain.open_clusters = {parsed.text("open-cluster")};
  options.compare.c_functions = parsed.has("c-functions");
  options.compare.explain.open_functions = !parsed.has("no-open");
  options.compare.explain.list_functions = parsed.texts("open");
  options.with_source = !parsed.has("no-source");
  options.compare.force = parsed.has("force");
  options.side.run = parsed.has("run");
  options.side.fresh = parsed.has("fresh");
  options.side.store = parsed.text("store");
  options.side.time_limit_s = parsed.seconds("timeout", 0);
  options.side.jumps = options.refs.jumps = !parsed.has("no-jumps");
  constexpr int64_t kMost = 1'000'000'000;
  const int64_t top = parsed.integer("top", 0, 0, kMost);
  if (parsed.has("relink")) options.relink = split_command(parsed.text("relink"));
  options.view.top = static_cast<size_t>(parsed.has("top") && top == 0 ? kMost : top);
  options.view.all = parsed.has("all");
  options.view.functions = parsed.has("functions");
  options.view.raw = parsed.has("raw");
  options.format = static_cast<OutputFormat>(parsed.choice("format", {"text", "markdown", "json"}));
  parsed.excludes("top", "all");
  if (parsed.has("fail-over")) {
    try {
      options.limit = parse_fail_limit(parsed.text("fail-over"));
    } catch (const Error& error) {
      parsed.problem(error.what());
    }
  }
  parsed.check();
  return options;
}

/// kOverLimit, with a line on err, when the change exceeds the limit.
ExitCode judge(const Explanation& explanation, const std::string& label, const DiffOptions& options,
               const CommandContext& context) {
  if (!options.limit || !exceeds(*options.limit, explanation.base_total, explanation.head_total)) return ExitCode::kOk;
  context.err << "icount: over the limit: " << escape_for_terminal(label) << (label.empty() ? "" : ": ")
              << with_sign(explanation.delta) << ' ' << escape_for_terminal(explanation.event) << " ("
              << change_percent(explanation.delta, explanation.base_total) << ") exceeds " << to_text(*options.limit)
              << '\n';
  return ExitCode::kOverLimit;
}

void load_sources(Explanation& explanation, const DiffSide& base, const DiffSide& head, const DiffOptions& options) {
  load_listing_sources(explanation.listings, {base.name, head.name}, options.compare.commits);
  load_cause_sources(explanation.causes, {base.name, head.name}, options.compare.commits);
}

ExitCode diff_pair(const DiffSide& base, const DiffSide& head, const DiffOptions& options, PastMoves& past,
                   CommandContext& context) {
  ComparedPair pair = compare_results({base.name, &base.file, &base.file.results[0]},
                                      {head.name, &head.file, &head.file.results[0]}, options.compare);
  if (options.with_source) load_sources(pair.explanation, base, head, options);
  if (options.refs.most_proofs > 0 && pair.heading.mine) {
    Mine mine = *pair.heading.mine;
    prove_refs(options.refs, *options.compare.commits, pair.explanation.base_total, pair.explanation.head_total,
               context, mine);
    pair.heading.mine = std::make_shared<const Mine>(std::move(mine));
  }
  if (!options.relink.empty())
    pair.heading.objects = std::make_shared<const ObjectParts>(prove_objects(
        {options.relink, split_command(options.base), split_command(options.head), options.side.time_limit_s,
         pair.explanation.base_total, pair.explanation.head_total, mixture_count(options.side.time_limit_s, context)},
        context));
  pair.heading.mine = past.add_to(std::move(pair.heading.mine), result_key(head.file.results[0]));
  if (options.records) pair.heading.decisions = compiler_decisions(pair.explanation, *options.records);
  if (options.format == OutputFormat::kJson)
    context.out << dump_json(explanation_to_json(pair.explanation, pair.heading)) << '\n';
  else
    write_document(context, options.format, [&](size_t width) {
      return make_explanation_document(pair.explanation, pair.heading, options.view, width);
    });
  return judge(pair.explanation, "", options, context);
}

ExitCode diff_set(const DiffSide& base, const DiffSide& head, const DiffOptions& options, PastMoves& past,
                  CommandContext& context) {
  std::vector<BenchmarkDiff> diffs = compare_files(base.name, base.file, head.name, head.file, options.compare);
  for (BenchmarkDiff& diff : diffs) {
    if (!diff.pair) continue;
    if (options.with_source) load_sources(diff.pair->explanation, base, head, options);
    diff.pair->heading.mine = past.add_to(std::move(diff.pair->heading.mine), diff.key);
    if (options.records) diff.pair->heading.decisions = compiler_decisions(diff.pair->explanation, *options.records);
  }
  ExitCode code = ExitCode::kCannotJudge;
  std::string reason = "no benchmark in common";
  for (const BenchmarkDiff& diff : diffs) {
    if (diff.pair) code = ExitCode::kOk;
    if (!diff.reason.empty()) reason = diff.reason;
  }
  // What could not be compared is listed either way; when that is everything, there is no comparison at all.
  if (code == ExitCode::kCannotJudge)
    throw Error(ErrorKind::kCannotJudge, fmt::format("{} and {}: {}", base.name, head.name, reason));
  if (options.format == OutputFormat::kJson)
    context.out << dump_json(diff_set_to_json(diffs)) << '\n';
  else
    write_document(context, options.format,
                   [&](size_t width) { return make_diff_set_document(diffs, options.view, width); });
  for (const BenchmarkDiff& diff : diffs)
    if (diff.pair && judge(diff.pair->explanation, diff.key, options, context) == ExitCode::kOverLimit)
      code = ExitCode::kOverLimit;
  return code;
}

/// Leaves the benchmarks that were asked for.
void select_benchmarks(const std::string& pattern, DiffSides& sides) {
  if (pattern.empty()) return;
  const NameFilter filter(pattern);
  const auto is_other = [&](const Result& result) { return !filter.matches(result_key(result)); };
  for (DiffSide* const side : {&sides.base, &sides.head}) std::erase_if(side->file.results, is_other);
  if (sides.base.file.results.empty() && sides.head.file.results.empty())
    throw Error(ErrorKind::kUsage, fmt::format("--filter {}: no benchmark of {} or {} has such a name", pattern,
                                               sides.base.name, sides.head.name));
}

ExitCode run_diff(const ParsedOptions& parsed, CommandContext& context) {
  DiffOptions options = read_diff_options(parsed);
  std::optional<CommitSources> commits = load_commits_between(options.between);
  options.side.code = commits ? KeptCode::kAll : KeptCode::kCostly;
  DiffSides sides;
  if (options.refs.base_ref.empty()) {
    sides = load_diff_sides(options.base, options.head, options.side, context);
    if (!commits && !sides.head.commit.empty())
      commits = find_commits_between(".", sides.base.commit, sides.head.commit, context);
  } else {
    MeasuredRefs measured = measure_refs(options.refs, context);
    sides = std::move(measured.sides);
    commits = std::move(measured.commits);
    if (options.refs.remarks) options.records = std::move(measured.records);
  }
  select_benchmarks(options.refs.filter, sides);
  if (commits) options.compare.commits = &*commits;
  std::string now = options.refs.head_ref;
  for (const std::string& commit : {options.between.head, sides.head.commit, std::string("HEAD")})
    if (now.empty()) now = commit;
  PastMoves past(options.side.store, options.between.repository, now, context);
  const auto& [base, head] = sides;
  const bool single = base.file.results.size() == 1 && head.file.results.size() == 1;
  return single ? diff_pair(base, head, options, past, context) : diff_set(base, head, options, past, context);
}

}  // namespace

const CommandSpec& diff_command() {
  static const CommandSpec command = {
      .name = "diff",
      .summary = "explain the difference between two profiles, results or programs: causes that add up",
      .arguments = "BASE HEAD | --base-ref COMMIT -- PROGRAM ARGS...",
      .description =
          "BASE and HEAD may each be a callgrind.out file (plain, .gz, .xz or .zst), a result saved with --out, a run "
          "of the history (@REF: a commit, a branch, a run's name or #ID, see `icount store export`), an executable "
          "(run under Valgrind; the result is cached until the executable changes) or a quoted command line.\n\nEach "
          "line is one cause: a function whose self cost per call changed, a call that happens more or less often "
          "(with everything below it), or a function that was inlined or renamed. Knock-on effects have no line of "
          "their own. The lines add up to the change, to the last instruction (Ir).\n\nProfiles recorded with "
          "--dump-instr=yes --collect-jumps=yes are also explained inside the functions that lead: a loop that "
          "iterates "
          "more often, an iteration that costs more, a branch that goes another way.",
      .options = kDiffOptions,
      .examples = kDiffExamples,
      .max_arguments = std::numeric_limits<size_t>::max(),  // counted by read_sides
      .takes_program = true,
      .run = run_diff,
  };
  return command;
}

}  // namespace icount
