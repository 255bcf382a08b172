#include "icount/report/suite_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/report/results_text.h"
#include "icount/stats/iteration_slopes.h"
#include "icount/stats/quantile.h"
#include "icount/stats/units.h"

namespace icount {
namespace {

struct TimeRow {
  const WallTimePair* pair;
  WallTimeChange change;
};

double size_of(const WallTimeChange& change) { return change.ratio > 0 ? std::abs(std::log(change.ratio)) : HUGE_VAL; }

std::vector<TimeRow> rows_of(std::span<const WallTimePair> pairs, bool all) {
  std::vector<TimeRow> rows;
  for (const WallTimePair& pair : pairs) {
    const WallTimeChange change = compare_wall_times(pair.base, pair.head);
    if (all || change.sure) rows.push_back({&pair, change});
  }
  std::sort(rows.begin(), rows.end(), [](const TimeRow& a, const TimeRow& b) {
    if (a.change.sure != b.change.sure) return a.change.sure;
    const double size_a = size_of(a.change), size_b = size_of(b.change);
    return size_a != size_b ? size_a > size_b : a.pair->key < b.pair->key;
  });
  return rows;
}

std::string change_text(const WallTimeChange& change) {
  return fmt::format("{:+.1f} %{}", 100 * (change.ratio - 1), change.sure ? "" : " ?");
}

Tone tone_of(const WallTimeChange& change) {
  return !change.sure ? Tone::kDim : change.ratio > 1 ? Tone::kWorse : Tone::kBetter;
}

/// What stands below the table; empty when there is nothing to say.
std::string rest_text(size_t pairs, size_t shown) {
  if (shown == pairs) return {};
  return fmt::format("{} of {} wall times can't be told apart (their 95 % intervals overlap); --all shows them",
                     pairs - shown, pairs);
}

std::string model_of(const Measurement& measurement) {
  const Json& metadata = measurement.metadata();
  if (!metadata.is_object() || !metadata.contains("surroundings")) return {};
  const Json& facts = metadata["surroundings"];
  return facts.is_object() && facts.contains("cpu_model") && facts["cpu_model"].is_string()
             ? facts["cpu_model"].get<std::string>()
             : std::string();
}

std::string models_text(std::span<const WallTimePair> pairs) {
  for (const WallTimePair& pair : pairs) {
    const std::string base = model_of(pair.base), head = model_of(pair.head);
    if (base != head)
      return fmt::format("timed on different processors ({} against {}): the wall times say little about the code",
                         base, head);
  }
  return {};
}

}  // namespace

std::string wall_time_text(const Measurement& measurement) {
  const double median = measurement.median();
  const TimeUnit unit = select_fine_unit(median);
  const double figure = trim_sigfig(median, measurement.significant_figures()) / unit.seconds;
  const int digits = std::abs(figure) >= 1 ? 1 + static_cast<int>(std::log10(std::abs(figure))) : 1;
  return fmt::format("{:.{}f} {}", figure, std::max(0, measurement.significant_figures() - digits), unit.name);
}

WallTimeChange compare_wall_times(const Measurement& base, const Measurement& head) {
  WallTimeChange change;
  if (base.median() > 0) change.ratio = head.median() / base.median();
  const std::vector<double> base_times = base.times(), head_times = head.times();
  const auto a = median_interval(base_times), b = median_interval(head_times);
  change.sure = a && b && (a->high < b->low || b->high < a->low);
  return change;
}

Document make_wall_times_document(std::span<const WallTimePair> pairs, bool all) {
  Document out;
  if (pairs.empty()) return out;
  out.gap();
  out.title({"Wall times per run"});
  if (std::string models = models_text(pairs); !models.empty()) out.line(std::move(models));
  const std::vector<TimeRow> rows = rows_of(pairs, all);
  Table table({{"base"}, {"head"}, {"change"}, {"benchmark", Align::kLeft}});
  for (const TimeRow& row : rows)
    table.add_row({{wall_time_text(row.pair->base)},
                   {wall_time_text(row.pair->head)},
                   {change_text(row.change), tone_of(row.change)},
                   {row.pair->key}});
  out.table(std::move(table));
  if (std::string rest = rest_text(pairs.size(), rows.size()); !rest.empty()) out.line(std::move(rest));
  return out;
}

Json wall_times_to_json(std::span<const WallTimePair> pairs) {
  Json list = Json::array();
  for (const WallTimePair& pair : pairs) {
    const WallTimeChange change = compare_wall_times(pair.base, pair.head);
    list.push_back({{"label", pair.key},
                    {"base_seconds", pair.base.median()},
                    {"head_seconds", pair.head.median()},
                    {"ratio", change.ratio},
                    {"sure", change.sure}});
  }
  return list;
}

namespace {

std::string task_name(const Result& result, size_t shared) {
  std::string name = shared < result.label.size() ? result.label[shared] : "";
  if (result.label.empty()) name = result_label(result);
  if (result.task.num_threads != 1) name += fmt::format(" [{} threads]", result.task.num_threads);
  return name;
}

/// Parts at the end of a label that are no headings: the name, and a language that is the same in every label.
size_t parts_of_a_name(std::span<const Result> results) {
  const auto has_same_language = [&](const Result& result) {
    return result.label.size() > 1 && result.label.back() == results[0].label.back() &&
           (result.label.back() == "C++" || result.label.back() == "Python");
  };
  return !results.empty() && std::all_of(results.begin(), results.end(), has_same_language) ? 2 : 1;
}

size_t common_parts(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  size_t shared = 0;
  while (shared < a.size() && shared < b.size() && a[shared] == b[shared]) ++shared;
  return shared;
}

std::string spread_text(const Result& result) {
  return result.counts.size() < 2 ? "" : with_thousands(count_spread(result));
}

/// Whether the column of allocations is there: when a benchmark allocates.
bool has_allocations(std::span<const Result> results) {
  return std::any_of(results.begin(), results.end(),
                     [](const Result& result) { return find_figure(result, kAllocations).value_or(0) != 0; });
}

std::string allocations_text(const Result& result) {
  const auto total = find_figure(result, kAllocations);
  return total ? quantity_text(static_cast<double>(*total) / static_cast<double>(result.number_per_run))
               : std::string();
}

bool has_taken_over(std::span<const Result> results) {
  return std::any_of(results.begin(), results.end(), [](const Result& result) { return !result.taken_over.empty(); });
}

std::vector<Cell> figures_of(const Result& result, const Measurement* time, bool allocations) {
  if (!result.ok()) return {{result.status, result.is_left_out() ? Tone::kDim : Tone::kWorse}};
  const bool spread = count_spread(result) != 0;
  std::vector<Cell> cells = {
      {run_cost_text(result)}, {fixed_text(result)}, {spread_text(result), spread ? Tone::kNote : Tone::kPlain}};
  if (allocations) cells.push_back({allocations_text(result)});
  if (time) cells.push_back({wall_time_text(*time), time->has_warnings() ? Tone::kNote : Tone::kPlain});
  return cells;
}

/// The time of the i-th result; null without one.
const Measurement* time_of(SuiteTimes times, size_t i) { return i < times.size() && times[i] ? &*times[i] : nullptr; }

/// The column of times is there when one was taken.
std::vector<Column> columns_for(SuiteTimes times, bool allocations, bool taken_over) {
  std::vector<Column> columns = {{"benchmark", Align::kLeft}, {"each run"}, {"once"}, {"spread"}};
  if (allocations) columns.push_back({"allocs"});
  if (std::any_of(times.begin(), times.end(), [](const auto& time) { return time.has_value(); }))
    columns.push_back({"wall time"});
  if (taken_over) columns.push_back({"taken over from", Align::kLeft});
  return columns;
}

void add_failures(Document& out, std::span<const Result> results, std::string heading, bool skipped) {
  bool first = true;
  for (const Result& result : results) {
    if (result.ok() || result.is_left_out() != skipped) continue;
    if (first) {
      out.gap();
      out.title({std::move(heading)});
    }
    first = false;
    out.item({fmt::format("{}: {}", result_key(result), result.error)});
  }
}

/// "NAME, NAME, NAME and 2 more: NOTE" for each note of the results, in their order.
std::vector<std::string> lines_of_notes(std::span<const Result> results) {
  constexpr size_t kNamed = 3;
  std::vector<std::pair<std::string, std::vector<std::string>>> notes;
  for (const Result& result : results) {
    for (const std::string& note : result.notes) {
      auto at = std::find_if(notes.begin(), notes.end(), [&](const auto& known) { return known.first == note; });
      if (at == notes.end()) at = notes.insert(at, {note, {}});
      at->second.push_back(result_key(result));
    }
  }
  std::vector<std::string> lines;
  for (const auto& [note, names] : notes) {
    const auto named = std::span(names).first(std::min(names.size(), kNamed));
    std::string line = fmt::format("{}: {}", fmt::join(named, ", "), note);
    if (names.size() > kNamed)
      line = fmt::format("{} and {} more: {}", fmt::join(named, ", "), names.size() - kNamed, note);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::string suite_totals(std::span<const Result> results) {
  size_t done = 0, skipped = 0, taken_over = 0;
  for (const Result& result : results) {
    if (result.ok()) ++done;
    if (result.is_left_out()) ++skipped;
    if (!result.taken_over.empty()) ++taken_over;
  }
  const size_t failed = results.size() - done - skipped;
  const auto number = [](size_t count) { return with_thousands(static_cast<int64_t>(count)); };
  std::string text = fmt::format("{}: {} done", counted(results.size(), "benchmark"), number(done));
  if (taken_over > 0) text += fmt::format(" ({} of them taken over)", number(taken_over));
  if (failed > 0) text += fmt::format(", {} failed", number(failed));
  if (skipped > 0) text += fmt::format(", {} skipped", number(skipped));
  return text;
}

Document make_suite_document(std::span<const Result> results, SuiteTimes times) {
  const bool allocations = has_allocations(results);
  const std::vector<Column> columns = columns_for(times, allocations, has_taken_over(results));
  Table table(columns);
  std::vector<std::string> above;
  const size_t named_by = parts_of_a_name(results);
  for (size_t i = 0; i < results.size(); ++i) {
    const Result& result = results[i];
    // What names the line itself stands in it; the parts before are headings, said once.
    std::vector<std::string> headings = result.label;
    headings.resize(headings.size() - std::min(named_by, headings.size()));
    const size_t shared = common_parts(above, headings);
    for (size_t depth = shared; depth < headings.size(); ++depth)
      table.add_row({{.text = headings[depth], .tone = Tone::kBold, .indent = depth}});
    std::vector<Cell> row = {{.text = task_name(result, headings.size()), .indent = headings.size()}};
    for (Cell& cell : figures_of(result, time_of(times, i), allocations)) row.push_back(std::move(cell));
    if (!result.taken_over.empty()) {
      row.resize(columns.size() - 1);
      row.push_back({result.taken_over});
    }
    table.add_row(std::move(row));
    above = std::move(headings);
  }
  Document out;
  if (const std::string built = describe_builds(results); !built.empty()) out.line("built: " + built, Tone::kDim);
  out.table(std::move(table));
  add_failures(out, results, "Failed:", false);
  add_failures(out, results, "Skipped:", true);
  const std::vector<std::string> notes = lines_of_notes(results);
  if (!notes.empty()) {
    out.gap();
    out.title({"Notes:"});
  }
  for (const std::string& note : notes) out.item({note});
  out.gap();
  out.line(suite_totals(results));
  return out;
}

Json suite_to_json(std::span<const Result> results) {
  Json list = Json::array();
  for (const Result& result : results) {
    Json entry = {{"label", result.label},
                  {"threads", result.task.num_threads},
                  {"language", result.task.language},
                  {"status", result.status}};
    if (!result.error.empty()) entry["error"] = result.error;
    if (!result.taken_over.empty()) entry["taken_over"] = result.taken_over;
    if (!result.notes.empty()) entry["notes"] = result.notes;
    entry["event"] = result.event;
    entry["number_per_run"] = result.number_per_run;
    entry["counts"] = result.counts;
    if (auto value = per_run(result)) entry["per_run"] = *value;
    if (result.slope) entry["slope"] = *result.slope;
    if (result.fixed) entry["fixed"] = *result.fixed;
    entry["depends_on_number"] = depends_on_number(result);
    if (!result.counts.empty()) entry["spread"] = spread_to_json(result);
    if (!result.measurement.empty()) entry["measurement"] = parse_json(result.measurement, "measurement");
    list.push_back(std::move(entry));
  }
  return {{"schema", {{"name", "icount-suite"}, {"version", 1}}}, {"benchmarks", std::move(list)}};
}

}  // namespace icount
