// `icount report ... -o FILE.html`: everything icount knows about one result, a comparison or a history as one file to
// look at.
#include "icount/cli/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/cli/diff_refs.h"
#include "icount/cli/version_text.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/inputs/listing_sources.h"
#include "icount/inputs/open_store.h"
#include "icount/inputs/report_benchmarks.h"
#include "icount/inputs/shown_arguments.h"
#include "icount/report/html_page.h"
#include "icount/report/report_json.h"
#include "icount/report/results_text.h"
#include "icount/stats/compare.h"

namespace icount {
namespace {

constexpr OptionSpec kReportOptions[] = {
    {"out,o", "FILE", "the page to write (required); an existing file is replaced only when the page is complete"},
    {"title", "TEXT", "heading of the page (default: what is compared)"},
    {"gate", "FILE", "show the verdict and the findings of a gate, too: what `icount gate --json FILE` wrote"},
    {"", "", "what to compare"},
    {"event", "EVENT", "the event to explain (default: the first that both sides have)"},
    {"calls", "trusted|untrusted", "whether to use the call counts of the profiles (default: detected)"},
    {"force", "", "compare results even if they were measured under different conditions; the page says so"},
    kPathsOption,
    {"raw", "", "match only equal names"},
    kPatchOption,
    kCommitsOption,
    kRepositoryOption,
    kNoSourceOption,
    {"run", "", "run an executable even if it is named like a data file (.icount, .json, callgrind.out...)"},
    {"fresh", "", "measure an executable again even if its result is cached"},
    {"timeout", "SECONDS", "stop a program that runs longer (default: no limit)"},
    kStoreOption,
};

constexpr ExampleSpec kReportExamples[] = {
    {"icount report main.icount branch.icount -o report.html",
     "the change, its causes and their place in the program, for a browser"},
    {"icount report callgrind.out.1234 callgrind.out.5678 -o why.html", "the same for two profiles"},
    {"icount report v1.icount v2.icount v3.icount -o history.html", "also every benchmark's history over the files"},
    {"icount report @main head.icount --store .icount/history.sqlite -o page.html",
     "against a stored run, with every benchmark's history in the store"},
    {"icount report fuzz.json times.json -o plots.html", "cost over input size, and wall times"},
};

struct ReportOptions {
  std::string out, title, gate;
  bool has_history = false;  ///< a store was named
  bool with_source = true;   ///< inside the functions that lead
  CommitsBetween between;
  CompareResultsOptions compare;
  DiffSideOptions side;
};

ReportOptions read_report_options(const ParsedOptions& parsed) {
  ReportOptions options;
  options.out = parsed.text("out");
  if (options.out.empty()) parsed.problem("-o FILE is required: the page is not written to the terminal");
  options.title = parsed.text("title");
  options.gate = parsed.text("gate");
  options.compare.explain.event = parsed.text("event");
  if (parsed.has("calls"))
    options.compare.explain.calls =
        parsed.choice("calls", {"trusted", "untrusted"}) == 0 ? CallTrust::kTrusted : CallTrust::kUntrusted;
  options.compare.explain.raw_names = parsed.has("raw");
  options.compare.explain.list_opened = true;
  options.with_source = !parsed.has("no-source");
  options.compare.force = parsed.has("force");
  options.side.run = parsed.has("run");
  options.side.fresh = parsed.has("fresh");
  options.side.store = parsed.text("store");
  options.has_history = parsed.has("store");
  options.side.time_limit_s = parsed.seconds("timeout", 0);
  options.between = read_commits_between(parsed);
  parsed.check();
  return options;
}

ReportSide side_of(const DiffSide& side) {
  return {side.name, side.file.command, side.file.fingerprint,
          describe_builds(side.file.results, side.file.fingerprint)};
}

ReportSources sources_of(const ReportInput& input, const CompareResultsOptions& compare) {
  ReportSources sources;
  sources.compare = compare;
  const std::vector<DiffSide>& sides = input.sides;
  const auto point = [](const DiffSide& side) { return ReportPoint{side.name, &side.file}; };
  if (!sides.empty()) sources.head = point(sides.back());
  if (sides.size() > 1) sources.base = point(sides[sides.size() - 2]);
  if (sides.size() > 2) {
    std::vector<ReportPoint> points;
    for (const DiffSide& side : sides) points.push_back(point(side));
    sources.history = make_report_history(points);
  }
  return sources;
}

/// The file's name without its folders; a command line stays as it is.
std::string short_side_name(const DiffSide& side) {
  std::error_code ignored;
  return std::filesystem::exists(side.name, ignored) ? std::filesystem::path(side.name).filename().string() : side.name;
}

std::string title_of(const ReportOptions& options, const ReportInput& input) {
  if (!options.title.empty()) return options.title;
  const std::vector<DiffSide>& sides = input.sides;
  if (sides.size() > 1)
    return fmt::format("{} \u2192 {}", short_side_name(sides[sides.size() - 2]), short_side_name(sides.back()));
  if (sides.size() == 1) return short_side_name(sides[0]);
  return input.fuzz.empty() ? "timings" : std::filesystem::path(input.fuzz[0].first).filename().string();
}

ReportHead head_of(const ReportOptions& options, const ReportInput& input, const ReportSources& sources,
                   const CommandContext& context) {
  ReportHead head;
  head.title = title_of(options, input);
  head.command = fmt::format("icount {}", fmt::join(shown_arguments(context.arguments), " "));
  head.version = std::string(icount_version());
  if (!input.sides.empty()) head.head = side_of(input.sides.back());
  if (input.sides.size() > 1) head.base = side_of(input.sides[input.sides.size() - 2]);
  head.history = sources.history.names;
  if (!options.gate.empty()) head.gate = parse_report_gate(load_text(options.gate), options.gate);
  return head;
}

size_t benchmark_count(const ReportSources& sources) {
  return std::max(sources.base.file ? sources.base.file->results.size() : 0,
                  sources.head.file ? sources.head.file->results.size() : 0);
}

ExitCode run_report(const ParsedOptions& parsed, CommandContext& context) {
  ReportOptions options = read_report_options(parsed);
  std::optional<CommitSources> commits = load_commits_between(options.between);
  options.side.code = commits ? KeptCode::kAll : KeptCode::kCostly;
  const ReportInput input = load_report_input(parsed.arguments(), options.side, context);
  if (const size_t count = input.sides.size(); !commits && count > 1 && !input.sides[count - 1].commit.empty())
    commits = find_commits_between(".", input.sides[count - 2].commit, input.sides[count - 1].commit, context);
  if (commits) options.compare.commits = &*commits;
  ReportSources sources = sources_of(input, options.compare);
  sources.with_source = options.with_source;
  if (options.has_history) {
    History history(chosen_store(options.side.store, context), OpenMode::kRead);
    sources.history = load_report_history(history);
  }
  const ReportHead head = head_of(options, input, sources, context);
  ReportJson report(head, report_limits(benchmark_count(sources)));
  if (sources.head.file) add_report_benchmarks(report, sources);
  for (const auto& [name, result] : input.fuzz) report.add_fuzz(name, result);
  if (!input.timings.empty()) report.add_timings(make_compare_tables(input.timings, CompareMode::kMended));
  Json data = report.json();
  shorten_paths(data, probe_reader_paths(parsed, context.environment));
  const std::string page = render_html_page(head.title, data);
  save_file(options.out, page);
  context.out << fmt::format("{}: {} bytes; open it in a browser\n", escape_for_terminal(options.out),
                             with_thousands(static_cast<int64_t>(page.size())));
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& report_command() {
  static const CommandSpec command = {
      .name = "report",
      .summary = "write one self-contained HTML file: causes, tables, a differential flame graph, plots",
      .arguments = "FILE...",
      .description =
          "FILE may be anything `icount diff` takes (a profile, a saved result, an executable, a quoted command line), "
          "what `icount fuzz` or `icount time` saved with --out, and JSON of Google Benchmark or hyperfine. One result "
          "is shown by itself. Of two, the second is compared with the first. Of more, the last two are compared, and "
          "all of them form a history in the given order (with --store, the history is the store's). Fuzzer runs and "
          "timings become plots.\n\nThe page is one file and needs no network, so it can be attached to a review. Its "
          "figures are those of `icount diff`: causes add up to the change, and the last row of a table sums up what "
          "the table leaves out.",
      .options = kReportOptions,
      .examples = kReportExamples,
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .run = run_report,
  };
  return command;
}

}  // namespace icount
