#include "icount/verdict/gate_values.h"

#include <map>
#include <optional>

#include "icount/base/checked.h"
#include "icount/callgraph/inclusive.h"
#include "icount/stats/event_total.h"

namespace icount {
namespace {

using Values = std::map<Measure, int64_t>;

void add_functions(const GateLimit& limit, const CostGraph& graph, size_t event, const LimitSet& limits,
                   Values& values) {
  std::optional<InclusiveCosts> inclusive;
  if (limit.inclusive) inclusive = make_inclusive_costs(graph);
  Values found;  // of this limit alone: two limits on one function must not add it up twice
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const std::string name(graph.name(f));
    if (!limits.matches_function(limit, name)) continue;
    int64_t& value = found[{graph.events[event], name, limit.inclusive}];
    value = saturating_add(value, inclusive ? inclusive->of(f, event) : graph.self_of(f, event));
  }
  for (const auto& [measure, value] : found) values[measure] = value;
}

}  // namespace

std::vector<MeasuredValue> values_for_limits(const Result& result, const CostGraph* graph, const LimitSet& limits) {
  std::vector<MeasuredValue> all;
  const Measure main{result.event, {}, false};
  if (const auto median = median_count(result)) all.push_back({main, *median});
  Values values;
  for (const GateLimit* limit : limits.beyond_totals(result_key(result))) {
    const std::string& name = limit->event.empty() ? result.event : limit->event;
    if (limit->function.empty()) {
      if (const auto total = event_total(result, graph, name)) values[{name, {}, false}] = *total;
    } else if (const auto event = graph ? graph->event_index(name) : std::nullopt) {
      add_functions(*limit, *graph, *event, limits, values);
    }
  }
  values.erase(main);
  for (const auto& [measure, value] : values) all.push_back({measure, value});
  return all;
}

}  // namespace icount
