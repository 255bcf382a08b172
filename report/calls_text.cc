#include "icount/report/calls_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "icount/base/text.h"
#include "icount/report/document.h"
#include "icount/report/profile_cells.h"
#include "icount/report/results_text.h"
#include "icount/report/short_name.h"

namespace icount {

void render_calls_text(std::ostream& out, const CostGraph& graph, FunctionIndex function, bool callers,
                       const ProfileTextOptions& options, const TextStyle& style) {
  const size_t event = options.table.event;
  const std::vector<CallRow> rows = make_call_table(graph, function, callers, event);
  const std::string name(graph.name(function));
  std::vector<std::string> shown_names = {name};
  for (const CallRow& row : rows) shown_names.emplace_back(graph.name(row.other));
  const ShortNames names(options.raw ? std::vector<std::string>() : shown_names,
                         style.width == 0 ? 0 : std::max<size_t>(style.width, 60) - 45);
  const std::string place = place_of(graph.file(function), graph.object(function), options.raw);
  out << (callers ? "callers of " : "callees of ") << paint(escape_for_terminal(names.of(name)), Tone::kBold, style);
  if (!place.empty()) out << "  " << paint(escape_for_terminal(place), Tone::kDim, style);
  out << fmt::format("\nself cost {} {}\n\n", with_thousands(graph.self_of(function, event)), graph.events[event]);
  if (rows.empty()) {
    out << (callers ? "  (no callers)\n" : "  (no callees)\n");
    return;
  }
  Table table({{graph.events[event] + " inclusive"},
               {"share"},
               {"calls"},
               {"per call"},
               {callers ? "caller" : "callee", Align::kLeft}});
  size_t shown = 0;
  for (const CallRow& row : rows) {
    if (options.top > 0 && shown == options.top) break;
    ++shown;
    const int64_t cost = row.inclusive[event];
    if (row.in_cycle) {
      table.add_row({{"-"},
                     {"-"},
                     {with_thousands(row.calls)},
                     {"-"},
                     {names.of(std::string(graph.name(row.other))) + "  (in a cycle)"}});
      continue;
    }
    const std::string per_call =
        row.calls == 0 ? "-" : quantity_text(static_cast<double>(cost) / static_cast<double>(row.calls));
    table.add_row({{with_thousands(cost)},
                   {percent_of(cost, graph.totals[event])},
                   {with_thousands(row.calls)},
                   {per_call},
                   {names.of(std::string(graph.name(row.other)))}});
  }
  if (shown < rows.size())
    table.add_row({{""}, {""}, {""}, {""}, {fmt::format("{} more", rows.size() - shown), Tone::kDim}});
  table.render_text(out, style);
}

}  // namespace icount
