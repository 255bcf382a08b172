// `icount history`: how benchmarks went over the stored runs, and which commits changed them.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/cli/history_view.h"
#include "icount/console/options.h"
#include "icount/inputs/open_store.h"
#include "icount/store/run_order.h"

namespace icount {
namespace {

constexpr OptionSpec kHistoryOptions[] = {
    {"", "", "which runs"},
    kStoreOption,
    {"branch", "NAME", "only runs of this branch"},
    {"name", "NAME", "only runs stored under this name"},
    {"since", "REF|DATE", "only runs from this one on: a run as @REF, or a day such as 2026-01-31"},
    {"last", "N", "only the newest N runs; 0 for all (default 200)"},
    {"", "", "what to show"},
    {"metric", "counts|wall", "counts per run of the statement, or wall-clock times (default counts)"},
    {"rows", "N",
     "one benchmark: show the newest N runs and those with a step; several benchmarks: show N steps; 0 shows all "
     "(default 20)"},
    {"format", "text|json", "form of the output (default text; JSON always has every run)"},
};

constexpr ExampleSpec kHistoryExamples[] = {
    {"icount history", "every benchmark in one line, and the commits that changed any of them"},
    {"icount history 'Math / add'", "one benchmark, run by run"},
    {"icount history Math --branch main --since 2026-01-01", "all benchmarks with Math in their label"},
    {"icount diff @abc1234 @def5678", "then: why two of its commits differ, explained from the kept graphs"},
};

constexpr int64_t kMost = 1'000'000'000;
constexpr int64_t kDefaultRuns = 200;
constexpr int64_t kDefaultRows = 20;

std::optional<int64_t> parse_day(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '-');
  if (parts.size() != 3 || parts[0].size() != 4) return std::nullopt;
  const auto year = parse_int64(parts[0]), month = parse_int64(parts[1]), day = parse_int64(parts[2]);
  if (!year || !month || !day || *month < 1 || *day < 1) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::sys_days(date)).time_since_epoch().count();
}

int64_t since_time(const std::string& text, History& history) {
  if (text.empty()) return 0;
  if (const auto day = parse_day(text)) return *day;
  return time_of(find_run(history, text).tag);
}

/// The benchmarks whose key contains `pattern`; the one that is called so when there is one.
std::vector<BenchmarkSeries> matching_series(History& history, const std::string& pattern, const RunFilter& filter) {
  const std::vector<std::string> keys = history.benchmarks();
  if (!pattern.empty() && std::binary_search(keys.begin(), keys.end(), pattern))
    return {history.series(pattern, filter)};
  std::vector<BenchmarkSeries> series;
  const auto matches = [&](std::string_view key) { return key.find(pattern) != std::string_view::npos; };
  if (std::none_of(keys.begin(), keys.end(), matches)) {
    const std::string near = nearest_word(pattern, keys);
    throw Error(ErrorKind::kUsage,
                fmt::format("'{}': {} has no benchmark with that in its label{}", pattern, history.url().text,
                            near.empty() ? "" : fmt::format("; is it '{}'?", near)));
  }
  for (BenchmarkSeries& one : history.all_series(filter))
    if (matches(one.key)) series.push_back(std::move(one));
  return series;
}

std::vector<BenchmarkHistory> read_histories(History& history, const std::string& pattern, RunFilter filter,
                                             const std::string& since, HistoryMetric metric) {
  const HistorySnapshot moment(history);
  filter.since_time = since_time(since, history);
  if (history.benchmarks().empty()) throw Error(ErrorKind::kCannotJudge, history.url().text + ": holds no run yet");
  return make_histories(history, matching_series(history, pattern, filter), metric);
}

ExitCode run_history(const ParsedOptions& parsed, CommandContext& context) {
  const bool as_json = parsed.choice("format", {"text", "json"}) == 1;
  const auto metric = static_cast<HistoryMetric>(parsed.choice("metric", {"counts", "wall"}));
  RunFilter filter{.name = parsed.text("name"), .branch = parsed.text("branch")};
  filter.newest = static_cast<size_t>(parsed.integer("last", kDefaultRuns, 0, kMost));
  const auto rows = static_cast<size_t>(parsed.integer("rows", kDefaultRows, 0, kMost));
  parsed.check();
  History history(chosen_store(parsed.text("store"), context), OpenMode::kRead);
  const std::string pattern = parsed.arguments().empty() ? "" : parsed.arguments()[0];
  const std::vector<BenchmarkHistory> histories =
      read_histories(history, pattern, filter, parsed.text("since"), metric);
  if (histories.empty())
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("{}: no run that was asked for has {} of such a benchmark", history.url().text,
                            metric == HistoryMetric::kWall ? "wall times" : "counts"));
  if (as_json)
    context.out << dump_json(histories_to_json(histories, history.url().text)) << '\n';
  else if (histories.size() == 1)
    render_history_text(context.out, histories[0], rows, context.terminal.style);
  else
    render_histories_text(context.out, histories, rows, context.terminal.style);
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& history_command() {
  static const CommandSpec command = {
      .name = "history",
      .summary = "show the trends of benchmarks over the stored runs, and the commits that changed them",
      .arguments = "[LABEL]",
      .description =
          "LABEL is a benchmark's whole label, or a part of several. Runs are in the order of their commits. Where the "
          "repeats of a benchmark never differed, "
          "every change is a step; otherwise the noise is learnt from the history, and steps are found by a penalised "
          "piecewise constant fit that "
          "outliers don't sway. The commit named is the first one measured at the new level. Runs that were not "
          "measured alike (another Valgrind, other CPU features) are not "
          "compared; the table says where that happens.\n\n"
          "`icount diff @A @B` explains the difference between any two stored commits.",
      .options = kHistoryOptions,
      .examples = kHistoryExamples,
      .max_arguments = 1,
      .run = run_history,
  };
  return command;
}

}  // namespace icount
