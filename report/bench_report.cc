#include "icount/report/bench_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"

namespace icount {
namespace {

constexpr std::string_view kMemoryColumns[] = {"bytes", "blocks", "peak_bytes", "end_bytes"};
constexpr const char* kMemoryHeading = "memory of one iteration (peak: of all)";

/// "items 64, bytes 256": the case's counters for one iteration.
std::string counters_text(const Result& result) {
  if (result.extra.empty()) return {};
  const Json extra = parse_json(result.extra, "a result's extra data");
  std::string text = extra.value("case_label", std::string());
  const auto counters = extra.find("counters");
  if (counters == extra.end()) return text;
  for (const auto& [name, value] : counters->items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, quantity_text(value.get<double>()));
  return text;
}

/// Allocations of one iteration; empty: not known.
std::string allocations_text(const Result& result) {
  const auto total = find_figure(result, "allocations");
  return total ? quantity_text(static_cast<double>(*total) / static_cast<double>(result.number_per_run))
               : std::string();
}

std::string complexity_text(const BenchComplexity& complexity) {
  return fmt::format("{} {} ({:.2f} % rms)", quantity_text(complexity.coefficient), complexity.big_o,
                     100 * complexity.rms);
}

/// "Dr", "L1m (model)": what was measured beside instructions and what follows from it, in the order of the results.
std::vector<std::string> event_columns(const BenchCount& count) {
  std::vector<std::string> names;
  for (const Result& result : count.results)
    for (const FurtherEvent& event : further_events(result, result.graph.get())) {
      if (find_figure(result, event.name)) continue;
      std::string name = event.name + (event.model.empty() ? "" : " (model)");
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  return names;
}

/// Figures and, behind them, whose they are.
std::vector<Cell> figures_row(std::vector<std::string> figures, const Result& result) {
  std::vector<Cell> row;
  for (std::string& figure : figures) row.push_back({std::move(figure)});
  row.push_back({.text = result_key(result), .form = Form::kName});
  return row;
}

/// Of one iteration, with the fixed part: a case's further events have no slope.
void add_events(Document& out, const BenchCount& count) {
  const std::vector<std::string> names = event_columns(count);
  if (names.empty()) return;
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back({name});
  columns.push_back({"events of one iteration", Align::kLeft});
  Table table(std::move(columns));
  for (const Result& result : count.results) {
    if (result.counts.empty()) continue;
    std::vector<std::string> row(names.size());
    for (const FurtherEvent& event : further_events(result, result.graph.get())) {
      const std::string name = event.name + (event.model.empty() ? "" : " (model)");
      if (const auto at = std::find(names.begin(), names.end(), name); at != names.end())
        row[static_cast<size_t>(at - names.begin())] =
            quantity_text(static_cast<double>(event.total) / static_cast<double>(result.number_per_run));
    }
    table.add_row(figures_row(std::move(row), result));
  }
  out.gap();
  out.table(std::move(table));
}

/// Bytes and blocks of one iteration, the peak of all, bytes that one leaves behind; of the cases that have them.
void add_memory(Document& out, const BenchCount& count) {
  Table table({{"bytes"}, {"blocks"}, {"peak bytes"}, {"left"}, {kMemoryHeading, Align::kLeft}});
  for (const Result& result : count.results) {
    if (!find_figure(result, kMemoryFigures[0])) continue;
    std::vector<std::string> row;
    for (const std::string_view name : kMemoryColumns) {
      const double total = static_cast<double>(find_figure(result, name).value_or(0));
      row.push_back(quantity_text(is_peak_event(name) ? total : total / static_cast<double>(result.number_per_run)));
    }
    table.add_row(figures_row(std::move(row), result));
  }
  if (table.empty()) return;
  out.gap();
  out.table(std::move(table));
}

void add_cases(Document& out, const BenchCount& count) {
  const bool has_counters = std::any_of(count.results.begin(), count.results.end(),
                                        [](const Result& result) { return !counters_text(result).empty(); });
  const bool has_spread = std::any_of(count.results.begin(), count.results.end(),
                                      [](const Result& result) { return result.counts.size() > 1; });
  const bool has_allocations = std::any_of(count.results.begin(), count.results.end(), [](const Result& result) {
    return find_figure(result, "allocations").value_or(0) != 0;
  });
  std::vector<Column> columns = {{"per iteration"}, {"fixed"}, {"iterations"}};
  if (has_allocations) columns.push_back({"allocations"});
  if (has_spread) columns.push_back({"spread"});
  if (has_counters) columns.push_back({"counters", Align::kLeft});
  columns.push_back({"case", Align::kLeft});
  Table table(std::move(columns));
  for (const Result& result : count.results) {
    const bool counted = !result.counts.empty();
    std::vector<Cell> row = {counted ? Cell{run_cost_text(result)} : Cell{result.status, Tone::kWorse},
                             {counted ? fixed_text(result) : ""},
                             {counted ? with_thousands(result.number_per_run) : ""}};
    if (has_allocations) row.push_back({allocations_text(result)});
    if (has_spread) row.push_back({counted ? with_thousands(count_spread(result)) : ""});
    if (has_counters) row.push_back({counters_text(result)});
    row.push_back({.text = result_key(result), .form = Form::kName});
    table.add_row(std::move(row));
  }
  out.table(std::move(table));
}

}  // namespace

Document make_bench_document(const BenchCount& count, const ResultsView& view, size_t width) {
  Document out;
  if (const std::string built = describe_builds(count.results); !built.empty()) out.line("built: " + built, Tone::kDim);
  add_cases(out, count);
  add_events(out, count);
  add_memory(out, count);
  if (!count.complexities.empty()) {
    out.gap();
    Table table({{"complexity of instructions"}, {"family", Align::kLeft}});
    for (const BenchComplexity& one : count.complexities)
      table.add_row({{complexity_text(one)}, {.text = one.label, .form = Form::kName}});
    out.table(std::move(table));
  }
  if (!count.refused.empty()) {
    out.gap();
    Table table({{"not counted", Align::kLeft}, {"", Align::kLeft}});
    for (const RefusedCase& one : count.refused)
      table.add_row({{.text = one.label, .tone = Tone::kNote, .form = Form::kName}, {one.reason}});
    out.table(std::move(table));
  }
  if (view.top == 0) return out;
  ResultsView plain = view;
  plain.built = false;
  for (const Result& result : count.results) {
    if (result.counts.empty()) continue;
    out.gap();
    out.append(make_results_document(std::span(&result, 1), plain, width));
  }
  return out;
}

Json bench_to_json(const BenchCount& count) {
  Json json = results_to_json(count.results);
  json["schema"] = {{"name", "icount-bench"}, {"version", 1}};
  json["framework"] = count.framework;
  json["refused"] = Json::array();
  for (const RefusedCase& one : count.refused)
    json["refused"].push_back({{"label", one.label}, {"reason", one.reason}});
  json["complexities"] = Json::array();
  for (const BenchComplexity& one : count.complexities)
    json["complexities"].push_back(
        {{"label", one.label}, {"big_o", one.big_o}, {"coefficient", one.coefficient}, {"rms", one.rms}});
  if (!count.notes.empty()) json["notes"] = count.notes;
  return json;
}

}  // namespace icount
