#include "icount/cli/command_accept.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>

#include "icount/base/checked.h"
#include "icount/base/counted.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/console/options.h"
#include "icount/gate/gate_files.h"
#include "icount/report/explanation_text.h"
#include "icount/report/table.h"
#include "icount/store/expected_file.h"
#include "icount/store/result_file.h"
#include "icount/verdict/gate_values.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kOptions[] = {
    {"expected", "FILE", "the file of accepted values (default: the suite file's name with .expected)"},
    {"why", "TEXT", "the reason, kept beside the value"},
    {"refresh", "",
     "only follow small changes: creep goes on being counted from where a person last accepted; for a bot on the main "
     "branch"},
    {"drop-missing", "", "also take out benchmarks that RESULT does not have"},
    {"suite", "FILE",
     "the suite whose [limits] say which further numbers to keep (default: the one RESULT was measured with; none: no "
     "suite)"},
};

constexpr ExampleSpec kExamples[] = {
    {"icount accept head.icount", "everything in the result is as it should be from now on"},
    {"icount accept head.icount 'Math / add' --why 'checks its input now'", "one benchmark, or all below a label"},
    {"icount accept main.icount --refresh", "after a merge: follow what passed the gate"},
};

struct AcceptOptions {
  std::string result, expected, why, suite;
  std::vector<std::string> labels;
  bool refresh = false;
  bool drop_missing = false;
};

AcceptOptions read_options(const ParsedOptions& parsed) {
  AcceptOptions options;
  const auto& arguments = parsed.arguments();
  if (!arguments.empty()) {
    options.result = arguments[0];
    options.labels.assign(arguments.begin() + 1, arguments.end());
  }
  options.expected = parsed.text("expected");
  options.why = parsed.text("why");
  options.suite = parsed.text("suite");
  options.refresh = parsed.has("refresh");
  options.drop_missing = parsed.has("drop-missing");
  parsed.excludes("refresh", "why");
  parsed.check();
  return options;
}

/// A label means the benchmark of that name and all below it.
bool is_meant(const std::string& key, const std::vector<std::string>& labels) {
  if (labels.empty()) return true;
  return std::any_of(labels.begin(), labels.end(), [&](const std::string& label) {
    return key == label || key.starts_with(label + " / ") || key.starts_with(label + " [");
  });
}

void check_labels(const AcceptOptions& options, const ResultFile& file, const ExpectedFile& expected) {
  std::vector<std::string> keys;
  for (const Result& result : file.results) keys.push_back(result_key(result));
  if (options.drop_missing)
    for (const auto& [key, value] : expected.values) keys.push_back(key.first);
  std::string problems;
  for (const std::string& label : options.labels) {
    if (std::any_of(keys.begin(), keys.end(), [&](const std::string& key) { return is_meant(key, {label}); })) continue;
    const std::string near = nearest(label, keys);
    problems +=
        fmt::format("{} has no benchmark '{}'{}\n", options.result, label,
                    near.empty() ? "; `icount suite show` lists them" : fmt::format("; did you mean '{}'?", near));
  }
  if (!problems.empty()) throw Error(ErrorKind::kUsage, std::string(trim(problems)));
}

/// What changed in the file, for the person.
struct Change {
  std::string name;
  std::optional<int64_t> before, after;
};

class Accepter {
 public:
  Accepter(const AcceptOptions& options, const LimitSet& limits, ExpectedFile& expected)
      : options_(options), limits_(limits), expected_(expected) {}

  void accept(const ResultFile& file, const Result& result) {
    const std::string key = result_key(result);
    const Fingerprint facts = refusing_facts(full_fingerprint(file, result));
    const std::string conditions = conditions_name(facts);
    expected_.conditions[conditions] = facts;
    const auto graph = unpack_graph(result, options_.result);
    std::set<Measure> kept;
    for (const MeasuredValue& value : values_for_limits(result, graph.get(), limits_)) {
      kept.insert(value.measure);
      take(key, value, result.number_per_run, conditions);
    }
    drop(key, kept);
  }

  /// Takes every line of the benchmark out that is not in `kept`.
  void drop(const std::string& key, const std::set<Measure>& kept) {
    for (auto line = expected_.values.begin(); line != expected_.values.end();) {
      if (line->first.first != key || kept.contains(line->first.second)) {
        ++line;
        continue;
      }
      changes_.push_back({name_of(line->first), line->second.accepted, {}});
      line = expected_.values.erase(line);
    }
  }

  const std::vector<Change>& changes() const { return changes_; }

 private:
  static std::string name_of(const ExpectedKey& key) { return fmt::format("{}: {}", key.first, to_text(key.second)); }

  void take(const std::string& key, const MeasuredValue& value, int64_t number_per_run, const std::string& conditions) {
    const ExpectedKey place{key, value.measure};
    const auto found = expected_.values.find(place);
    if (found == expected_.values.end()) {
      expected_.values[place] = {value.value, value.value, number_per_run, conditions, options_.why};
      changes_.push_back({name_of(place), {}, value.value});
      return;
    }
    ExpectedValue& line = found->second;
    const bool comparable = line.number_per_run == number_per_run && line.conditions == conditions;
    if (line.accepted != value.value || !comparable) changes_.push_back({name_of(place), line.accepted, value.value});
    // A refresh follows; only a gain lowers what creep is counted from. Under other conditions there is nothing to go
    // on from.
    if (!options_.refresh || !comparable) line.reference = value.value;
    line.reference = std::min(line.reference, value.value);
    if (!options_.refresh && (line.accepted != value.value || !options_.why.empty())) line.why = options_.why;
    line.accepted = value.value;
    line.number_per_run = number_per_run;
    line.conditions = conditions;
  }

  const AcceptOptions& options_;
  const LimitSet& limits_;
  ExpectedFile& expected_;
  std::vector<Change> changes_;
};

void render_changes(std::ostream& out, const std::vector<Change>& changes, const std::string& file,
                    const TextStyle& style) {
  if (changes.empty()) {
    out << escape_for_terminal(file) << ": nothing changed\n";
    return;
  }
  out << escape_for_terminal(fmt::format("{}: {} changed", file, counted(changes.size(), "value"))) << "\n\n";
  TextTable table({{"accepted before"}, {"now"}, {"change"}, {"", Align::kLeft}});
  for (const Change& change : changes) {
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
  table.render(out, style);
}

fs::path expected_path(const AcceptOptions& options, const ResultFile& file) {
  if (!options.expected.empty()) return options.expected;
  const std::string suite = options.suite.empty() || options.suite == "none" ? suite_of(file) : options.suite;
  if (suite.empty())
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{} is of no suite, so there is no default place: --expected FILE names one", options.result));
  return expected_beside(suite);
}

ExitCode run_accept(const ParsedOptions& parsed, CommandContext& context) {
  const AcceptOptions options = read_options(parsed);
  const LoadedResults loaded = load_result_file(options.result);
  for (const std::string& warning : loaded.warnings) context.warn(warning);
  const fs::path path = expected_path(options, loaded.file);
  const LimitSet limits = collect_limits(suite_for_limits(loaded.file, options.suite, options.result), {});
  ExpectedFile expected = fs::exists(path) ? load_expected_file(path) : ExpectedFile();
  check_labels(options, loaded.file, expected);
  Accepter accepter(options, limits, expected);
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
    if (result.status == "skipped") continue;  // never measured on this machine
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
  save_expected_file(path, expected);
  render_changes(context.out, accepter.changes(), path.string(), context.terminal.style);
  return failed > 0 ? ExitCode::kFailure : ExitCode::kOk;
}

}  // namespace

const CommandSpec& accept_command() {
  static const CommandSpec command = {
      .name = "accept",
      .summary = "write a result's counts down as the accepted values that the gate compares with",
      .arguments = "RESULT [LABEL...]",
      .description =
          "Writes one line per benchmark to a text file that is kept in the repository, so that a reviewer sees the "
          "change of a number in the diff and branches that touch "
          "different benchmarks merge (docs/gate.md). Without LABEL every benchmark of RESULT is taken; a LABEL is a "
          "benchmark's name, or the beginning of "
          "it up to a ' / '.\n\n"
          "An acceptance is on purpose: creep is counted anew from it. --refresh only follows changes that the gate "
          "let pass.",
      .options = kOptions,
      .examples = kExamples,
      .min_arguments = 1,
      .max_arguments = 10'000,
      .run = run_accept,
  };
  return command;
}

}  // namespace icount
