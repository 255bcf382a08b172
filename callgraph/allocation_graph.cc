#include "icount/callgraph/allocation_graph.h"

#include <algorithm>

#include "icount/base/check.h"
#include "icount/base/checked.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/components.h"
#include "icount/callgraph/cut_graph.h"

namespace icount {
namespace {

/// Gives every edge its share of what its callee costs with all below.
void share_inclusive(CostGraph& graph) {
  std::vector<Arc> arcs;
  for (const Edge& edge : graph.edges) arcs.push_back({edge.caller, edge.callee});
  const Components components = find_components(graph.functions.size(), arcs);
  const Components::Members members = components.members();
  std::vector<std::vector<uint32_t>> entering(components.count());
  std::vector<int64_t> below(components.count(), 0);
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (const uint32_t to = components.of[graph.edges[e].callee]; components.of[graph.edges[e].caller] != to)
      entering[to].push_back(e);
  // Callees have the lower numbers: what a component costs is complete when its turn comes.
  for (uint32_t c = 0; c < components.count(); ++c) {
    int64_t cost = below[c];
    for (const uint32_t f : members.of(c)) cost = saturating_add(cost, graph.self[f]);
    int64_t calls = 0;
    for (const uint32_t e : entering[c]) calls = saturating_add(calls, graph.edges[e].calls);
    for (const uint32_t e : entering[c]) {
      const int64_t own = graph.edges[e].calls;
      const int64_t share = calls == 0 ? 0 : static_cast<int64_t>(static_cast<__int128>(cost) * own / calls);
      graph.inclusive[e] = share;  // the rest goes to the calls that come last
      cost -= share;
      calls -= own;
      int64_t& above = below[components.of[graph.edges[e].caller]];
      above = saturating_add(above, share);
    }
  }
}

}  // namespace

bool is_allocation_event(std::string_view event) { return event == kAllocations || event == kFrees; }

std::optional<CostGraph> make_allocation_graph(const CostGraph& graph, std::string_view event) {
  ICOUNT_CHECK(is_allocation_event(event), "allocations or frees");
  if (!count_allocations(graph)) return std::nullopt;
  const std::vector<AllocationCounts> by_caller = allocations_by_caller(graph);
  CostGraph made = graph;
  made.events = {std::string(event)};
  made.code.reset();
  made.lines.clear();
  made.line_self.clear();
  made.rows.clear();
  made.row_self.clear();
  made.inclusive.assign(made.edges.size(), 0);
  made.self.assign(made.functions.size(), 0);
  made.totals = {0};
  for (FunctionIndex f = 0; f < made.functions.size(); ++f) {
    made.self[f] = event == kAllocations ? by_caller[f].allocations : by_caller[f].frees;
    made.totals[0] = checked_add(made.totals[0], made.self[f], "the allocations");
    made.rows.push_back({f, made.functions[f].file});
    made.row_self.push_back(made.self[f]);
  }
  remove_functions(
      made, [&](FunctionIndex f) { return made.self[f] == 0 && is_part_of_allocator(made.name(f), made.object(f)); });
  share_inclusive(made);
  return made;
}

}  // namespace icount
