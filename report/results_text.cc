#include "icount/report/results_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/cost_table.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/system_calls.h"
#include "icount/report/processes_text.h"
#include "icount/report/short_name.h"
#include "icount/stats/flag_paths.h"
#include "icount/stats/iteration_slopes.h"

namespace icount {

std::string describe_spread(const Result& result) {
  const int64_t spread = count_spread(result);
  const double median = static_cast<double>(*median_count(result));
  const double percent = median == 0 ? 0 : 100 * static_cast<double>(spread) / median;
  // {:.1g} alone would say 1e+04.
  const std::string share =
      percent < 1 ? fmt::format("{:.1g}", percent) : with_thousands(static_cast<int64_t>(std::llround(percent)));
  return fmt::format("moves by {} ({} %)", with_thousands(spread), share);
}

Json spread_to_json(const Result& result) {
  const auto [low, high] = std::minmax_element(result.counts.begin(), result.counts.end());
  return {{"min", *low}, {"max", *high}};
}

namespace {

/// Rows of functions from the graph, or the few that were kept without one; and what the filter left out.
struct FunctionTable {
  std::vector<TopFunction> rows;
  int64_t left_out = 0;
  int64_t left_out_self = 0;
  int64_t loader = 0;  ///< of the dynamic loader, before `main`: not what a reader of a program's table looks for
  int64_t loader_self = 0;
};

FunctionTable functions_of(const Result& result, const ResultsView& view) {
  const FunctionFilter& filter = view.filter;
  const bool folds_loader = !result.task.program.empty() && view.top != 0 && filter.keeps_all();
  FunctionTable table;
  const auto add = [&](std::string_view file, TopFunction function) {
    if (filter.keeps(file, function.name)) return table.rows.push_back(std::move(function));
    ++table.left_out;
    table.left_out_self += function.self;
  };
  if (result.graph) {
    for (const CostRow& row : make_cost_table(*result.graph, {})) {
      if (row.self[0] == 0) continue;
      if (folds_loader && noise_group_of(row.name, row.object) == kLoaderGroup) {
        ++table.loader;
        table.loader_self += row.self[0];
      } else {
        add(row.file, {std::string(row.name), row.self[0], row.inclusive[0]});
      }
    }
  } else {
    for (const TopFunction& function : result.top) add({}, function);
  }
  return table;
}

std::string runs_text(const Result& result) {
  std::string text;
  if (result.task.program.empty()) text = counted(result.number_per_run, "run");
  if (result.counts.size() < 2) return text;
  const int64_t spread = count_spread(result);
  if (!text.empty()) text += ", ";
  text += fmt::format("{} repeats", result.counts.size());
  return text + (spread == 0 ? ", all equal" : ", the count " + describe_spread(result));
}

/// A count that could move says so, behind what runs_text says.
std::string single_text(const Result& result) {
  if (result.counts.size() > 1) return "";
  const std::string* chance = result.fingerprint.find(kChanceFact);
  const std::string with = result.task.num_threads > 1 ? "the order of its threads" : chance ? *chance : "";
  if (with.empty()) return "";
  return fmt::format("{}it may vary with {}: --repeats 2 shows by how much", result.task.program.empty() ? "; " : "",
                     with);
}

/// Behind what each run costs: what all of them cost beside that.
std::string fixed_part_text(const Result& result) {
  if (!result.fixed || *result.fixed == 0) return {};
  if (depends_on_number(result))
    return fmt::format("after the first {}, which cost {} {} in all; compare this figure",
                       with_thousands(result.number_per_run), quantity_text(std::abs(*result.fixed)),
                       *result.fixed > 0 ? "more" : "less");
  if (*result.fixed > 0) return fmt::format("and {} once", quantity_text(*result.fixed));
  return fmt::format("after the first {}, which cost less", with_thousands(result.number_per_run));
}

bool allocates(const Result& result) {
  return find_figure(result, kAllocations).value_or(0) != 0 || find_figure(result, kFrees).value_or(0) != 0;
}

/// "read 5, write 3 (2 ms), 7 others".
std::string system_calls_text(const std::vector<SystemCall>& calls) {
  constexpr size_t kMost = 8;
  std::string text;
  int64_t others = 0;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (i >= kMost) {
      others += calls[i].calls;
      continue;
    }
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", calls[i].name, with_thousands(calls[i].calls));
    if (calls[i].milliseconds > 0) text += fmt::format(" ({} ms)", with_thousands(calls[i].milliseconds));
  }
  if (others > 0) text += fmt::format(", {} other{}", with_thousands(others), others == 1 ? "" : "s");
  return text;
}

/// "3 per run, 300 frees"; "model: Ir + 10 I1mr + ...".
std::string further_text(const FurtherEvent& event, const Result& result) {
  std::string text;
  if (result.number_per_run > 1 && !is_peak_event(event.name))
    text = quantity_text(static_cast<double>(event.total) / static_cast<double>(result.number_per_run)) + " per run";
  const auto add = [&](const std::string& more) { text += (text.empty() || more.empty() ? "" : ", ") + more; };
  if (event.name == kAllocations) add(counted(find_figure(result, kFrees).value_or(0), "free"));
  if (!event.model.empty()) add("model: " + event.model);
  if (event.name == kSystemCallCount && result.graph) add(system_calls_text(system_calls(*result.graph)));
  if (event.name == kSystemCallTime) add("ms");
  return text;
}

Table unlabelled(std::vector<Column> columns) { return Table(std::move(columns), Titles::kMarkdownOnly); }

/// What a result's own table has: all figures, or those that the overview of several results leaves out.
enum class Figures { kAll, kBesideOverview };

void add_figures(Document& out, const Result& result, Figures figures) {
  const bool all = figures == Figures::kAll;
  Table table = unlabelled({{"", Align::kLeft}, {""}, {"", Align::kLeft}});
  if (result.number_per_run > 1 && (all || depends_on_number(result)))
    table.add_row({{"each run", Tone::kDim},
                   {run_cost_text(result) + " " + result.event, Tone::kBold},
                   {fixed_part_text(result)}});
  if (all)
    table.add_row({{"count", Tone::kDim},
                   {with_thousands(*median_count(result)) + " " + result.event},
                   {runs_text(result) + single_text(result)}});
  if (result.entries > 0)
    table.add_row({{"entries", Tone::kDim},
                   {with_thousands(result.entries)},
                   {quantity_text(static_cast<double>(*median_count(result)) / static_cast<double>(result.entries)) +
                    " " + result.event + " each"}});
  for (const FurtherEvent& event : further_events(result, result.graph.get())) {
    if (event.name == kFrees || (event.name == kAllocations && !allocates(result))) continue;
    table.add_row({{event.name, Tone::kDim}, {with_thousands(event.total)}, {further_text(event, result)}});
  }
  out.table(std::move(table));
}

void add_functions(Document& out, const Result& result, const ResultsView& view, size_t width) {
  const FunctionTable all = functions_of(result, view);
  const std::vector<TopFunction>& functions = all.rows;
  if (functions.empty() && all.left_out == 0 && all.loader == 0) return;
  const auto count = static_cast<double>(*median_count(result));
  const size_t shown = view.top == 0 ? functions.size() : std::min(view.top, functions.size());
  std::vector<std::string> names;
  for (size_t i = 0; i < shown; ++i) names.push_back(functions[i].name);
  const bool per_run = result.number_per_run > 1;
  Table table(per_run ? std::vector<Column>{{"self"}, {"share"}, {"per run"}, {"inclusive"}, {"function", Align::kLeft}}
                      : std::vector<Column>{{"self"}, {"share"}, {"inclusive"}, {"function", Align::kLeft}});
  const auto cells = [&](int64_t self, const std::string& inclusive, const std::string& name, Tone tone) {
    std::vector<Cell> row = {
        {with_thousands(self), tone},
        {count == 0 ? "-" : fmt::format("{:.2f}%", 100.0 * static_cast<double>(self) / count), tone}};
    if (per_run)
      row.push_back({quantity_text(static_cast<double>(self) / static_cast<double>(result.number_per_run)), tone});
    row.push_back({inclusive, tone});
    row.push_back({name, tone, inclusive.empty() ? Form::kText : Form::kName});
    return row;
  };
  const ShortNames short_names(view.raw ? std::vector<std::string>() : names,
                               width == 0 ? 0 : std::max<size_t>(width, 70) - 48);
  int64_t rest = 0;
  for (size_t i = shown; i < functions.size(); ++i) rest += functions[i].self;
  for (size_t i = 0; i < shown; ++i)
    table.add_row(cells(functions[i].self, with_thousands(functions[i].inclusive), short_names.of(functions[i].name),
                        Tone::kPlain));
  if (shown < functions.size())
    table.add_row(
        cells(rest, "", counted(static_cast<int64_t>(functions.size() - shown), "more function"), Tone::kDim));
  if (all.loader > 0)
    table.add_row(cells(all.loader_self, "", counted(all.loader, "function") + " of the dynamic loader", Tone::kDim));
  if (all.left_out > 0)
    table.add_row(cells(all.left_out_self, "", counted(all.left_out, "function") + " left out", Tone::kDim));
  Document inside;
  inside.table(std::move(table));
  out.gap();
  out.fold("Functions", std::move(inside));
}

Document make_block(const Result& result, Figures figures, const std::string& built, const ResultsView& view,
                    size_t width) {
  Document out;
  if (!result.counts.empty()) add_figures(out, result, figures);
  if (!built.empty() && figures == Figures::kAll) out.item({"built: " + built, Tone::kDim});
  if (!result.ok()) {
    Table status = unlabelled({{"", Align::kLeft}, {"", Align::kLeft}});
    status.add_row({{result.status, Tone::kWorse},
                    {!result.task.program.empty() ? result.error
                     : result.counts.empty()      ? "no count"
                                                  : "the figures above are not a result"}});
    out.table(std::move(status));
  }
  if (!result.taken_over.empty()) out.note(fmt::format("taken over from {}, not measured", result.taken_over));
  for (const std::string& note : result.notes) out.note(note);
  if (result.counts.empty()) return out;
  out.append(make_processes_document(result, view.raw ? 0 : width));
  add_functions(out, result, view, width);
  return out;
}

void add_overview(Document& out, std::span<const Result> results) {
  Table table({{"each run"}, {"once"}, {"count"}, {"spread"}, {"statement", Align::kLeft}});
  for (const Result& result : results) {
    Cell name{.text = result_key(result), .form = Form::kName};
    if (result.counts.empty()) {
      table.add_row({{result.status, Tone::kWorse}, {""}, {""}, {""}, std::move(name)});
      continue;
    }
    table.add_row({{run_cost_text(result)},
                   {fixed_text(result)},
                   {with_thousands(*median_count(result))},
                   {with_thousands(count_spread(result))},
                   std::move(name)});
  }
  out.table(std::move(table));
}

}  // namespace

std::string quantity_text(double value) {
  const double hundredths = std::round(value * 100);
  if (!(std::abs(hundredths) < 9e17)) return fmt::format("{:.6g}", value);
  const auto whole = static_cast<int64_t>(hundredths);
  const int64_t fraction = std::abs(whole % 100);
  std::string text = with_thousands(std::abs(whole) / 100);
  if (fraction != 0) text += fmt::format(".{:02}", fraction);
  return whole < 0 ? "-" + text : text;
}

std::string describe_builds(std::span<const Result> results, const Fingerprint& shared) {
  std::vector<std::string> builds;
  for (const Result& result : results) {
    Fingerprint facts = shared;
    for (const Fact& own : result.fingerprint.facts) facts.set(own.name, own.value, own.fact_class);
    std::string build = describe_build(facts);
    if (!build.empty() && std::find(builds.begin(), builds.end(), build) == builds.end())
      builds.push_back(std::move(build));
  }
  return fmt::format("{}", fmt::join(builds, " and "));
}

std::string run_cost_text(const Result& result) {
  return quantity_text(result.slope ? *result.slope : *per_run(result));
}

std::string fixed_text(const Result& result) {
  if (!result.fixed) return {};
  return *result.fixed < 0 ? "-" : quantity_text(*result.fixed);
}

Document make_results_document(std::span<const Result> results, const ResultsView& view, size_t width) {
  Document out;
  const std::string built = view.built ? describe_builds(results) : std::string();
  if (results.size() > 1) {
    if (!built.empty()) out.line("built: " + built, Tone::kDim);
    add_overview(out, results);
  }
  for (const Result& result : results) {
    Document block =
        make_block(result, results.size() > 1 ? Figures::kBesideOverview : Figures::kAll, built, view, width);
    if (block.empty()) continue;
    if (!out.empty()) out.gap();
    out.title({.text = result_key(result), .form = Form::kName});
    out.append(std::move(block));
  }
  return out;
}

namespace {

/// Adds "functions", and "left_out" where there is a filter.
void add_functions(const Result& result, const FunctionFilter& filter, Json& json) {
  Json list = Json::array();
  int64_t left_out = 0, left_out_self = 0;
  const auto add = [&](std::string_view file, std::string_view name, int64_t self, int64_t inclusive) {
    if (filter.keeps(file, name)) {
      list.push_back({{"name", name}, {"self", self}, {"inclusive", inclusive}});
    } else {
      ++left_out;
      left_out_self += self;
    }
  };
  if (result.graph) {
    for (const CostRow& row : make_cost_table(*result.graph, {}))
      add(row.file, row.name, row.self[0], row.inclusive[0]);
  } else {
    for (const TopFunction& top : result.top) add({}, top.name, top.self, top.inclusive);
  }
  json["functions"] = std::move(list);
  if (!filter.keeps_all()) json["left_out"] = {{"functions", left_out}, {"self", left_out_self}};
}

Json result_to_json(const Result& result, const FunctionFilter& filter) {
  Json json;
  json["label"] = result_label(result);
  json["stmt"] = result.task.stmt;
  if (!result.task.program.empty()) json["program"] = result.task.program;
  json["language"] = result.task.language;
  json["num_threads"] = result.task.num_threads;
  json["status"] = result.status;
  json["error"] = result.error;
  if (!result.details.empty()) json["details"] = result.details;
  if (!result.notes.empty()) json["notes"] = result.notes;
  if (!result.taken_over.empty()) json["taken_over"] = result.taken_over;
  json["event"] = result.event;
  json["number_per_run"] = result.number_per_run;
  json["counts"] = result.counts;
  if (result.entries > 0) json["entries"] = result.entries;
  for (const FurtherEvent& event : further_events(result, result.graph.get())) {
    if (find_figure(result, event.name)) json[event.name] = event.total;
    json["events"][event.name] = event.total;
    if (!event.model.empty()) json["models"][event.name] = event.model;
  }
  if (result.graph)
    for (const SystemCall& call : system_calls(*result.graph))
      json["system_calls"].push_back({{"name", call.name}, {"calls", call.calls}, {"milliseconds", call.milliseconds}});
  if (!result.processes.empty()) json["processes"] = processes_to_json(result);
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  json["per_run"] = number(per_run(result));
  json["slope"] = number(result.slope);
  json["fixed"] = number(result.fixed);
  json["depends_on_number"] = depends_on_number(result);
  if (!result.counts.empty()) json["spread"] = spread_to_json(result);
  if (!result.extra.empty()) json["extra"] = parse_json(result.extra, "a result's extra data");
  add_functions(result, filter, json);
  json["fingerprint"] = to_json(result.fingerprint);
  return json;
}

}  // namespace

Json results_to_json(std::span<const Result> results, const FunctionFilter& filter) {
  Json json;
  json["schema"] = {{"name", "icount-count"}, {"version", 1}};
  json["results"] = Json::array();
  for (const Result& result : results) json["results"].push_back(result_to_json(result, filter));
  return json;
}

}  // namespace icount
