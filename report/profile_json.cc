#include "icount/report/profile_json.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "icount/callgraph/inclusive.h"

namespace icount {
namespace {

Json costs(const std::vector<int64_t>& table, size_t entry, size_t events) {
  Json list = Json::array();
  for (size_t e = 0; e < events; ++e) list.push_back(table[entry * events + e]);
  return list;
}

std::vector<FunctionIndex> functions_in_order(const CostGraph& graph) {
  std::vector<FunctionIndex> order(graph.functions.size());
  std::iota(order.begin(), order.end(), FunctionIndex{0});
  std::sort(order.begin(), order.end(), [&](FunctionIndex a, FunctionIndex b) {
    if (graph.self_of(a, 0) != graph.self_of(b, 0)) return graph.self_of(a, 0) > graph.self_of(b, 0);
    return std::tuple{graph.name(a), graph.file(a), graph.object(a)} <
           std::tuple{graph.name(b), graph.file(b), graph.object(b)};
  });
  return order;
}

Json functions_to_json(const CostGraph& graph, std::span<const FunctionIndex> order) {
  const InclusiveCosts inclusive = make_inclusive_costs(graph);
  const std::vector<int64_t> calls = calls_into(graph);
  const size_t events = graph.event_count();
  Json list = Json::array();
  for (const FunctionIndex f : order) {
    Json entry;
    entry["name"] = graph.name(f);
    entry["file"] = graph.file(f);
    entry["object"] = graph.object(f);
    entry["calls"] = calls[f];
    entry["self"] = costs(graph.self, f, events);
    entry["inclusive"] = costs(inclusive.cost, inclusive.components.of[f], events);
    if (inclusive.component_size(f) > 1) entry["cycle_size"] = inclusive.component_size(f);
    list.push_back(std::move(entry));
  }
  return list;
}

Json edges_to_json(const CostGraph& graph, std::span<const FunctionIndex> order) {
  constexpr uint32_t kLeftOut = ~uint32_t{0};
  std::vector<uint32_t> position(graph.functions.size(), kLeftOut);
  for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  std::vector<size_t> edges(graph.edges.size());
  std::iota(edges.begin(), edges.end(), size_t{0});
  std::erase_if(edges, [&](size_t e) {
    return position[graph.edges[e].caller] == kLeftOut || position[graph.edges[e].callee] == kLeftOut;
  });
  const auto key = [&](size_t e) {
    return std::pair{position[graph.edges[e].caller], position[graph.edges[e].callee]};
  };
  std::sort(edges.begin(), edges.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  Json list = Json::array();
  for (const size_t e : edges) {
    Json entry;
    entry["caller"] = key(e).first;
    entry["callee"] = key(e).second;
    entry["calls"] = graph.edges[e].calls;
    entry["inclusive"] = costs(graph.inclusive, e, graph.event_count());
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

Json profile_to_json(const CostGraph& graph, const FunctionFilter& filter) {
  std::vector<FunctionIndex> order = functions_in_order(graph);
  std::vector<int64_t> left_out(graph.event_count(), 0);
  if (!filter.keeps_all())
    std::erase_if(order, [&](FunctionIndex f) {
      if (filter.keeps(graph.file(f), graph.name(f))) return false;
      for (size_t e = 0; e < left_out.size(); ++e) left_out[e] += graph.self_of(f, e);
      return true;
    });
  Json json;
  json["schema"] = {{"name", "icount-profile"}, {"version", 1}};
  json["events"] = graph.events;
  json["totals"] = graph.totals;
  json["parts"] = graph.parts;
  json["call_counts"] = {{"trusted", graph.call_counts.trusted}, {"reason", graph.call_counts.reason}};
  json["functions"] = functions_to_json(graph, order);
  json["edges"] = edges_to_json(graph, order);
  if (!filter.keeps_all())
    json["left_out"] = {{"functions", graph.functions.size() - order.size()}, {"self", left_out}};
  return json;
}

}  // namespace icount
