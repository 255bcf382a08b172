// `icount gate`: is what changed allowed?
#include "icount/cli/commands.h"
#include "icount/report/shared_cause_text.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/cli/diff_refs.h"
#include "icount/cli/event_options.h"
#include "icount/cli/gate_case.h"
#include "icount/cli/gate_options.h"
#include "icount/cli/version_text.h"
#include "icount/console/shared_options.h"
#include "icount/explain/shared_causes.h"
#include "icount/gate/accepter.h"
#include "icount/gate/commit_sources.h"
#include "icount/gate/gate_comparison.h"
#include "icount/gate/gate_files.h"
#include "icount/gate/git_worktree.h"
#include "icount/gate/past_moves.h"
#include "icount/inputs/compare_files.h"
#include "icount/inputs/git_commit.h"
#include "icount/inputs/report_benchmarks.h"
#include "icount/inputs/shown_arguments.h"
#include "icount/report/gate_report.h"
#include "icount/report/html_page.h"
#include "icount/report/results_text.h"
#include "icount/stats/flag_paths.h"

namespace icount {
namespace {

constexpr ExampleSpec kGateExamples[] = {
    {"icount gate suite.toml", "measure, compare with the accepted values in suite.expected"},
    {"icount gate suite.toml --base-ref origin/main --markdown comment.md",
     "the same, and where something regressed, measure the base to explain it"},
    {"icount gate branch.icount --baseline main.icount --limit 0.5%+200",
     "two saved results; a change must exceed both parts to be refused"},
    {"icount gate suite.toml --against .icount/history.sqlite:main", "against the newest stored run of main"},
};

/// Without what is said of all benchmarks.
ExplanationHeading own_heading(const ComparedPair& pair, const GateReport& report) {
  ExplanationHeading heading = without_notes(pair.heading, report.notes);
  heading.built.clear();
  return heading;
}

/// A limit on allocations is explained by who allocates more often.
void add_allocation_causes(const GateOptions& options, const GateHead& head, const BaseSide& base,
                           const Finding& finding, GateReport& report) {
  const Result *before = find_result(base.file, finding.benchmark), *now = find_result(head.file, finding.benchmark);
  if (!before || !now) return;
  CompareResultsOptions by_event;
  by_event.explain.event = finding.measure->event;
  try {
    const ComparedPair pair =
        compare_results({base.name, &base.file, before}, {options.subject, &head.file, now}, by_event);
    if (pair.explanation.delta != 0)
      report.explanations.push_back({finding.benchmark, pair.explanation, own_heading(pair, report)});
  } catch (const Error& error) {
    // Results without graphs or with untrusted call counts: the finding stands, without causes.
    if (error.kind() != ErrorKind::kCannotJudge && error.kind() != ErrorKind::kUsage) throw;
  }
}

/// Explanations of all changed benchmarks, for the causes they share; those with a finding are kept.
void add_explanations(const GateOptions& options, const GateHead& head, const BaseSide& base,
                      const CompareResultsOptions& comparing, PastMoves& past, GateReport& report) {
  const std::vector<BenchmarkDiff> diffs = compare_files(base.name, base.file, options.subject, head.file, comparing);
  std::vector<const Explanation*> all;
  std::map<std::string, const BenchmarkDiff*> by_key;
  for (const BenchmarkDiff& diff : diffs) {
    if (!diff.pair || diff.pair->explanation.delta == 0) continue;
    all.push_back(&diff.pair->explanation);
    by_key[diff.key] = &diff;
  }
  constexpr double kWorthALine = 0.05;
  const SharedCauses shared = find_shared_causes(all);
  for (const SharedCause& cause : shared.causes)
    if (cause.share >= kWorthALine) report.shared_causes.push_back(shared_cause_text(cause, shared));
  std::set<std::pair<std::string, std::string>> taken;  // benchmark and event; all but allocations have one explanation
  for (const Finding& finding : report.verdict.findings) {
    if (!finding.measure) continue;
    const bool of_allocations = is_allocation_event(finding.measure->event);
    if (!taken.emplace(finding.benchmark, of_allocations ? finding.measure->event : "").second) continue;
    if (of_allocations) {
      add_allocation_causes(options, head, base, finding, report);
      continue;
    }
    const auto found = by_key.find(finding.benchmark);
    if (found == by_key.end()) continue;
    const ComparedPair& pair = *found->second->pair;
    ExplanationHeading heading = own_heading(pair, report);
    heading.mine = past.add_to(std::move(heading.mine), finding.benchmark);
    report.explanations.push_back({finding.benchmark, pair.explanation, std::move(heading)});
  }
}

/// The command that makes what was refused the new accepted value, and nothing else.
std::string advice_for(const GateOptions& options, const GateHead& head, const ExpectedFile* expected,
                       const Verdict& verdict) {
  if (head.expected.empty()) return {};
  std::set<std::string> keys;
  bool vanished = false, improved = false;
  for (const Finding& finding : verdict.findings) {
    const bool gained =
        finding.kind == FindingKind::kImproved && finding.measure && finding.measure->event != kWallTime;
    const bool number = finding.kind == FindingKind::kRegressed || finding.kind == FindingKind::kCreep ||
                        finding.kind == FindingKind::kNew;
    if ((gained || (number && needs_action(finding))) && !finding.benchmark.empty()) keys.insert(finding.benchmark);
    if (finding.kind == FindingKind::kVanished && !finding.benchmark.empty()) {
      vanished = true;
      keys.insert(finding.benchmark);
    }
    improved = improved || gained;
  }
  if (keys.empty()) return {};
  std::set<std::string> all = keys;  // that the command may change
  for (const Result& result : head.file.results) all.insert(result_key(result));
  if (vanished && expected)
    for (const auto& [key, value] : expected->values) all.insert(key.first);
  std::vector<std::string> words = {"icount", "accept", options.subject};
  if (!options.out.empty())
    words[2] = options.out;
  else if (options.subject == head.suite)
    words[2] = "RESULT";
  constexpr size_t kNamed = 3;
  const std::vector<std::string> labels =
      keys.size() <= kNamed ? std::vector<std::string>(keys.begin(), keys.end()) : labels_of(keys, all);
  words.insert(words.end(), labels.begin(), labels.end());
  if (vanished) words.push_back("--drop-missing");
  if (!options.expected.empty()) words.insert(words.end(), {"--expected", options.expected});
  words.insert(words.end(), {"--why", kReasonToWrite});
  return fmt::format("`{}` writes it to {}{}", shell_quote(words), head.expected,
                     improved ? "; until then a later change may lose what improved" : "");
}

std::string hostname(const GateOptions& options, const Environment& environment) {
  for (const std::string& name :
       {options.hostname, environment.get("ICOUNT_HOSTNAME").value_or(""), environment.get("HOSTNAME").value_or("")})
    if (!name.empty()) return name;
  return "localhost";
}

/// When the first result was measured; where no result says so, when the file was written.
int64_t measured_at(const Comparison& comparison, const std::string& subject) {
  int64_t first = 0;
  for (const GateBenchmark& benchmark : comparison.benchmarks)
    if (benchmark.unix_time > 0 && (first == 0 || benchmark.unix_time < first)) first = benchmark.unix_time;
  struct stat status {};
  return first > 0 || ::stat(subject.c_str(), &status) != 0 ? first : static_cast<int64_t>(status.st_mtime);
}

/// Where benchmarks are defined, for the answers that point there.
void add_places(const GateOptions& options, GateReport& report) {
  if (report.suite_file.empty() || !(options.annotations || !options.sarif.empty())) return;
  const std::map<std::string, Place> places = load_benchmark_places(report.suite_file);
  for (GateBenchmark& benchmark : report.comparison.benchmarks)
    if (const auto found = places.find(benchmark.key); found != places.end())
      benchmark.place = to_text(Place{found->second.file, found->second.line, 0});
}

std::string commit_text(const CommitInfo& commit) {
  constexpr size_t kShortHash = 10;
  return fmt::format("{} ({})", commit.hash.substr(0, kShortHash), commit.subject);
}

/// The command line without what says where answers go, and with the base's commit by its hash.
std::string command_to_reproduce(const std::vector<std::string>& arguments, const std::string& base_commit) {
  const std::set<std::string_view> left_out = {"--markdown", "--html", "--junit",    "--json", "--sarif",
                                               "--out",      "-o",     "--hostname", "--paths"};
  std::vector<std::string> words = {"icount"};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string option = arguments[i].substr(0, arguments[i].find('='));
    const bool is_split = option.size() == arguments[i].size();  // its value is the next word
    if (option == "--annotations") continue;
    if (left_out.contains(option)) {
      i += is_split ? 1 : 0;
    } else if (option == "--base-ref") {
      i += is_split ? 1 : 0;
      words.insert(words.end(), {option, base_commit});
    } else {
      words.push_back(arguments[i]);
    }
  }
  return shell_quote(words);
}

/// Where the forge whose CI this is shows the files of a commit; empty: none is known.
std::string forge_folder(const Environment& environment, const std::string& commit) {
  const auto text = [&](const char* name) { return environment.get(name).value_or(""); };
  if (const std::string repository = text("GITHUB_REPOSITORY"); !repository.empty())
    return fmt::format("{}/{}/blob/{}/", text("GITHUB_SERVER_URL"), repository, commit);
  const std::string project = text("CI_PROJECT_URL");
  return project.empty() ? project : fmt::format("{}/-/blob/{}/", project, commit);
}

/// Pages of the files that one name is enough for.
std::map<std::string, std::string> source_urls(const std::filesystem::path& inside, const std::string& folder) {
  std::map<std::string, std::string> urls;
  if (folder.empty()) return urls;
  std::set<std::string> twice;
  const std::string files = git_bytes(inside, {"ls-files", "--full-name", ":/"});
  for (const std::string_view file : split_lines(files)) {
    const bool is_plain = std::all_of(file.begin(), file.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || std::string_view("._/+-").find(static_cast<char>(c)) != std::string_view::npos;
    });
    const std::string name(file.substr(file.rfind('/') + 1));
    if (is_plain && !urls.emplace(name, folder + std::string(file)).second) twice.insert(name);
  }
  for (const std::string& name : twice) urls.erase(name);
  return urls;
}

/// What a reader of a comment looks for: the commits, their lines on the forge, and how to count them again.
void add_commits(const GateOptions& options, const GateHead& head, const CommandContext& context, GateReport& report) {
  if (!head.to_measure || (options.markdown.empty() && options.html.empty())) return;
  const std::filesystem::path folder = folder_of(head.suite);
  const auto commit = probe_commit("HEAD", folder), base = probe_commit(options.base.reference, folder);
  if (!commit) return;
  const bool is_changed = !git_output(folder, {"status", "--porcelain", "--untracked-files=no"}).empty();
  // For a pull request GitHub checks out a merge of it: its second parent is what was pushed.
  const std::string ref = context.environment.get("GITHUB_REF").value_or("");
  const bool is_merge = ref.starts_with("refs/pull/") && commit->parents.size() == 2;
  const auto pushed = is_merge ? probe_commit(commit->parents[1], folder) : commit;
  report.head_commit = commit_text(pushed ? *pushed : *commit) + (is_changed ? " with uncommitted changes" : "");
  const std::string base_hash = base ? base->hash.substr(0, 10) : std::string();
  if (const size_t at = report.judged_against.rfind(base_hash + ")"); base && at != std::string::npos)
    report.judged_against.insert(at + base_hash.size(), " " + base->subject);
  report.reproduce = command_to_reproduce(shown_arguments(context.arguments), base_hash);
  if (is_changed) return;
  const std::string there = is_merge ? fmt::format("git fetch origin {} && git checkout FETCH_HEAD", shell_quote({ref}))
                                     : "git checkout " + commit->hash.substr(0, 10);
  report.reproduce.insert(0, there + " && ");
  report.source_urls = source_urls(folder, forge_folder(context.environment, commit->hash));
}

/// The page of `icount report` with the verdict on top.
void write_page(const GateReport& report, const GateOptions& options, const GateHead& head, const GateBases& bases,
                const CompareResultsOptions& comparing, const ReaderPaths& paths, const CommandContext& context) {
  ReportSources sources;
  sources.compare = comparing;
  sources.compare.explain.list_opened = true;
  sources.head = {report.subject, &head.file};
  ReportHead page;
  page.version = std::string(icount_version());
  page.command = fmt::format("icount {}", shell_quote(shown_arguments(context.arguments)));
  page.title = fmt::format("{} against {}", report.head_commit.empty() ? report.subject : report.head_commit,
                           report.judged_against);
  page.head = {report.head_commit.empty() ? report.subject : report.head_commit, head.file.command,
               head.file.fingerprint, report.built};
  const auto is_lone = [](const ResultFile& file) { return file.results.size() == 1; };
  // A report pairs two lone results whatever their names are.
  if (bases.base && bases.base->absent.empty() &&
      (!is_lone(head.file) || !is_lone(bases.base->file) ||
       find_result(bases.base->file, result_key(head.file.results[0])))) {
    const BaseSide& base = *bases.base;
    sources.base = {base.name, &base.file};
    page.base = {base.name, base.file.command, base.file.fingerprint,
                 describe_builds(base.file.results, base.file.fingerprint)};
  }
  page.gate = parse_report_gate(dump_json(gate_to_json(report)), "the gate");
  ReportJson json(page, report_limits(head.file.results.size()));
  add_report_benchmarks(json, sources);
  Json data = json.json();
  shorten_paths(data, paths);
  save_file(options.html, render_html_page(page.title, data));
}

GateReport make_report(const GateOptions& options, const GateHead& head, const GateBases& bases, const LimitSet& limits,
                       const CompareResultsOptions& comparing, PastMoves& past) {
  GateReport report;
  Judgement judged = judge_sides(options, head, bases, limits);
  report.subject = options.subject;
  report.suite_file = head.suite;
  report.judged_against = bases.expected ? fmt::format("the accepted values in {}", head.expected) : bases.base->name;
  const bool absent = bases.base && !bases.base->absent.empty();
  if (bases.expected && bases.base && !absent)
    report.judged_against += fmt::format(" (causes: against {})", bases.base->name);
  report.built = describe_builds(head.file.results, head.file.fingerprint);
  if (bases.base && bases.base->absent.empty())
    report.built =
        describe_builds(describe_builds(bases.base->file.results, bases.base->file.fingerprint), report.built);
  report.comparison = std::move(judged.comparison);
  report.verdict = std::move(judged.verdict);
  report.kernels = bases.kernels.comparisons;
  report.unix_time = measured_at(report.comparison, options.subject);
  add_places(options, report);
  report.advice = advice_for(options, head, bases.expected ? &*bases.expected : nullptr, report.verdict);
  report.notes = report.comparison.notes;
  if (const size_t tests = report.comparison.unaccepted_tests; tests > 0)
    report.notes.push_back(
        fmt::format("without an accepted value, not judged: {}; `icount accept` adds them", counted(tests, "test")));
  for (const Result& result : head.file.results)
    if (!result.taken_over.empty()) report.taken_over.emplace(result_key(result), result.taken_over);
  if (!report.taken_over.empty())
    report.notes.push_back(fmt::format("{} of {} were not measured but taken over, because they had not changed",
                                       report.taken_over.size(), counted(head.file.results.size(), "benchmark")));
  if (absent)
    report.notes.push_back(fmt::format("{} has no {}: there are no causes", bases.base->name, bases.base->absent));
  if (bases.base) add_explanations(options, head, *bases.base, comparing, past, report);
  return report;
}

/// Paths in SARIF stay as they are: viewers open the files that it names.
void write_answers(const GateReport& report, const GateOptions& options, const ReaderPaths& paths,
                   CommandContext& context) {
  const TextStyle& style = context.terminal.style;
  make_gate_document(report, style.width).render_text(context.out, style);
  if (options.annotations) context.out << '\n' << gate_annotations(report);
  if (!options.markdown.empty()) {
    std::ostringstream text;
    text.exceptions(std::ios::badbit);  // memory that ends is an error, not a shorter text
    render_gate_markdown(text, report);
    save_file(options.markdown, paths.shorten(text.view()));
  }
  if (!options.junit.empty()) save_file(options.junit, paths.shorten(gate_to_junit(report)));
  if (!options.json.empty()) {
    Json json = gate_to_json(report);
    shorten_paths(json, paths);
    save_file(options.json, dump_json(json) + "\n");
  }
  if (!options.sarif.empty()) save_file(options.sarif, dump_json(gate_to_sarif(report, icount_version())) + "\n");
}

ExitCode exit_code_of(Severity worst) {
  switch (worst) {
    case Severity::kNote:
      return ExitCode::kOk;
    case Severity::kCannotJudge:
      return ExitCode::kCannotJudge;
    case Severity::kFailure:
      return ExitCode::kFailure;
    case Severity::kRefusal:
      break;
  }
  return ExitCode::kOverLimit;
}

ExitCode run_gate(const ParsedOptions& parsed, CommandContext& context) {
  GateOptions options = read_gate_options(parsed);
  GateHead head = open_head(options, context);
  const LimitSet limits = collect_limits(head.suite, options.limits);
  add_events_of(limits, options.measuring.callgrind_options, options.measuring.memory);
  GateBases bases = open_bases(options, head, context);
  measure_head(options, head, context);
  complete_bases(options, head, limits, bases, context);
  CompareResultsOptions comparing;
  std::optional<CommitSources> commits;
  if (bases.base && head.to_measure)
    commits = options.base.reference.empty()
                  ? find_commits_between(folder_of(head.suite), bases.base->commit, {}, context)
                  : load_commit_sources(folder_of(head.suite), options.base.reference, {});
  if (commits) comparing.commits = &*commits;
  PastMoves past(split_store_name(options.base.against).first, folder_of(head.suite), "HEAD", context);
  GateReport report = make_report(options, head, bases, limits, comparing, past);
  report.hostname = hostname(options, context.environment);
  add_commits(options, head, context, report);
  const ReaderPaths paths = probe_reader_paths(parsed, context.environment);
  for (Finding& finding : report.verdict.findings) finding.text = paths.shorten(finding.text);
  write_answers(report, options, paths, context);
  if (!options.html.empty()) write_page(report, options, head, bases, comparing, paths, context);
  return exit_code_of(report.verdict.worst);
}

}  // namespace

const CommandSpec& gate_command() {
  static const CommandSpec command = {
      .name = "gate",
      .summary = "judge a suite or a result against accepted values or a base: allowed, or refused and why",
      .arguments = "SUITE|RESULT",
      .description =
          "A SUITE is measured first, a RESULT was saved with --out. Counts are compared with their accepted values "
          "(`icount accept`) where there are any, else with the base. "
          "The base also explains what changed, and is what wall time is compared with.\n\n"
          "Exit code 0: passed; 3: refused (a limit is exceeded, small changes have added up, a benchmark is new and "
          "not accepted, or gone); 1: a benchmark failed; "
          "125: cannot be judged (not measured alike, no base, a limit that nothing measured matches).\n\n"
          "Limits come from the suite file's [limits], from --limit, and by default 1 %: the command line wins over "
          "the suite file, within each the last that matches "
          "(docs/gate.md).",
      .options = gate_option_table(),
      .examples = kGateExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_gate,
  };
  return command;
}

}  // namespace icount
