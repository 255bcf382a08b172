#include "icount/report/results_json.h"

#include "icount/callgraph/cost_table.h"
#include "icount/callgraph/system_calls.h"
#include "icount/report/processes_text.h"
#include "icount/report/spread_text.h"
#include "icount/stats/event_total.h"
#include "icount/stats/marginal_cost.h"

namespace icount {
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
