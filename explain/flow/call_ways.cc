#include "icount/explain/flow/call_ways.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "icount/base/checked.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

constexpr uint32_t kNoEdge = std::numeric_limits<uint32_t>::max();
constexpr int kDeepest = 8;  // functions of one side that lie between caller and callee

// Fewer calls than this round to none.
constexpr long double kHalfACall = 0.5L;

class MoveSearch {
 public:
  explicit MoveSearch(FlowGraph& graph)
      : graph_(graph), calls_(calls_of(graph)), made_(made_by(graph)), direct_(graph.nodes.size(), kNoEdge) {}

  std::vector<CallMove> join() {
    for (uint32_t caller = 0; caller < graph_.nodes.size(); ++caller) {
      if (calls_[caller][0] == 0 || calls_[caller][1] == 0) continue;
      const std::array<bool, 2> gains = note_gains(caller);
      if (!gains[0] && !gains[1]) continue;
      for_edges(caller, [&](uint32_t e) {
        const uint32_t between = graph_.edges[e].callee;
        if (between == caller) return;
        way_.assign(1, e);
        for (size_t side = 0; side < 2; ++side) {
          if (!gains[side] || graph_.edges[e].calls[side] == 0) continue;
          const auto calls = static_cast<long double>(graph_.edges[e].calls[side]);
          would_move_ = 0;
          only_asks_ = true;
          look_through(caller, e, between, calls, side, 0);
          only_asks_ = false;
          const auto cost = static_cast<long double>(graph_.edges[e].inclusive[side]);
          if (!is_one_sided(between, side) || would_move_ >= kMatters * cost)
            look_through(caller, e, between, calls, side, 0);
        }
      });
      for_edges(caller, [&](uint32_t e) { direct_[graph_.edges[e].callee] = kNoEdge; });
    }
    return std::move(moves_);
  }

 private:
  static std::vector<BothSides> made_by(const FlowGraph& graph) {
    std::vector<BothSides> made;
    for (const FlowEdge& edge : graph.edges) made.push_back(edge.calls);
    return made;
  }

  /// Notes the caller's calls that the other side makes more of; by side, whether there are any. Booking moves makes
  /// no more of them.
  std::array<bool, 2> note_gains(uint32_t caller) {
    std::array<bool, 2> gains{};
    for_edges(caller, [&](uint32_t e) {
      for (size_t side = 0; side < 2; ++side) {
        if (-surplus(e, side) < kHalfACall) continue;
        direct_[graph_.edges[e].callee] = e;
        gains[side] = true;
      }
    });
    return gains;
  }

  template <typename Visit>
  void for_edges(uint32_t node, Visit visit) {
    for (uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e) visit(e);
  }

  bool is_one_sided(uint32_t node, size_t side) const { return calls_[node][1 - side] == 0; }

  /// Calls of `edge` that `side` makes more than the other does per call of the caller, in calls of `side`.
  long double surplus(uint32_t edge, size_t side) const {
    const uint32_t caller = graph_.edges[edge].caller;
    const auto of = [&](size_t s) { return static_cast<long double>(graph_.edges[edge].calls[s]); };
    if (is_one_sided(caller, side)) return of(side);
    return of(side) - of(1 - side) * static_cast<long double>(calls_[caller][side]) /
                          static_cast<long double>(calls_[caller][1 - side]);
  }

  /// `flow` calls of `between` come from `caller` by way of edge `through`; what they call is compared with what the
  /// caller calls itself on the other side.
  void look_through(uint32_t caller, uint32_t through, uint32_t between, long double flow, size_t side, int depth) {
    const auto calls = static_cast<long double>(calls_[between][side]);
    if (calls <= 0) return;
    const bool one_sided = is_one_sided(between, side);
    // Between functions of both sides all must come from this caller; a few calls from elsewhere do not matter.
    if (!one_sided && flow < kHalf * calls) return;
    for_edges(between, [&](uint32_t e) {
      const FlowEdge& edge = graph_.edges[e];
      if (edge.callee == between || edge.callee == caller || edge.calls[side] == 0) return;
      if (direct_[edge.callee] != kNoEdge) try_move(through, e, flow / calls, side, one_sided);
      if (!one_sided || !is_one_sided(edge.callee, side) || depth == kDeepest) return;
      way_.push_back(e);
      look_through(caller, through, edge.callee, flow * static_cast<long double>(edge.calls[side]) / calls, side,
                   depth + 1);
      way_.pop_back();
    });
  }

  void try_move(uint32_t through, uint32_t lost_edge, long double share, size_t side, bool one_sided) {
    const uint32_t direct = direct_[graph_.edges[lost_edge].callee];
    const long double lost = surplus(lost_edge, side), gained = -surplus(direct, side);
    if (lost <= 0 || gained <= 0) return;
    const auto made = static_cast<long double>(made_[lost_edge][side]);
    const long double through_here = one_sided ? made * std::min(share, 1.0L) : lost;
    const auto moved = static_cast<int64_t>(std::floor(std::min(through_here, gained) + kHalfACall));
    if (moved <= 0 || (!one_sided && static_cast<long double>(moved) < kHalf * std::max(lost, gained))) return;
    const int64_t calls = std::min(moved, graph_.edges[lost_edge].calls[side]);
    FlowEdge &from = graph_.edges[lost_edge], &to = graph_.edges[direct];
    const auto cost =
        static_cast<int64_t>(static_cast<long double>(from.inclusive[side]) * static_cast<long double>(calls) /
                             static_cast<long double>(from.calls[side]));
    if (only_asks_) {
      would_move_ += static_cast<long double>(cost);
      return;
    }
    from.calls[side] -= calls;
    from.inclusive[side] -= cost;
    to.calls[side] = saturating_add(to.calls[side], calls);
    to.inclusive[side] = saturating_add(to.inclusive[side], cost);
    book_way(cost, side);
    moves_.push_back({through, graph_.edges[lost_edge].callee, direct, side, calls});
  }

  /// The functions on the way cost so much less with all below them.
  void book_way(int64_t cost, size_t side) {
    for (const uint32_t e : way_) {
      int64_t& inclusive = graph_.edges[e].inclusive[side];
      inclusive -= std::min(cost, inclusive);
    }
  }

  FlowGraph& graph_;
  std::vector<uint32_t> way_;                  ///< edges from the caller to the function that is looked through
  const std::vector<BothSides> calls_, made_;  ///< by node and by edge, before anything was booked
  std::vector<uint32_t> direct_;               ///< by callee: the edge from the caller that is looked at
  std::vector<CallMove> moves_;
  bool only_asks_ = false;      ///< nothing is booked
  long double would_move_ = 0;  ///< what the moves that were asked for come to
};

}  // namespace

std::vector<CallMove> join_call_moves(FlowGraph& graph) { return MoveSearch(graph).join(); }

namespace {

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
    return common * worth[target_[direct]] < kMatters * std::abs(surplus_[through]) * worth[target_[through]];
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
