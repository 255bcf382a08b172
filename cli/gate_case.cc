#include "icount/cli/gate_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/cli/run_suite.h"
#include "icount/gate/gate_files.h"
#include "icount/gate/git_worktree.h"
#include "icount/inputs/git_commit.h"
#include "icount/stats/fingerprint.h"
#include "icount/store/result_file.h"
#include "icount/suite/definition_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Of the options that say how a suite is measured, those that choose benchmarks choose among results, too.
void check_measuring_options(const GateOptions& options) {
  std::vector<std::string> others;
  for (const std::string& name : options.measuring_given)
    if (name != "filter" && name != "language") others.push_back("--" + name);
  if (!others.empty())
    throw Error(ErrorKind::kUsage, fmt::format("{} is measured already: {} {} a SUITE", options.subject,
                                               fmt::join(others, ", "), others.size() == 1 ? "is for" : "are for"));
}

void select_results(const PlanOptions& plan, const std::string& name, ResultFile& file) {
  if (!plan.restricts()) return;
  const NameFilter filter(plan.filter);
  const auto is_meant = [&](const Result& result) {
    return (plan.languages.empty() ||
            std::any_of(plan.languages.begin(), plan.languages.end(),
                        [&](Language language) { return result.task.language == to_text(language); })) &&
           filter.matches(result_key(result));
  };
  std::erase_if(file.results, [&](const Result& result) { return !is_meant(result); });
  if (file.results.empty())
    throw Error(ErrorKind::kUsage, fmt::format("{}: no result passes --filter and --language", name));
}

ResultFile measure_suite(SuiteRunOptions measuring, const std::string& suite, const fs::path& out,
                         CommandContext& context) {
  measuring.file = suite;
  measuring.out = out.string();
  if (run_suite(measuring, context).cancelled) throw Error(ErrorKind::kTool, "interrupted");
  return load_result_file(out).file;
}

/// Whether a benchmark that only the other side has was asked for. Its name alone does not tell its language or shard.
bool was_selected(const GateOptions& options, const std::string& key) {
  const PlanOptions& plan = options.measuring.plan;
  const bool by_name = plan.languages.empty() && plan.shard.count == 1 && options.measuring.expand.torchscript;
  return by_name && NameFilter(plan.filter).matches(key);
}

/// Builds what is not built yet, the commit by its --build and both by the suite's own commands.
JudgedKernels compare_gate_kernels(const GateOptions& options, const GateHead& head, const GitWorktree* tree,
                                   bool is_measured, CommandContext& context) {
  if (!tree) return judge_kernel_tables(head.kernels, nullptr, {}, context);
  const std::string name = tree->name(options.base.reference);
  if (!is_measured) run_build_command(options.base.build, tree->path(), {}, name, context);
  build_kernels(*tree, head.definition, name, context);
  run_build(head.definition, context);
  return judge_kernel_tables(head.kernels, tree, name, context);
}

/// What was accepted where `reference` and the commit that is checked out part; nothing where there was no such file.
std::optional<ExpectedFile> find_expected_before(const fs::path& expected, const std::string& reference) {
  try {
    const fs::path folder = folder_of(expected);
    const std::string commit = git_output(folder, {"merge-base", reference, "HEAD"});
    const std::string file = fmt::format("{}:./{}", commit, expected.filename().string());
    return parse_expected_file(git_bytes(folder, {"show", file}), file);
  } catch (const Error&) {
    return std::nullopt;  // what is judged does not depend on it
  }
}

/// A path that the user gave, for use in another folder.
void make_absolute(std::string& path) {
  if (path.find('/') != std::string::npos || fs::is_directory(path)) path = fs::absolute(path).string();
}

/// Two profiles are compared whatever their command lines were, as `icount diff` does. But where one collected next to
/// nothing of its run, and the other a hundred times as much, the work has left what is measured: no improvement.
void pair_profiles(GateHead& head, BaseSide& base) {
  if (!head.is_profile || !base.is_profile) return;
  constexpr int64_t kFarApart = 100;
  Result& of_head = head.file.results[0];
  Result& of_base = base.file.results[0];
  of_base.task = of_head.task;
  const auto has_little = [](const std::string& small, const Result& one, const Result& other) {
    return !small.empty() && one.counts[0] < other.counts[0] / kFarApart;
  };
  if (!has_little(head.small_collection, of_head, of_base) && !has_little(base.small_collection, of_base, of_head))
    return;
  const auto set = [](const std::string& small, Result& result) {
    result.fingerprint.set("collected", small.empty() ? with_thousands(result.counts[0]) + " Ir" : small,
                           FactClass::kRefuse);
  };
  set(head.small_collection, of_head);
  set(base.small_collection, of_base);
}

/// The number of cores that a side was counted with becomes what is said where it differs, not what is refused.
void allow_cores(Fingerprint& facts) {
  for (Fact& fact : facts.facts)
    if (fact.name == kCoresFact) fact.fact_class = FactClass::kNameOnly;
}

void allow_cores(GateBases& bases) {
  if (bases.expected)
    for (auto& [name, facts] : bases.expected->conditions) allow_cores(facts);
  if (!bases.base) return;
  allow_cores(bases.base->file.fingerprint);
  for (Result& result : bases.base->file.results) allow_cores(result.fingerprint);
}

}  // namespace

MeasureSuite suite_measurer(SuiteRunOptions measuring, CommandContext& context) {
  measuring.plan.may_be_empty = true;
  measuring.skip_unchanged.clear();  // it is for head, and lies relative to the working folder
  for (std::string* path : {&measuring.toolchain.compiler, &measuring.toolchain.torch_dir, &measuring.toolchain.python})
    make_absolute(*path);
  return [measuring = std::move(measuring), &context](const std::string& suite, const fs::path& out) {
    return measure_suite(measuring, suite, out, context);
  };
}

GateHead open_head(const GateOptions& options, CommandContext& context) {
  GateHead head{.to_measure = !is_measured(options.subject)};
  if (head.to_measure) {
    head.suite = options.subject;
  } else {
    check_measuring_options(options);
    MeasuredFile measured = load_measured(options.subject);
    for (const std::string& warning : measured.warnings) context.warn(warning);
    head.file = std::move(measured.file);
    head.is_profile = measured.is_profile;
    head.small_collection = std::move(measured.small_collection);
    if (head.file.results.empty())
      throw Error(ErrorKind::kCannotJudge, fmt::format("{}: holds no result to judge", options.subject));
    head.suite = suite_for_limits(head.file, options.suite, options.subject);
    select_results(options.measuring.plan, options.subject, head.file);
  }
  if (!head.suite.empty()) head.definition = load_suite(head.suite);
  head.growths = growth_limits(head.definition);
  KernelsJob usual_job;
  for (KernelFilesOptions* side : {&usual_job.base_files, &usual_job.head_files}) {
    side->environment = context.environment;
    side->cancelled = context.cancelled;
  }
  head.kernels = expand_kernels(head.definition, usual_job);
  if (options.restricts())
    std::erase_if(head.kernels, [&](const KernelsJob& job) { return !was_selected(options, job.label); });
  head.expected = options.expected;
  const fs::path usual = usual_expected(head.file, head.suite);
  if (head.expected.empty() && !options.no_expected && fs::exists(usual)) head.expected = usual.string();
  return head;
}

GateBases open_bases(const GateOptions& options, const GateHead& head, CommandContext& context) {
  GateBases bases;
  if (!head.expected.empty()) bases.expected = load_expected_file(head.expected);
  if (!options.base.reference.empty()) {
    check_reference(options.base, head.suite);
    if (bases.expected) bases.expected_before = find_expected_before(head.expected, options.base.reference);
  } else if (options.base.given()) {
    bases.base = load_kept_base(options.base, context);
  }
  const bool suite_may_be_new = !head.suite.empty() && !options.no_expected && allows(options, "new");
  if (bases.expected || options.base.given() || suite_may_be_new) return bases;
  const fs::path usual = options.no_expected ? fs::path() : usual_expected(head.file, head.suite);
  throw Error(ErrorKind::kCannotJudge,
              fmt::format("{}: nothing to compare with: {}. `icount accept` writes accepted values; --baseline, "
                          "--base-ref or --against name a base{}",
                          options.subject,
                          usual.empty() ? std::string("no --expected FILE") : fmt::format("no {}", usual.string()),
                          head.suite.empty() || options.no_expected ? "" : "; --allow new is for a new suite"));
}

void measure_head(const GateOptions& options, GateHead& head, CommandContext& context) {
  if (!head.to_measure) return;
  ScratchDir scratch("icount-gate");
  SuiteRunOptions measuring = options.measuring;
  measuring.plan.may_be_empty = !head.kernels.empty();
  head.file = measure_suite(std::move(measuring), head.suite,
                            options.out.empty() ? scratch.path() / "head.icount" : fs::path(options.out), context);
  if (head.file.results.empty() && head.kernels.empty())
    throw Error(ErrorKind::kCannotJudge, fmt::format("{}: holds no result to judge", options.subject));
}

namespace {

/// Whether anything is refused or improved, which the base explains.
bool has_news(const Verdict& verdict) {
  return verdict.worst != Severity::kNote ||
         std::any_of(verdict.findings.begin(), verdict.findings.end(),
                     [](const Finding& finding) { return finding.kind == FindingKind::kImproved; });
}

}  // namespace

void complete_bases(const GateOptions& options, GateHead& head, const LimitSet& limits, GateBases& bases,
                    CommandContext& context) {
  if (allows(options, "cores")) allow_cores(bases);
  // Accepted values know no functions, of which one may grow faster, and no causes.
  const bool is_measured =
      !options.base.reference.empty() &&
      (!bases.expected || !head.growths.empty() || has_news(judge_sides(options, head, bases, limits).verdict));
  const bool compares_kernels = head.to_measure && !options.base.reference.empty() && !head.kernels.empty();
  std::optional<GitWorktree> tree;
  if (is_measured || compares_kernels)
    tree.emplace(head.suite.empty() ? fs::path(".") : folder_of(head.suite), options.base.reference,
                 make_worktrees_folder(context.environment));
  if (compares_kernels) remove_built_kernels(*tree, head.kernels);
  if (is_measured)
    bases.base =
        measure_reference(*tree, options.base, head.suite, suite_measurer(options.measuring, context), context);
  bases.kernels = compare_gate_kernels(options, head, compares_kernels ? &*tree : nullptr, is_measured, context);
  if (allows(options, "cores")) allow_cores(bases);
  // A suite without anything to compare with is new.
  if (!bases.base && !bases.expected) bases.base = BaseSide{.name = "nothing", .absent = head.suite};
  if (!bases.base) return;
  pair_profiles(head, *bases.base);
}

bool allows(const GateOptions& options, std::string_view kind) {
  return std::find(options.allowed.begin(), options.allowed.end(), kind) != options.allowed.end();
}

namespace {

/// Views of all three, and of options.
GateSides make_sides(const GateOptions& options, const GateHead& head, const GateBases& bases) {
  GateSides made{.head_name = options.subject,
                 .head = &head.file,
                 .expected_name = head.expected,
                 .growths = head.growths,
                 .kernels = bases.kernels.tables};
  made.allow_other_build = allows(options, "compiler");
  if (options.restricts()) made.selected = [&options](const std::string& key) { return was_selected(options, key); };
  if (bases.expected) made.expected = &*bases.expected;
  if (bases.expected_before) made.expected_before = &*bases.expected_before;
  if (bases.base) {
    made.base_name = bases.base->name;
    made.base = &bases.base->file;
    if (bases.base->history) made.history = &*bases.base->history;
  }
  return made;
}

}  // namespace

Judgement judge_sides(const GateOptions& options, const GateHead& head, const GateBases& bases,
                      const LimitSet& limits) {
  // Where accepted values are kept, a new benchmark has to be accepted; against a base it is simply new there.
  GatePolicy policy{.new_benchmark = bases.expected ? Severity::kRefusal : Severity::kNote};
  if (allows(options, "new")) policy.new_benchmark = Severity::kNote;
  if (allows(options, "vanished")) policy.vanished = Severity::kNote;
  if (allows(options, "growth")) policy.growth = Severity::kNote;
  Judgement made;
  made.comparison = make_comparison(make_sides(options, head, bases), limits);
  if (bases.base && !bases.base->absent.empty() && !bases.expected && !allows(options, "new"))
    made.comparison.unjudged = fmt::format(
        "{} has no {}, every benchmark is new there; --allow new lets a new suite pass, --suite-from HEAD "
        "measures yours there",
        bases.base->name, bases.base->absent);
  made.verdict = judge(made.comparison, limits, policy);
  return made;
}

}  // namespace icount
