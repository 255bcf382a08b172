// `icount accept`: writes accepted values beside the suite.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/cli/gate_options.h"
#include "icount/console/options.h"
#include "icount/gate/accepter.h"
#include "icount/gate/gate_files.h"
#include "icount/report/document.h"
#include "icount/report/explanation_document.h"
#include "icount/store/expected_file.h"
#include "icount/store/result_file.h"
#include "icount/suite/definition_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kAcceptOptions[] = {
    {"expected", "FILE", "the file of accepted values (default: the suite file's name with .expected)"},
    {"why", "TEXT", "the reason, stored with each value that changes"},
    {"refresh", "",
     "update values that are within their limits; cumulative regressions are still counted from the last plain accept; "
     "for a bot on the main branch"},
    {"limit", "LIMIT", "with --refresh: the same --limit that `icount gate` was given", true},
    {"drop-missing", "", "also remove benchmarks that RESULT does not have"},
    {"suite", "FILE",
     "the suite whose [limits] say which further numbers to keep (default: the one RESULT was measured with; none: no "
     "suite)"},
};

constexpr ExampleSpec kAcceptExamples[] = {
    {"icount accept head.icount", "accept all benchmarks of a result"},
    {"icount accept head.icount 'Math / add' --why 'checks its input now'", "one benchmark, or all below a label"},
    {"icount accept main.icount --refresh", "after a merge: update to what passed the gate"},
};

struct AcceptOptions {
  std::string result, expected, why, suite;
  std::vector<std::string> labels, limits;
  bool refresh = false;
  bool drop_missing = false;
};

AcceptOptions read_accept_options(const ParsedOptions& parsed) {
  AcceptOptions options;
  const auto& arguments = parsed.arguments();
  if (!arguments.empty()) {
    options.result = arguments[0];
    options.labels.assign(arguments.begin() + 1, arguments.end());
  }
  options.expected = parsed.text("expected");
  options.why = parsed.text("why");
  options.suite = parsed.text("suite");
  options.limits = read_limit_options(parsed);
  options.refresh = parsed.has("refresh");
  options.drop_missing = parsed.has("drop-missing");
  parsed.excludes("refresh", "why");
  parsed.check();
  if (options.why == kReasonToWrite)
    throw Error(ErrorKind::kUsage,
                fmt::format("--why {} is a placeholder; write why the change is meant", kReasonToWrite));
  return options;
}

bool is_meant(const std::string& key, const std::vector<std::string>& labels) {
  return labels.empty() ||
         std::any_of(labels.begin(), labels.end(), [&](const std::string& label) { return is_below(key, label); });
}

void check_labels(const AcceptOptions& options, const ResultFile& file, const ExpectedFile& expected) {
  std::vector<std::string> keys;
  for (const Result& result : file.results) keys.push_back(result_key(result));
  if (options.drop_missing)
    for (const auto& [key, value] : expected.values) keys.push_back(key.first);
  std::string problems;
  for (const std::string& label : options.labels) {
    if (std::any_of(keys.begin(), keys.end(), [&](const std::string& key) { return is_meant(key, {label}); })) continue;
    const std::string near = nearest_word(label, keys);
    problems +=
        fmt::format("{} has no benchmark '{}'{}\n", options.result, label,
                    near.empty() ? "; `icount suite show` lists them" : fmt::format("; did you mean '{}'?", near));
  }
  if (!problems.empty()) throw Error(ErrorKind::kUsage, std::string(trim(problems)));
}

void render_changes(std::ostream& out, const std::vector<AcceptedChange>& changes, const std::string& file,
                    const TextStyle& style) {
  if (changes.empty()) {
    out << escape_for_terminal(file) << ": nothing changed\n";
    return;
  }
  out << escape_for_terminal(fmt::format("{}: {} changed", file, counted(changes.size(), "value"))) << "\n\n";
  Table table({{"accepted before"}, {"now"}, {"change"}, {"", Align::kLeft}});
  for (const AcceptedChange& change : changes) {
    std::string of_before = change.before ? "dropped" : "new";
    Tone tone = Tone::kNote;
    if (change.before && change.after) {
      const int64_t delta = checked_sub(*change.after, *change.before, "change");
      of_before = change_percent(delta, *change.before);
      tone = tone_of_change(delta);
    }
    table.add_row({{change.before ? with_thousands(*change.before) : ""},
                   {change.after ? with_thousands(*change.after) : ""},
                   {of_before, tone},
                   {change.name}});
  }
  table.render_text(out, style);
}

/// Says what a refresh must not take over and gives the exit code; nullopt when there is nothing of the kind.
std::optional<ExitCode> refuse_refresh(const AcceptOptions& options, ResultFile file, const ExpectedFile& expected,
                                       const fs::path& path, const LimitSet& limits, const CommandContext& context) {
  if (!options.refresh) return std::nullopt;
  std::erase_if(file.results, [&](const Result& result) { return !is_meant(result_key(result), options.labels); });
  const std::vector<Finding> refused = refused_by_refresh(file, options.result, expected, path.string(), limits);
  if (refused.empty()) return std::nullopt;
  context.out << escape_for_terminal(path.string())
              << ": nothing written; --refresh accepts only what the gate lets pass\n\n";
  for (const Finding& finding : refused)
    context.out << escape_for_terminal(fmt::format("  {}: {}", finding.benchmark, finding.text)) << '\n';
  return refused[0].kind == FindingKind::kRegressed ? ExitCode::kOverLimit : ExitCode::kCannotJudge;
}

fs::path expected_path(const AcceptOptions& options, const ResultFile& file) {
  if (!options.expected.empty()) return options.expected;
  const bool is_named = !options.suite.empty() && options.suite != "none";
  fs::path path = is_named ? expected_beside(options.suite) : usual_expected(file, suite_of(file));
  if (path.empty())
    throw Error(ErrorKind::kUsage, fmt::format("{} is not from a suite; pass --expected FILE", options.result));
  return path;
}

ExitCode run_accept(const ParsedOptions& parsed, CommandContext& context) {
  const AcceptOptions options = read_accept_options(parsed);
  const LoadedResults loaded = load_result_file(options.result);
  for (const std::string& warning : loaded.warnings) context.warn(warning);
  const fs::path path = expected_path(options, loaded.file);
  const std::string suite = suite_for_limits(loaded.file, options.suite, options.result);
  const LimitSet limits = collect_limits(suite, options.limits);
  const FolderLock lock(path);  // others accept, too
  ExpectedFile expected =
      fs::exists(path) ? parse_expected_file(load_regular_file(path), path.string()) : ExpectedFile();
  check_labels(options, loaded.file, expected);
  if (const auto refused = refuse_refresh(options, loaded.file, expected, path, limits, context)) return *refused;
  Accepter accepter({options.result, options.why, options.refresh}, limits, expected);
  std::set<std::string> there;
  size_t failed = 0;
  for (const Result& result : loaded.file.results) {
    const std::string key = result_key(result);
    there.insert(key);
    if (!is_meant(key, options.labels)) continue;
    if (result.ok() && !result.counts.empty()) {
      accepter.accept(loaded.file, result);
      continue;
    }
    if (result.status == kNotGateable) accepter.drop(key, {});
    if (result.is_left_out()) continue;
    ++failed;
    context.warn(
        fmt::format("{}: has no count to accept, its line stays as it was ({}: {})", key, result.status, result.error));
  }
  if (options.drop_missing) {
    std::set<std::string> gone;
    for (const auto& [key, value] : expected.values)
      if (!there.contains(key.first) && is_meant(key.first, options.labels)) gone.insert(key.first);
    for (const std::string& key : gone) accepter.drop(key, {});
  }
  accepter.accept_growths(loaded.file, suite.empty() ? std::vector<GrowthLimit>() : growth_limits(load_suite(suite)),
                          [&](const std::string& key) { return is_meant(key, options.labels); });
  save_expected_file(path, expected);
  render_changes(context.out, accepter.changes(), path.string(), context.terminal.style);
  return failed > 0 ? ExitCode::kFailure : ExitCode::kOk;
}

}  // namespace

const CommandSpec& accept_command() {
  static const CommandSpec command = {
      .name = "accept",
      .summary = "save the counts of a result as the accepted values that the gate compares with",
      .arguments = "RESULT [LABEL...]",
      .description =
          "Writes one line per benchmark to a text file in the repository, so that a reviewer sees changed numbers in "
          "the diff, and branches that change different benchmarks merge without conflicts (docs/gate.md). Without "
          "LABEL all benchmarks of RESULT are accepted; a LABEL is a benchmark's name, or its beginning up to a ' / "
          "'.\n\nA plain accept is deliberate: cumulative regressions are counted from it. --refresh updates only "
          "values within their limits. If one is above its limit, nothing is written and the exit code is 3; if one "
          "was measured or built differently, 125.",
      .options = kAcceptOptions,
      .examples = kAcceptExamples,
      .min_arguments = 1,
      .max_arguments = 10'000,
      .run = run_accept,
  };
  return command;
}

}  // namespace icount
