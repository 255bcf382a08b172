#include "icount/callgraph/cut_graph.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/function_code.h"

namespace icount {
namespace {

constexpr FunctionIndex kGone = ~FunctionIndex{0};

/// Entries of `rows` that stay, with their functions' new numbers, and what belongs to them of `costs`.
template <typename T, typename Keep>
void keep_entries(std::vector<T>& rows, std::vector<int64_t>& costs, size_t events, Keep keep) {
  size_t kept = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    T row = rows[i];
    if (!keep(row)) continue;
    rows[kept] = row;
    std::copy_n(costs.begin() + static_cast<std::ptrdiff_t>(i * events), events,
                costs.begin() + static_cast<std::ptrdiff_t>(kept * events));
    ++kept;
  }
  rows.resize(kept);
  costs.resize(kept * events);
}

/// Leaves the functions that `stays` names.
void keep_functions(CostGraph& graph, const std::vector<bool>& stays) {
  const size_t events = graph.event_count();
  std::vector<FunctionIndex> number(graph.functions.size(), kGone);
  FunctionIndex next = 0;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    if (stays[f])
      number[f] = next++;
    else
      for (size_t event = 0; event < events; ++event)
        graph.totals[event] = checked_sub(graph.totals[event], graph.self_of(f, event), "a total");
  }
  FunctionIndex at = 0;
  keep_entries(graph.functions, graph.self, events, [&](Function&) { return stays[at++]; });
  keep_entries(graph.edges, graph.inclusive, events, [&](Edge& edge) {
    edge.caller = number[edge.caller];
    edge.callee = number[edge.callee];
    return edge.caller != kGone && edge.callee != kGone;
  });
  const auto renumber = [&](auto& row) { return (row.function = number[row.function]) != kGone; };
  keep_entries(graph.rows, graph.row_self, events, renumber);
  if (!graph.lines.empty()) keep_entries(graph.lines, graph.line_self, events, renumber);
  if (graph.code) graph.code = std::make_shared<const ProfileCode>(renumber_functions(*graph.code, number));
}

}  // namespace

void remove_functions(CostGraph& graph, const std::function<bool(FunctionIndex)>& is_foreign) {
  std::vector<bool> stays(graph.functions.size());
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) stays[f] = !is_foreign(f);
  keep_functions(graph, stays);
}

void remove_outer_callers(CostGraph& graph) {
  const size_t events = graph.event_count();
  keep_entries(graph.edges, graph.inclusive, events, [](const Edge& edge) { return edge.calls > 0; });
  std::vector<bool> stays(graph.functions.size());
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    for (size_t event = 0; event < events; ++event)
      if (graph.self_of(f, event) != 0) stays[f] = true;
  for (const Edge& edge : graph.edges) stays[edge.caller] = stays[edge.callee] = true;
  keep_functions(graph, stays);
}

}  // namespace icount
