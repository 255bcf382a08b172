#include "icount/callgraph/cost_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"

namespace icount {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorKind::kMalformed, "cost graph: " + what); }

void check_table(size_t entries, size_t events, size_t costs, const char* table) {
  if (costs != entries * events)
    fail(fmt::format("{} has {} costs for {} entries and {} events", table, costs, entries, events));
}

void check_sum(const CostGraph& graph, const std::vector<int64_t>& costs, const char* table) {
  const size_t events = graph.event_count();
  std::vector<int64_t> sums(events, 0);
  for (size_t i = 0; i < costs.size(); ++i) sums[i % events] = checked_add(sums[i % events], costs[i], table);
  for (size_t e = 0; e < events; ++e)
    if (sums[e] != graph.totals[e])
      fail(fmt::format("{} of {} add up to {}, the total is {}", table, graph.events[e], sums[e], graph.totals[e]));
}

template <typename Entry, typename Key>
void check_unique(const std::vector<Entry>& entries, Key key, const char* table) {
  std::vector<decltype(key(entries[0]))> keys;
  keys.reserve(entries.size());
  for (const auto& entry : entries) keys.push_back(key(entry));
  std::sort(keys.begin(), keys.end());
  if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) fail(fmt::format("{} holds an entry twice", table));
}

}  // namespace

std::optional<size_t> CostGraph::event_index(std::string_view event) const {
  const auto found = std::find(events.begin(), events.end(), event);
  if (found == events.end()) return std::nullopt;
  return static_cast<size_t>(found - events.begin());
}

std::vector<int64_t> calls_into(const CostGraph& graph) {
  std::vector<int64_t> calls(graph.functions.size(), 0);
  for (const Edge& edge : graph.edges) calls[edge.callee] = saturating_add(calls[edge.callee], edge.calls);
  return calls;
}

void check_cost_graph(const CostGraph& graph) {
  const size_t events = graph.event_count();
  if (events == 0) fail("no events");
  if (graph.totals.size() != events) fail("totals and events differ in number");
  check_table(graph.functions.size(), events, graph.self.size(), "functions");
  check_table(graph.edges.size(), events, graph.inclusive.size(), "edges");
  check_table(graph.rows.size(), events, graph.row_self.size(), "rows");
  check_table(graph.lines.size(), events, graph.line_self.size(), "lines");
  const auto has = [&graph](StringId id) { return id < graph.strings.size(); };
  const size_t functions = graph.functions.size();
  for (const Function& f : graph.functions)
    if (!has(f.name) || !has(f.file) || !has(f.object)) fail("a function's string is out of range");
  for (const Edge& e : graph.edges)
    if (e.caller >= functions || e.callee >= functions) fail("an edge's function is out of range");
  for (const Row& r : graph.rows)
    if (r.function >= functions || !has(r.file)) fail("a row is out of range");
  for (const LineRow& l : graph.lines)
    if (l.function >= functions || !has(l.file)) fail("a line is out of range");
  check_unique(
      graph.functions,
      [](const Function& f) {
        return std::array{f.object, f.file, f.name};
      },
      "functions");
  check_unique(
      graph.edges,
      [](const Edge& e) {
        return std::pair{e.caller, e.callee};
      },
      "edges");
  check_unique(
      graph.rows,
      [](const Row& r) {
        return std::pair{r.function, r.file};
      },
      "rows");
  check_sum(graph, graph.self, "self costs");
  check_sum(graph, graph.row_self, "rows");
  if (!graph.lines.empty()) check_sum(graph, graph.line_self, "lines");
}

namespace {

void make_room(std::vector<int64_t>& table, size_t entry, size_t events) {
  if (table.size() < (entry + 1) * events) table.resize((entry + 1) * events, 0);
}

}  // namespace

void add_costs(std::vector<int64_t>& table, size_t entry, const std::vector<int64_t>& from, size_t at, size_t events) {
  make_room(table, entry, events);
  for (size_t e = 0; e < events; ++e)
    table[entry * events + e] = checked_add(table[entry * events + e], from[at * events + e], "cost of a function");
}

void add_costs_saturating(std::vector<int64_t>& table, size_t entry, const std::vector<int64_t>& from, size_t at,
                          size_t events) {
  make_room(table, entry, events);
  for (size_t e = 0; e < events; ++e)
    table[entry * events + e] = saturating_add(table[entry * events + e], from[at * events + e]);
}

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
