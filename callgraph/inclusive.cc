#include "icount/callgraph/inclusive.h"

#include "icount/base/checked.h"

namespace icount {
namespace {

void add_costs(std::vector<int64_t>& table, size_t row, const int64_t* costs, size_t events) {
  for (size_t e = 0; e < events; ++e) table[row * events + e] = saturating_add(table[row * events + e], costs[e]);
}

std::vector<Arc> arcs_of(const CostGraph& graph) {
  std::vector<Arc> arcs;
  arcs.reserve(graph.edges.size());
  for (const Edge& edge : graph.edges) arcs.push_back({edge.caller, edge.callee});
  return arcs;
}

}  // namespace

InclusiveCosts make_inclusive_costs(const CostGraph& graph) {
  InclusiveCosts result;
  const size_t events = result.events = graph.event_count();
  result.components = find_components(graph.functions.size(), arcs_of(graph));
  const Components& components = result.components;
  result.cost.assign(components.count() * events, 0);
  result.entering.assign(components.count() * events, 0);
  for (size_t f = 0; f < graph.functions.size(); ++f)
    add_costs(result.cost, components.of[f], &graph.self[f * events], events);
  for (size_t e = 0; e < graph.edges.size(); ++e) {
    const uint32_t from = components.of[graph.edges[e].caller];
    const uint32_t to = components.of[graph.edges[e].callee];
    if (from == to) continue;
    add_costs(result.cost, from, &graph.inclusive[e * events], events);
    add_costs(result.entering, to, &graph.inclusive[e * events], events);
  }
  return result;
}

}  // namespace icount
