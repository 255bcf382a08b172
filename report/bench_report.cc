#include "icount/report/bench_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"

namespace icount {
namespace {

constexpr std::string_view kMemoryColumns[] = {"bytes", "blocks", "peak_bytes", "end_bytes"};

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
void add_memory(Document& out, const BenchCount& count, const char* heading) {
  Table table({{"bytes"}, {"blocks"}, {"peak bytes"}, {"left"}, {heading, Align::kLeft}});
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

/// A row for each test; one that failed or that nothing can be said of has its status in place of a count.
void add_tests(Document& out, const BenchCount& count) {
  const bool has_allocations = std::any_of(count.results.begin(), count.results.end(), [](const Result& result) {
    return find_figure(result, "allocations").value_or(0) != 0;
  });
  const bool has_spread = std::any_of(count.results.begin(), count.results.end(),
                                      [](const Result& result) { return count_spread(result) > 0; });
  std::vector<Column> columns = {{"instructions"}};
  if (has_allocations) columns.push_back({"allocations"});
  if (has_spread) columns.push_back({"spread"});
  columns.push_back({"test", Align::kLeft});
  Table table(std::move(columns));
  for (const Result& result : count.results) {
    if (result.is_left_out()) continue;
    const bool counted = !result.counts.empty();
    std::vector<Cell> row = {counted ? Cell{with_thousands(*median_count(result))} : Cell{result.status, Tone::kWorse}};
    if (has_allocations) row.push_back({allocations_text(result)});
    if (has_spread) row.push_back({count_spread(result) > 0 ? with_thousands(count_spread(result)) : ""});
    row.push_back({.text = result_key(result), .form = Form::kName});
    table.add_row(std::move(row));
  }
  if (!table.empty()) out.table(std::move(table));
}

/// "5 tests: 3 exact, 1 bounded, 1 not gateable".
std::string kinds_text(const BenchCount& count) {
  size_t once = 0, exact = 0, bounded = 0, not_gateable = 0, skipped = 0, failed = 0;
  for (const Result& result : count.results)
    ++(result.status == kNotGateable ? not_gateable
       : result.status == "skipped"  ? skipped
       : !result.ok()                ? failed
       : result.counts.size() < 2    ? once
       : count_spread(result) > 0    ? bounded
                                     : exact);
  std::string text;
  const auto add = [&](size_t number, std::string_view word) {
    if (number > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", with_thousands(static_cast<int64_t>(number)), word);
  };
  add(once, "counted once");
  add(exact, "exact");
  add(bounded, "bounded");
  add(not_gateable, "not gateable");
  add(skipped, "skipped");
  add(failed, "failed");
  if (count.results.empty()) return "no test was counted";
  return fmt::format("{}: {}", counted(count.results.size(), "test"), text);
}

void add_refused(Document& out, const char* heading, const std::vector<RefusedCase>& cases) {
  if (cases.empty()) return;
  out.gap();
  Table table({{heading, Align::kLeft}, {"", Align::kLeft}});
  for (const RefusedCase& one : cases)
    table.add_row({{.text = one.label, .tone = Tone::kNote, .form = Form::kName}, {one.reason}});
  out.table(std::move(table));
}

/// The costliest functions of each case, where the user asked for them.
void add_functions(Document& out, const BenchCount& count, const ResultsView& view, size_t width) {
  if (view.top == 0) return;
  ResultsView plain = view;
  plain.built = false;
  for (const Result& result : count.results) {
    if (result.counts.empty()) continue;
    out.gap();
    out.append(make_results_document(std::span(&result, 1), plain, width));
  }
}

}  // namespace

Document make_bench_document(const BenchCount& count, const ResultsView& view, size_t width) {
  Document out;
  if (const std::string built = describe_builds(count.results); !built.empty()) out.line("built: " + built, Tone::kDim);
  add_cases(out, count);
  add_events(out, count);
  add_memory(out, count, "memory of one iteration (peak: of all)");
  if (!count.complexities.empty()) {
    out.gap();
    Table table({{"complexity of instructions"}, {"family", Align::kLeft}});
    for (const BenchComplexity& one : count.complexities)
      table.add_row({{complexity_text(one)}, {.text = one.label, .form = Form::kName}});
    out.table(std::move(table));
  }
  add_refused(out, "not counted", count.refused);
  add_functions(out, count, view, width);
  return out;
}

Document make_tests_document(const BenchCount& count, const ResultsView& view, size_t width) {
  Document out;
  if (const std::string built = describe_builds(count.results); !built.empty()) out.line("built: " + built, Tone::kDim);
  add_tests(out, count);
  add_events(out, count);
  add_memory(out, count, "memory of one run");
  const auto reasons_of = [&](std::string_view status) {
    std::vector<RefusedCase> cases;
    for (const Result& result : count.results)
      if (result.status == status) cases.push_back({result_key(result), result.error});
    return cases;
  };
  add_refused(out, "not counted", count.refused);
  add_refused(out, "not gateable", reasons_of(kNotGateable));
  add_refused(out, "skipped", reasons_of("skipped"));
  out.gap();
  out.line(kinds_text(count));
  add_functions(out, count, view, width);
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
