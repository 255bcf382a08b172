#include "icount/stats/event_total.h"

#include "icount/callgraph/allocations.h"
#include "icount/callgraph/derived_events.h"

namespace icount {

std::optional<int64_t> event_total(const Result& result, const CostGraph* graph, std::string_view event) {
  if (event == result.event) return median_count(result);
  if (const auto figure = find_figure(result, event)) return figure;
  if (!graph) return std::nullopt;
  if (const auto column = graph->event_index(event)) return graph->totals[*column];
  if (const DerivedEvent* derived = find_derived_event(event)) return derived_total(*derived, *graph);
  if (event != kAllocations && event != kFrees) return std::nullopt;
  const auto counts = count_allocations(*graph);  // a result of an icount that did not count them yet
  if (!counts) return std::nullopt;
  return event == kAllocations ? counts->allocations : counts->frees;
}

std::vector<FurtherEvent> further_events(const Result& result, const CostGraph* graph) {
  std::vector<FurtherEvent> events;
  if (graph) {
    for (size_t e = 0; e < graph->events.size(); ++e)
      if (graph->events[e] != result.event) events.push_back({graph->events[e], graph->totals[e], {}});
    for (const DerivedEvent& derived : derived_events())
      if (const auto total = derived_total(derived, *graph))
        events.push_back({std::string(derived.name), *total, formula_text(derived)});
  }
  for (const ResultFigure& figure : result.figures) events.push_back({figure.name, figure.total, {}});
  return events;
}

}  // namespace icount
