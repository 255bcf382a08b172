#include "icount/explain/inside_solver.h"

#include <algorithm>
#include <map>
#include <utility>

namespace icount {
namespace {

/// Nodes so that every edge goes forward; fewer than there are where edges form a cycle.
std::vector<uint32_t> forward_order(const InsideGraph& graph, const std::vector<std::vector<uint32_t>>& out) {
  std::vector<uint32_t> before(graph.nodes.size(), 0), order;
  for (const InsideEdge& edge : graph.edges) ++before[edge.to];
  for (uint32_t n = 0; n < graph.nodes.size(); ++n)
    if (before[n] == 0) order.push_back(n);
  for (size_t at = 0; at < order.size(); ++at)
    for (const uint32_t e : out[order[at]])
      if (--before[graph.edges[e].to] == 0) order.push_back(graph.edges[e].to);
  return order;
}

class InsideSolver {
 public:
  InsideSolver(const InsideGraph& graph, const std::vector<InsideCallee>& callees)
      : graph_(graph), out_(edges_out(graph)) {
    for (const InsideCallee& callee : callees) callees_[callee.node] = &callee;
  }

  InsideFigures solve(const std::array<long double, 2>& calls, long double common_calls) {
    figures_.order = forward_order(graph_, out_);
    const std::vector<uint32_t>& order = figures_.order;
    if (order.size() != graph_.nodes.size()) {
      figures_.has_cycle = true;
      return std::move(figures_);
    }
    for (size_t side = 0; side < 2; ++side) count_times(side, calls[side]);
    for (size_t side = 0; side < 2; ++side) find_rates(side);
    for (size_t side = 0; side < 2; ++side) find_worth(side, order);
    add_terms(order, common_calls);
    return std::move(figures_);
  }

 private:
  void count_times(size_t side, long double calls) {
    auto& times = figures_.times[side];
    times.assign(graph_.nodes.size(), 0);
    times[0] = calls;
    for (const InsideEdge& edge : graph_.edges) times[edge.to] += static_cast<long double>(edge.times[side]);
  }

  /// A side that does not come to a node takes the other's figures.
  void find_rates(size_t side) {
    figures_.own_cost[side].assign(graph_.nodes.size(), 0);
    figures_.rates[side].assign(graph_.edges.size(), 0);
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      const size_t from = figures_.times[side][n] > 0 ? side : 1 - side;
      const long double times = figures_.times[from][n];
      if (times <= 0) continue;
      figures_.own_cost[side][n] = static_cast<long double>(graph_.nodes[n].self[from]) / times;
      for (const uint32_t e : out_[n])
        figures_.rates[side][e] = static_cast<long double>(graph_.edges[e].times[from]) / times;
    }
  }

  void find_worth(size_t side, const std::vector<uint32_t>& order) {
    auto& worth = figures_.worth[side];
    worth = figures_.own_cost[side];
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      // A callee that the whole graph does not have as one, because its calls are booked elsewhere, has no edges here.
      if (const auto callee = callees_.find(graph_.nodes[*at].number);
          graph_.nodes[*at].kind == InsideKind::kCallee && callee != callees_.end())
        worth[*at] = callee->second->worth[side];
      for (const uint32_t e : out_[*at]) worth[*at] += figures_.rates[side][e] * worth[graph_.edges[e].to];
    }
  }

  /// Of shares both sides' mean is common: with the lesser of the two they would no longer add up to one.
  long double common_rate(uint32_t e) const {
    const long double base = figures_.rates[0][e], head = figures_.rates[1][e];
    return graph_.edges[e].is_share ? (base + head) / 2 : std::min(base, head);
  }

  bool is_told_with_calls(uint32_t n) const {
    const auto callee = callees_.find(graph_.nodes[n].number);
    return graph_.nodes[n].kind == InsideKind::kCallee && callee != callees_.end() && callee->second->told_with_calls;
  }

  void add_terms(const std::vector<uint32_t>& order, long double common_calls) {
    std::vector<long double> common(graph_.nodes.size(), 0);
    common[0] = common_calls;
    figures_.node_terms.assign(graph_.nodes.size(), 0);
    figures_.edge_terms.assign(graph_.edges.size(), 0);
    for (auto& times : figures_.further_times) times.assign(graph_.edges.size(), 0);
    for (const uint32_t n : order) {
      if (graph_.nodes[n].kind == InsideKind::kCallee) continue;
      figures_.node_terms[n] = common[n] * (figures_.own_cost[1][n] - figures_.own_cost[0][n]);
      for (const uint32_t e : out_[n]) {
        const uint32_t to = graph_.edges[e].to;
        const long double rate = common_rate(e);
        common[to] += common[n] * rate;
        for (size_t side = 0; side < 2; ++side)
          figures_.further_times[side][e] = common[n] * (figures_.rates[side][e] - rate);
        figures_.edge_terms[e] =
            figures_.further_times[1][e] * figures_.worth[1][to] - figures_.further_times[0][e] * figures_.worth[0][to];
        if (is_told_with_calls(to))
          figures_.edge_terms[e] += common[n] * rate * (figures_.worth[1][to] - figures_.worth[0][to]);
      }
    }
    give_back_common_calls(common, common_calls);
  }

  /// The callees' own terms count the calls that both sides make of the function as a whole; what is common by way of
  /// its loops is less where one factor grew and another shrank. The difference goes to the edge with the most calls.
  void give_back_common_calls(const std::vector<long double>& common, long double common_calls) {
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      if (graph_.nodes[n].kind != InsideKind::kCallee || is_told_with_calls(n)) continue;
      const long double change = figures_.worth[1][n] - figures_.worth[0][n];
      if (change == 0) continue;
      uint32_t most = ~uint32_t{0};
      std::array<long double, 2> rates{};
      for (uint32_t e = 0; e < graph_.edges.size(); ++e) {
        if (graph_.edges[e].to != n) continue;
        for (size_t side = 0; side < 2; ++side)
          if (figures_.times[side][0] > 0)
            rates[side] += static_cast<long double>(graph_.edges[e].times[side]) / figures_.times[side][0];
        if (most == ~uint32_t{0} || has_more_calls(e, most)) most = e;
      }
      if (most != ~uint32_t{0})
        figures_.edge_terms[most] += (common[n] - common_calls * std::min(rates[0], rates[1])) * change;
    }
  }

  /// Of as many the one whose caller comes first by kind and number: nodes are numbered as the base has them.
  bool has_more_calls(uint32_t edge, uint32_t other) const {
    const auto weight = [&](uint32_t at) {
      return static_cast<long double>(graph_.edges[at].times[0]) + static_cast<long double>(graph_.edges[at].times[1]);
    };
    const auto caller = [&](uint32_t at) {
      const InsideNode& from = graph_.nodes[graph_.edges[at].from];
      return std::pair(from.kind, from.number);
    };
    return weight(edge) != weight(other) ? weight(edge) > weight(other) : caller(edge) < caller(other);
  }

  const InsideGraph& graph_;
  std::vector<std::vector<uint32_t>> out_;
  std::map<uint32_t, const InsideCallee*> callees_;
  InsideFigures figures_;
};

}  // namespace

InsideFigures solve_inside(const InsideGraph& graph, const std::vector<InsideCallee>& callees,
                           const std::array<long double, 2>& calls, long double common_calls) {
  return InsideSolver(graph, callees).solve(calls, common_calls);
}

}  // namespace icount
