#include "icount/explain/compared_tables.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/components.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/explain/match/joined_graph.h"
#include "icount/explain/match/match.h"
#include "icount/explain/match/node_names.h"

namespace icount {
namespace {

/// Inclusive cost of each folded function: that of its component, as callgraph/cost_graph.h defines it.
std::vector<int64_t> inclusive_of(const FoldedGraph& side) {
  std::vector<Arc> arcs;
  arcs.reserve(side.edges.size());
  for (const FoldedEdge& edge : side.edges) arcs.push_back({edge.caller, edge.callee});
  const Components components = find_components(side.functions.size(), arcs);
  std::vector<int64_t> cost(components.count(), 0);
  for (size_t f = 0; f < side.functions.size(); ++f) {
    int64_t& sum = cost[components.of[f]];
    sum = saturating_add(sum, side.functions[f].self);
  }
  for (const FoldedEdge& edge : side.edges) {
    int64_t& sum = cost[components.of[edge.caller]];
    if (components.of[edge.caller] != components.of[edge.callee]) sum = saturating_add(sum, edge.inclusive);
  }
  std::vector<int64_t> inclusive(side.functions.size());
  for (size_t f = 0; f < inclusive.size(); ++f) inclusive[f] = cost[components.of[f]];
  return inclusive;
}

std::vector<ComparedFunction> compare_functions(const JoinedGraph& joined) {
  const std::array<std::vector<int64_t>, 2> inclusive = {inclusive_of(*joined.sides[0]),
                                                         inclusive_of(*joined.sides[1])};
  const std::vector<BothSides> calls = calls_of(joined.flow);
  std::vector<ComparedFunction> functions;
  functions.reserve(joined.functions.size());
  for (size_t node = 0; node < joined.functions.size(); ++node) {
    const JoinedFunction& from = joined.functions[node];
    ComparedFunction& function = functions.emplace_back();
    function.name = from.name;
    function.file = from.file;
    function.object = from.object;
    function.in_base = from.folded[0] != kNoFunction;
    function.in_head = from.folded[1] != kNoFunction;
    if (function.in_base && function.in_head && from.base_name != from.head_name) function.base_name = from.base_name;
    function.self = joined.flow.nodes[node].self;
    function.calls = calls[node];
    for (size_t side = 0; side < 2; ++side)
      if (from.folded[side] != kNoFunction) function.inclusive[side] = inclusive[side][from.folded[side]];
  }
  return functions;
}

std::vector<ComparedEdge> compare_edges(const JoinedGraph& joined) {
  std::vector<ComparedEdge> edges;
  edges.reserve(joined.flow.edges.size());
  for (const FlowEdge& edge : joined.flow.edges) {
    ComparedEdge& compared = edges.emplace_back();
    compared.caller = edge.caller;
    compared.callee = edge.callee;
    compared.calls = edge.calls;
    compared.inclusive = edge.inclusive;
  }
  return edges;
}

/// Magnitude of the change first, then the larger figure. Costs are not negative, so neither can overflow.
std::pair<int64_t, int64_t> weight(const BothSides& cost) {
  return {std::abs(cost[1] - cost[0]), std::max(cost[0], cost[1])};
}

void sort_tables(ComparedTables& tables) {
  std::vector<ComparedFunction>& functions = tables.functions;
  std::vector<uint32_t> order(functions.size()), place(functions.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
    const ComparedFunction &a = functions[x], &b = functions[y];
    if (weight(a.self) != weight(b.self)) return weight(a.self) > weight(b.self);
    return std::tie(a.name, a.file, a.object, a.base_name) < std::tie(b.name, b.file, b.object, b.base_name);
  });
  std::vector<ComparedFunction> sorted;
  sorted.reserve(functions.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(functions[order[i]]));
  }
  functions = std::move(sorted);
  for (ComparedEdge& edge : tables.edges) {
    edge.caller = place[edge.caller];
    edge.callee = place[edge.callee];
  }
  std::sort(tables.edges.begin(), tables.edges.end(), [](const ComparedEdge& a, const ComparedEdge& b) {
    if (weight(a.inclusive) != weight(b.inclusive)) return weight(a.inclusive) > weight(b.inclusive);
    return std::tie(a.caller, a.callee) < std::tie(b.caller, b.callee);
  });
}

}  // namespace

ComparedTables make_compared_tables(const CostGraph& base, const CostGraph& head, std::string_view event,
                                    bool raw_names) {
  ICOUNT_CHECK(base.event_index(event) && head.event_index(event), "both sides have the event");
  const FoldedGraph folded_base = fold_graph(base, *base.event_index(event), raw_names);
  const FoldedGraph folded_head = fold_graph(head, *head.event_index(event), raw_names);
  const JoinedGraph joined =
      join_graphs(folded_base, folded_head, match_functions(folded_base, folded_head, raw_names));
  ComparedTables tables;
  tables.totals = {folded_base.total, folded_head.total};
  tables.functions = compare_functions(joined);
  tables.edges = compare_edges(joined);
  sort_tables(tables);
  return tables;
}

CostGraph make_empty_graph(std::string_view event) {
  CostGraph graph;
  graph.events = {std::string(event)};
  graph.totals = {0};
  return graph;
}

namespace {

using Place = std::pair<std::string_view, uint64_t>;

struct Found {
  ComparedLine line;
  int64_t dearest = -1;  // cost of the function that is named
};

void add_side(std::map<Place, Found>& found, const CostGraph& graph, size_t event, size_t side) {
  for (size_t i = 0; i < graph.lines.size(); ++i) {
    const LineRow& row = graph.lines[i];
    const int64_t cost = graph.line_self[i * graph.event_count() + event];
    if (row.line == 0 || cost == 0) continue;
    const std::string_view file = graph.strings.view(row.file);
    Found& entry = found[{file_in_folder(file), row.line}];
    entry.line.line = row.line;
    entry.line.self[side] = saturating_add(entry.line.self[side], cost);
    entry.line.file = file;
    if (cost <= entry.dearest) continue;
    entry.dearest = cost;
    entry.line.function = graph.name(row.function);
  }
}

}  // namespace

std::vector<ComparedLine> compare_lines(const CostGraph& base, const CostGraph& head, std::string_view event) {
  std::map<Place, Found> found;
  const std::array<const CostGraph*, 2> sides = {&base, &head};
  for (size_t side = 0; side < 2; ++side)
    if (const auto column = sides[side]->event_index(event)) add_side(found, *sides[side], *column, side);
  std::vector<ComparedLine> lines;
  lines.reserve(found.size());
  for (auto& [place, entry] : found) lines.push_back(std::move(entry.line));
  std::stable_sort(lines.begin(), lines.end(), [](const ComparedLine& a, const ComparedLine& b) {
    const auto weight = [](const ComparedLine& line) {
      return std::pair(std::abs(line.self[1] - line.self[0]), std::max(line.self[0], line.self[1]));
    };
    return weight(a) > weight(b);
  });
  return lines;
}

namespace {

/// A library's function each of whose calls allocates once is an allocator to its callers: what it asks for is theirs.
std::vector<AllocationCounts> allocations_by_user(const CostGraph& graph) {
  constexpr int kDeepest = 4;  // operator new of a container's node, by a container of the program's
  std::vector<AllocationCounts> counts = allocations_by_caller(graph);
  const std::vector<int64_t> calls = calls_into(graph);
  std::vector<std::vector<size_t>> entering(graph.functions.size());
  for (size_t e = 0; e < graph.edges.size(); ++e) entering[graph.edges[e].callee].push_back(e);
  for (int depth = 0; depth < kDeepest; ++depth)
    for (FunctionIndex f = 0; f < counts.size(); ++f) {
      const bool is_library =
          is_system_library(graph.object(f)) || (graph.file(f) != "???" && is_library_file(graph.file(f)));
      const int64_t others = std::abs(calls[f] - counts[f].allocations);  // the first call goes through the loader
      if (!is_library || counts[f].allocations == 0 || others > 1) continue;
      counts[f].allocations = 0;
      for (const size_t e : entering[f])
        counts[graph.edges[e].caller].allocations =
            saturating_add(counts[graph.edges[e].caller].allocations, graph.edges[e].calls);
    }
  return counts;
}

std::vector<CallerAllocations> changed_callers(const CostGraph& base, const CostGraph& head) {
  std::map<std::string_view, CallerAllocations> all;
  const std::array sides = {&base, &head};
  for (size_t side = 0; side < 2; ++side) {
    const std::vector<AllocationCounts> counts = allocations_by_user(*sides[side]);
    for (FunctionIndex f = 0; f < counts.size(); ++f) {
      if (counts[f].allocations == 0) continue;
      int64_t& sum = all[canonical_name(sides[side]->name(f))].allocations[side];
      sum = saturating_add(sum, counts[f].allocations);
    }
  }
  std::vector<CallerAllocations> changed;
  for (auto& [name, caller] : all) {
    caller.name = name;
    if (caller.delta() != 0) changed.push_back(std::move(caller));
  }
  std::stable_sort(changed.begin(), changed.end(), [](const CallerAllocations& a, const CallerAllocations& b) {
    return std::abs(a.delta()) > std::abs(b.delta());
  });
  return changed;
}

}  // namespace

std::optional<AllocationChange> find_allocation_change(const CostGraph& base, const CostGraph& head) {
  const auto before = count_allocations(base), now = count_allocations(head);
  if (!before || !now || *before == *now) return std::nullopt;
  return AllocationChange{{*before, *now}, changed_callers(base, head)};
}

}  // namespace icount
