#include "icount/explain/call_origins.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace icount {
namespace {

// Functions with more callers or weighty callees are left to the proportional split; so are those with more
// possibilities than can be tried.
constexpr size_t kMostCallers = 8, kMostCallees = 24;
constexpr int kMostSteps = 4096;
// Calls of less than this part of what the function costs may be anybody's.
constexpr long double kNegligible = 0.005L;
// What a caller's calls cost is met to this part.
constexpr long double kMet = 0.01L;

using Costs = std::array<long double, 2>;

struct Caller {
  uint32_t edge = 0;
  Costs left{};   ///< what its calls cost less the function's own cost and the calls given to it
  Costs slack{};  ///< how far that may be from nothing in the end
  std::array<bool, 2> calls{};
};

class OriginSearch {
 public:
  OriginSearch(const FlowGraph& graph, uint32_t node, const std::vector<uint32_t>& incoming) : graph_(graph) {
    read_callers(node, incoming);
    read_callees(node);
  }

  /// The caller of each of callees(), by its edge; empty where there is none or more than one solution.
  std::vector<uint32_t> find() {
    if (callees_.empty() || callees_.size() > kMostCallees) return {};
    given_.assign(callees_.size(), 0);
    give(0);
    return steps_ <= kMostSteps && solutions_ == 1 ? found_ : std::vector<uint32_t>{};
  }
  const std::vector<uint32_t>& callees() const { return callees_; }

 private:
  void read_callers(uint32_t node, const std::vector<uint32_t>& incoming) {
    Costs calls{};
    for (const uint32_t e : incoming)
      for (size_t side = 0; side < 2; ++side) calls[side] += static_cast<long double>(graph_.edges[e].calls[side]);
    for (const uint32_t e : incoming) {
      const FlowEdge& edge = graph_.edges[e];
      Caller caller{.edge = e};
      for (size_t side = 0; side < 2; ++side) {
        const auto cost = static_cast<long double>(edge.inclusive[side]);
        const long double own = calls[side] > 0 ? static_cast<long double>(graph_.nodes[node].self[side]) *
                                                      static_cast<long double>(edge.calls[side]) / calls[side]
                                                : 0;
        caller.left[side] = cost - own;
        caller.slack[side] = kMet * cost + own / 2;
        caller.calls[side] = edge.calls[side] > 0;
        all_[side] += cost;
      }
      callers_.push_back(caller);
    }
  }

  void read_callees(uint32_t node) {
    Costs negligible{};
    for (uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e) {
      bool matters = false;
      for (size_t side = 0; side < 2; ++side)
        matters |= static_cast<long double>(graph_.edges[e].inclusive[side]) > kNegligible * all_[side];
      if (matters) {
        callees_.push_back(e);
      } else {
        for (size_t side = 0; side < 2; ++side)
          negligible[side] += static_cast<long double>(graph_.edges[e].inclusive[side]);
      }
    }
    for (Caller& caller : callers_)
      for (size_t side = 0; side < 2; ++side) caller.slack[side] += negligible[side];
    const auto most = [&](uint32_t e) { return std::max(graph_.edges[e].inclusive[0], graph_.edges[e].inclusive[1]); };
    std::stable_sort(callees_.begin(), callees_.end(), [&](uint32_t a, uint32_t b) { return most(a) > most(b); });
  }

  void give(size_t at) {
    if (++steps_ > kMostSteps || solutions_ > 1) return;
    if (at == callees_.size()) return note_solution();
    const FlowEdge& edge = graph_.edges[callees_[at]];
    for (Caller& caller : callers_) {
      if (!can_take(caller, edge)) continue;
      for (size_t side = 0; side < 2; ++side) caller.left[side] -= static_cast<long double>(edge.inclusive[side]);
      given_[at] = caller.edge;
      give(at + 1);
      for (size_t side = 0; side < 2; ++side) caller.left[side] += static_cast<long double>(edge.inclusive[side]);
    }
  }

  static bool can_take(const Caller& caller, const FlowEdge& edge) {
    for (size_t side = 0; side < 2; ++side) {
      if (edge.calls[side] > 0 && !caller.calls[side]) return false;
      if (static_cast<long double>(edge.inclusive[side]) > caller.left[side] + caller.slack[side]) return false;
    }
    return true;
  }

  void note_solution() {
    for (const Caller& caller : callers_)
      for (size_t side = 0; side < 2; ++side)
        if (std::abs(caller.left[side]) > caller.slack[side]) return;
    ++solutions_;
    found_ = given_;
  }

  const FlowGraph& graph_;
  std::vector<Caller> callers_;
  std::vector<uint32_t> callees_;  ///< edges, the most expensive first
  Costs all_{};
  std::vector<uint32_t> given_, found_;
  int steps_ = 0, solutions_ = 0;
};

}  // namespace

std::vector<uint32_t> find_call_origins(const FlowGraph& graph, const std::vector<bool>& of) {
  std::vector<std::vector<uint32_t>> incoming(graph.nodes.size());
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (of[graph.edges[e].callee] && graph.edges[e].calls != BothSides{}) incoming[graph.edges[e].callee].push_back(e);
  std::vector<uint32_t> origins(graph.edges.size(), kAnyCaller);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
    if (incoming[node].size() < 2 || incoming[node].size() > kMostCallers) continue;
    OriginSearch search(graph, node, incoming[node]);
    const std::vector<uint32_t> found = search.find();
    for (size_t i = 0; i < found.size(); ++i) origins[search.callees()[i]] = found[i];
  }
  return origins;
}

}  // namespace icount
