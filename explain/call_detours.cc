#include "icount/explain/call_detours.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace icount {
namespace {

constexpr uint32_t kNoEdge = std::numeric_limits<uint32_t>::max();
// This part of what a new call costs must be made by the longer way.
constexpr long double kWorthJoining = 0.25L;

class DetourSearch {
 public:
  DetourSearch(const FlowGraph& graph, const FlowTable& table, const FlowSolution& solution)
      : graph_(graph),
        solution_(solution),
        calls_(calls_of(graph)),
        surplus_(graph.edges.size(), 0),
        target_(graph.edges.size(), 0),
        direct_(graph.nodes.size(), kNoEdge) {
    for (uint32_t node = 0; node < table.shape.nodes(); ++node)
      for (uint32_t e = table.shape.first_edge[node]; e < table.shape.first_edge[node + 1]; ++e) {
        surplus_[table.edge_of[e]] += solution.common_calls[node] * (table.rates[1][e] - table.rates[0][e]);
        target_[table.edge_of[e]] = table.shape.callee[e];
      }
  }

  std::vector<FlowDetour> find() {
    for (uint32_t caller = 0; caller < graph_.nodes.size(); ++caller) {
      const uint32_t first = graph_.first_edge[caller], end = graph_.first_edge[caller + 1];
      if (!has_more_and_fewer(first, end)) continue;
      for (uint32_t e = first; e < end; ++e)
        if (surplus_[e] != 0 && graph_.edges[e].callee != caller) direct_[graph_.edges[e].callee] = e;
      for (uint32_t through = first; through < end; ++through)
        if (surplus_[through] != 0 && graph_.edges[through].callee != caller) look_through(through);
      for (uint32_t e = first; e < end; ++e) direct_[graph_.edges[e].callee] = kNoEdge;
    }
    return std::move(found_);
  }

 private:
  bool has_more_and_fewer(uint32_t first, uint32_t end) const {
    bool more = false, fewer = false;
    for (uint32_t e = first; e < end; ++e) {
      more = more || surplus_[e] > 0;
      fewer = fewer || surplus_[e] < 0;
    }
    return more && fewer;
  }

  void look_through(uint32_t through) {
    const uint32_t between = graph_.edges[through].callee;
    for (uint32_t e = graph_.first_edge[between]; e < graph_.first_edge[between + 1]; ++e) {
      const uint32_t direct = direct_[graph_.edges[e].callee];
      if (direct != kNoEdge && graph_.edges[e].callee != between) add(through, e, direct);
    }
  }

  void add(uint32_t through, uint32_t last, uint32_t direct) {
    if (surplus_[through] * surplus_[direct] >= 0) return;
    const size_t side = surplus_[through] > 0 ? 1 : 0;
    const int64_t calls = calls_[graph_.edges[last].caller][side];
    if (calls == 0) return;
    const long double rate = static_cast<long double>(graph_.edges[last].calls[side]) / static_cast<long double>(calls);
    const long double common = std::min(std::abs(surplus_[through]) * rate, std::abs(surplus_[direct]));
    if (common <= 0 || is_little_of_a_new_call(through, direct, common, side) ||
        costs_more_than(through, direct, common, side) || costs_more_than(direct, direct, common, 1 - side))
      return;
    found_.push_back({target_[direct], through, direct, side, common});
    surplus_[direct] += surplus_[direct] > 0 ? -common : common;
  }

  /// A call that one side alone makes is told as it was recorded unless much of what it costs is as before.
  bool is_little_of_a_new_call(uint32_t through, uint32_t direct, long double common, size_t side) const {
    if (graph_.edges[through].calls[1 - side] != 0) return false;
    const auto& worth = solution_.worth[side];
    return common * worth[target_[direct]] < kWorthJoining * std::abs(surplus_[through]) * worth[target_[through]];
  }

  /// On average calls of the target may cost more than what is recorded of all calls of the edge: these are cheaper
  /// ones, and a call that is gone would be told as more work, a new one as less.
  bool costs_more_than(uint32_t edge, uint32_t direct, long double common, size_t side) const {
    const FlowEdge& way = graph_.edges[edge];
    if (way.calls[1 - side] != 0 || way.inclusive[side] <= 0) return false;
    return common * solution_.worth[side][target_[direct]] > static_cast<long double>(way.inclusive[side]);
  }

  const FlowGraph& graph_;
  const FlowSolution& solution_;
  const std::vector<BothSides> calls_;
  std::vector<long double>
      surplus_;                   ///< by edge of the graph: head's calls less base's, over the caller's common calls
  std::vector<uint32_t> target_;  ///< by edge of the graph: the table's node that it calls
  std::vector<uint32_t> direct_;  ///< by callee: the edge from the caller that is looked at, where its calls changed
  std::vector<FlowDetour> found_;
};

}  // namespace

std::vector<FlowDetour> find_detours(const FlowGraph& graph, const FlowTable& table, const FlowSolution& solution) {
  return DetourSearch(graph, table, solution).find();
}

}  // namespace icount
