#include "icount/explain/call_detours.h"

#include <algorithm>

namespace icount {
namespace {

class DetourSearch {
 public:
  DetourSearch(const FlowGraph& graph, const FlowTable& table, const FlowSolution& solution)
      : graph_(graph), calls_(calls_of(graph)), surplus_(graph.edges.size(), 0), target_(graph.edges.size(), 0) {
    for (uint32_t e = 0; e < table.edge_of.size(); ++e) {
      const long double common = solution.common_calls[table.shape.edges[e].caller];
      surplus_[table.edge_of[e]] += common * (table.rates[1][e] - table.rates[0][e]);
      target_[table.edge_of[e]] = table.shape.edges[e].callee;
    }
  }

  std::vector<FlowDetour> find() {
    for (uint32_t caller = 0; caller < graph_.nodes.size(); ++caller)
      for (uint32_t through = graph_.first_edge[caller]; through < graph_.first_edge[caller + 1]; ++through)
        if (surplus_[through] != 0 && graph_.edges[through].callee != caller) look_through(caller, through);
    return std::move(found_);
  }

 private:
  /// Both lists of callees are sorted.
  void look_through(uint32_t caller, uint32_t through) {
    const uint32_t between = graph_.edges[through].callee;
    uint32_t direct = graph_.first_edge[caller];
    const uint32_t end = graph_.first_edge[caller + 1];
    for (uint32_t e = graph_.first_edge[between]; e < graph_.first_edge[between + 1]; ++e) {
      const uint32_t callee = graph_.edges[e].callee;
      while (direct < end && graph_.edges[direct].callee < callee) ++direct;
      if (direct == end) return;
      if (graph_.edges[direct].callee == callee && callee != caller && callee != between) add(through, e, direct);
    }
  }

  void add(uint32_t through, uint32_t last, uint32_t direct) {
    if (surplus_[through] * surplus_[direct] >= 0) return;
    const size_t side = surplus_[through] > 0 ? 1 : 0;
    const int64_t calls = calls_[graph_.edges[last].caller][side];
    if (calls == 0) return;
    const long double rate = static_cast<long double>(graph_.edges[last].calls[side]) / static_cast<long double>(calls);
    const long double common = std::min(std::abs(surplus_[through]) * rate, std::abs(surplus_[direct]));
    if (common <= 0) return;
    found_.push_back({target_[direct], through, direct, side, common});
    surplus_[direct] += surplus_[direct] > 0 ? -common : common;
  }

  const FlowGraph& graph_;
  const std::vector<BothSides> calls_;
  std::vector<long double>
      surplus_;                   ///< by edge of the graph: head's calls less base's, over the caller's common calls
  std::vector<uint32_t> target_;  ///< by edge of the graph: the table's node that it calls
  std::vector<FlowDetour> found_;
};

}  // namespace

std::vector<FlowDetour> find_detours(const FlowGraph& graph, const FlowTable& table, const FlowSolution& solution) {
  return DetourSearch(graph, table, solution).find();
}

}  // namespace icount
