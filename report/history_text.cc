#include "icount/report/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>

#include "icount/base/text.h"
#include "icount/report/document.h"
#include "icount/report/results_text.h"
#include "icount/stats/units.h"

namespace icount {
namespace {

constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr size_t kMiddle = 3;
constexpr double kLevels = 8;

size_t block_of(double value, double low, double high) {
  if (!(high > low)) return kMiddle;
  return static_cast<size_t>(std::clamp(std::floor((value - low) / (high - low) * kLevels), 0.0, kLevels - 1));
}

}  // namespace

std::string render_sparkline(std::span<const std::optional<double>> values, size_t columns) {
  double low = 0, high = 0;
  bool any = false;
  for (const std::optional<double>& value : values) {
    if (!value) continue;
    low = any ? std::min(low, *value) : *value;
    high = any ? std::max(high, *value) : *value;
    any = true;
  }
  const size_t count = std::min(columns, values.size());
  std::string text;
  for (size_t column = 0; column < count; ++column) {
    std::optional<double> shown;
    for (size_t i = column * values.size() / count; i < (column + 1) * values.size() / count; ++i)
      if (values[i]) shown = values[i];
    text += shown ? kBlocks[block_of(*shown, low, high)] : " ";
  }
  return text;
}

namespace {

constexpr size_t kSparkColumns = 32;
constexpr size_t kHashCharacters = 10;

std::string value_text(double value, bool wall) {
  if (!wall) return quantity_text(value);
  const TimeUnit unit = select_fine_unit(value);
  return fmt::format("{:.4g} {}", value / unit.seconds, unit.name);
}

std::string percent_text(double from, double to) {
  if (from == 0) return "";
  return fmt::format("{:+.2f}%", (to - from) / std::abs(from) * 100);
}

Tone tone_of(double from, double to) { return to > from ? Tone::kWorse : to < from ? Tone::kBetter : Tone::kPlain; }

std::vector<std::optional<double>> values_of(const BenchmarkHistory& history) {
  std::vector<std::optional<double>> values;
  for (const HistoryRow& row : history.rows) values.push_back(row.value);
  return values;
}

std::optional<double> newest_value(const BenchmarkHistory& history) {
  for (auto row = history.rows.rbegin(); row != history.rows.rend(); ++row)
    if (row->value) return row->value;
  return std::nullopt;
}

std::string noise_text(const BenchmarkHistory& history) {
  if (history.exact) return "exact";
  const double value = newest_value(history).value_or(0);
  return "± " + value_text(history.noise, history.wall) +
         (value > 0 ? fmt::format(" ({:.2g}%)", history.noise / value * 100) : "");
}

std::string place_of(const HistoryRow& row) {
  return row.commit.empty() ? fmt::format("#{}", row.run) : short_hash(row.commit);
}

std::string remark_of(const HistoryRow& row) {
  std::string remark = row.subject;
  if (!row.name.empty()) remark = remark.empty() ? row.name : fmt::format("{} ({})", remark, row.name);
  if (row.taken_over) remark += fmt::format("{}taken over, not measured", remark.empty() ? "" : "; ");
  if (!row.not_alike.empty())
    remark += fmt::format("{}not measured like the one before: {}", remark.empty() ? "" : "; ", row.not_alike);
  if (row.step && row.between > 0)
    remark += fmt::format("{}not measured since {}: {}", remark.empty() ? "" : "; ", short_hash(row.before_commit),
                          counted(row.between, "commit"));
  if (!row.line.empty()) remark += (remark.empty() ? "" : "; ") + row.line;
  return remark;
}

/// Rows worth a line: the newest `last`, and of the older ones those that begin a level.
std::vector<size_t> shown_rows(const BenchmarkHistory& history, size_t last) {
  std::vector<size_t> shown;
  const size_t count = history.rows.size();
  for (size_t i = 0; i < count; ++i)
    if (last == 0 || count - i <= last || history.rows[i].step || i == 0) shown.push_back(i);
  return shown;
}

size_t step_count(const BenchmarkHistory& history) {
  return static_cast<size_t>(
      std::count_if(history.rows.begin(), history.rows.end(), [](const HistoryRow& row) { return row.step; }));
}

void add_run_row(Table& table, const BenchmarkHistory& history, const HistoryRow& row) {
  std::vector<Cell> cells = {{place_of(row)}, {utc_text(row.unix_time)}, {row.branch}};
  if (row.value)
    cells.push_back({value_text(*row.value, history.wall)});
  else
    cells.push_back({row.status == "done" ? "" : row.status, Tone::kWorse});
  cells.push_back(row.step ? Cell{percent_text(row.step_from, row.step_to), tone_of(row.step_from, row.step_to)}
                           : Cell{});
  cells.push_back({remark_of(row)});
  table.add_row(std::move(cells));
}

struct StepPlace {
  const BenchmarkHistory* history;
  const HistoryRow* row;
  size_t index;
};

/// Newest first; steps of one run in the order of their benchmarks.
std::vector<StepPlace> all_steps(std::span<const BenchmarkHistory> histories) {
  std::vector<StepPlace> steps;
  for (const BenchmarkHistory& history : histories)
    for (size_t i = 0; i < history.rows.size(); ++i)
      if (history.rows[i].step) steps.push_back({&history, &history.rows[i], i});
  std::stable_sort(steps.begin(), steps.end(), [](const StepPlace& a, const StepPlace& b) {
    return std::pair(a.row->unix_time, a.row->run) > std::pair(b.row->unix_time, b.row->run);
  });
  return steps;
}

}  // namespace

std::string utc_text(int64_t unix_time) {
  if (unix_time == 0) return "";
  const std::chrono::sys_seconds time{std::chrono::seconds(unix_time)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count());
}

std::string short_hash(const std::string& hash) { return hash.substr(0, kHashCharacters); }

void render_history_text(std::ostream& out, const BenchmarkHistory& history, size_t last, const TextStyle& style) {
  out << paint(escape_for_terminal(history.key), Tone::kBold, style) << '\n';
  out << fmt::format("  {}, {}, noise {}\n", counted(history.rows.size(), "run"), counted(step_count(history), "step"),
                     noise_text(history));
  out << "  " << render_sparkline(values_of(history), kSparkColumns * 2) << "\n\n";
  Table table({{"commit", Align::kLeft},
               {"time (UTC)", Align::kLeft},
               {"branch", Align::kLeft},
               {history.wall ? "time" : "per run"},
               {"step"},
               {"", Align::kLeft}});
  size_t next = 0;
  for (const size_t i : shown_rows(history, last)) {
    if (i > next) table.add_row({{fmt::format("... {} more", i - next), Tone::kDim}});
    add_run_row(table, history, history.rows[i]);
    next = i + 1;
  }
  table.render_text(out, style);
}

void render_histories_text(std::ostream& out, std::span<const BenchmarkHistory> histories, size_t most,
                           const TextStyle& style) {
  Table table({{"benchmark", Align::kLeft}, {"now"}, {"noise"}, {"steps"}, {"history", Align::kLeft}});
  for (const BenchmarkHistory& history : histories) {
    const std::optional<double> now = newest_value(history);
    const size_t steps = step_count(history);
    table.add_row({{history.key},
                   {now ? value_text(*now, history.wall) : ""},
                   {noise_text(history)},
                   {steps == 0 ? "" : std::to_string(steps)},
                   {render_sparkline(values_of(history), kSparkColumns)}});
  }
  table.render_text(out, style);
  const std::vector<StepPlace> steps = all_steps(histories);
  if (steps.empty()) return;
  out << '\n' << paint("steps, newest first", Tone::kBold, style) << '\n';
  Table list({{"commit", Align::kLeft}, {"from"}, {"to"}, {"change"}, {"benchmark", Align::kLeft}, {"", Align::kLeft}});
  const size_t shown = most == 0 ? steps.size() : std::min(most, steps.size());
  for (size_t i = 0; i < shown; ++i) {
    const HistoryRow& row = *steps[i].row;
    const bool wall = steps[i].history->wall;
    list.add_row({{place_of(row)},
                  {value_text(row.step_from, wall)},
                  {value_text(row.step_to, wall)},
                  {percent_text(row.step_from, row.step_to), tone_of(row.step_from, row.step_to)},
                  {steps[i].history->key},
                  {remark_of(row)}});
  }
  list.render_text(out, style);
  if (shown < steps.size()) out << fmt::format("  ... {} older ones\n", steps.size() - shown);
}

Json histories_to_json(std::span<const BenchmarkHistory> histories, const std::string& store) {
  Json json;
  json["schema"] = {{"name", "icount-history"}, {"version", 1}};
  json["store"] = store;
  Json& benchmarks = json["benchmarks"] = Json::array();
  for (const BenchmarkHistory& history : histories) {
    Json entry = {{"label", history.key},
                  {"unit", history.wall ? "seconds" : "count"},
                  {"exact", history.exact},
                  {"noise", history.noise}};
    Json& points = entry["points"] = Json::array();
    for (const HistoryRow& row : history.rows) {
      Json point = {{"run", row.run},         {"commit", row.commit},
                    {"subject", row.subject}, {"branch", row.branch},
                    {"name", row.name},       {"unix_time", row.unix_time},
                    {"status", row.status},   {"value", row.value ? Json(*row.value) : Json(nullptr)}};
      if (row.step) point["step"] = {{"from", row.step_from}, {"to", row.step_to}};
      if (!row.not_alike.empty()) point["not_alike"] = row.not_alike;
      if (row.taken_over) point["taken_over"] = true;
      if (row.before != 0)
        point["compared_with"] = {{"run", row.before}, {"commit", row.before_commit}, {"not_measured", row.between}};
      if (!row.line.empty()) point["ancestry"] = row.line;
      points.push_back(std::move(point));
    }
    benchmarks.push_back(std::move(entry));
  }
  return json;
}

}  // namespace icount
