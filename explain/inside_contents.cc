#include "icount/explain/inside_contents.h"

namespace icount {
namespace {

/// How often each node is run because of the edges, on one side.
std::vector<long double> runs_behind(const InsideGraph& graph, const InsideFigures& figures,
                                     const std::vector<std::vector<uint32_t>>& out, const std::vector<uint32_t>& edges,
                                     size_t side) {
  std::vector<long double> runs(graph.nodes.size(), 0);
  for (const uint32_t e : edges) runs[graph.edges[e].to] += figures.further_times[side][e];
  for (const uint32_t n : figures.order)
    for (const uint32_t e : out[n])
      if (runs[n] != 0) runs[graph.edges[e].to] += runs[n] * figures.rates[side][e];
  return runs;
}

}  // namespace

InsideContents contents_behind(const InsideGraph& graph, const InsideFigures& figures,
                               const std::vector<uint32_t>& edges) {
  InsideContents contents;
  const std::vector<std::vector<uint32_t>> out = edges_out(graph);
  for (size_t side = 0; side < 2; ++side) {
    const long double sign = side == 1 ? 1 : -1;
    const std::vector<long double> runs = runs_behind(graph, figures, out, edges, side);
    for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
      if (runs[n] == 0) continue;
      if (graph.nodes[n].kind != InsideKind::kCallee) {
        contents.own_cost += sign * runs[n] * figures.own_cost[side][n];
        continue;
      }
      CallsBehind& calls = contents.calls[graph.nodes[n].number];
      calls.value += sign * runs[n] * figures.worth[side][n];
      calls.calls += sign * runs[n];
    }
  }
  return contents;
}

}  // namespace icount
