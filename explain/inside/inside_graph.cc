#include "icount/explain/inside/inside_graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "icount/base/checked.h"

namespace icount {
namespace {

class InsideMaker {
 public:
  InsideMaker(const OpenedFunction& opened, const CalleeNodes& of_callee, const std::set<uint32_t>& told)
      : opened_(opened), of_callee_(of_callee), told_(told) {
    node(InsideKind::kBody, 0);
  }

  InsideGraph make(const BothSides& self, const std::vector<InsideCallee>& callees) {
    for (size_t side = 0; side < 2; ++side) {
      add_loops(side);
      add_blocks(side);
      for (const uint32_t region : told_) add_branches(side, region);
      add_lost_figures(side);
    }
    settle_callees(callees);
    for (size_t side = 0; side < 2; ++side) {
      int64_t known = 0;
      for (const InsideNode& one : graph_.nodes) known = saturating_add(known, one.self[side]);
      add_self(0, side, saturating_add(self[side], -known));
    }
    for (const auto& [ends, edge] : edges_)
      if (edge.times != BothSides{}) graph_.edges.push_back(edge);
    return std::move(graph_);
  }

 private:
  uint32_t node(InsideKind kind, uint32_t number) {
    const auto [at, fresh] = index_.try_emplace({kind, number}, static_cast<uint32_t>(graph_.nodes.size()));
    if (fresh) graph_.nodes.push_back({kind, number, {}});
    return at->second;
  }

  void add_self(uint32_t at, size_t side, int64_t cost) {
    int64_t& self = graph_.nodes[at].self[side];
    self = saturating_add(self, cost);
  }

  void add_edge(uint32_t from, uint32_t to, size_t side, int64_t times, bool share = false) {
    if (times <= 0 || from == to) return;
    InsideEdge& edge = edges_[{from, to}];
    edge.from = from;
    edge.to = to;
    edge.times[side] = saturating_add(edge.times[side], times);
    edge.is_share = edge.is_share || share;
  }

  bool is_told(uint32_t region) const { return told_.contains(region); }

  /// The node that a region's own cost belongs to.
  uint32_t main_node(uint32_t region) {
    if (region == 0) return 0;
    return node(opened_.regions[region].reshaped ? InsideKind::kEntry : InsideKind::kIteration, region);
  }

  void add_loops(size_t side) {
    for (uint32_t r = 1; r < opened_.regions.size(); ++r) {
      const Region& region = opened_.regions[r];
      if (region.loops[side].empty()) continue;
      const uint32_t entry = node(InsideKind::kEntry, r);
      if (!region.reshaped) add_edge(entry, main_node(r), side, region.iterations[side]);
      if (!is_told(region.parent[side])) add_edge(main_node(region.parent[side]), entry, side, region.entries[side]);
    }
  }

  void add_blocks(size_t side) {
    const FunctionShape& shape = opened_.shapes[side];
    for (uint32_t b = 0; b < shape.blocks.size(); ++b) {
      const ShapeBlock& block = shape.blocks[b];
      if (block.end == block.first) continue;
      const uint32_t region = opened_.region_of(side, b);
      const bool tests = region != 0 && b == opened_.header_of(side, region) && !opened_.regions[region].reshaped;
      const auto at_exit = [&](int64_t figure) { return tests ? opened_.last_tests(side, region, figure) : 0; };
      const uint32_t at = is_told(region) ? node(InsideKind::kBlock, b) : main_node(region);
      add_self(at, side, block.self - at_exit(block.self));
      if (tests && at_exit(block.self) != 0) add_self(node(InsideKind::kEntry, region), side, at_exit(block.self));
      for (const FlowCall& call : shape.calls_of(block)) {
        const uint32_t callee = call.callee < of_callee_[side].size() ? of_callee_[side][call.callee] : kNoFunction;
        if (callee == kNoFunction) continue;
        const uint32_t to = node(InsideKind::kCallee, callee);
        add_edge(at, to, side, call.calls - at_exit(call.calls));
        if (tests) add_edge(node(InsideKind::kEntry, region), to, side, at_exit(call.calls));
      }
    }
  }

  /// The node that stands for a block when it is looked at from inside `region`.
  uint32_t node_in(size_t side, uint32_t region, uint32_t block) {
    uint32_t own = opened_.region_of(side, block), child = own;
    if (own == region) return node(InsideKind::kBlock, block);
    while (child != 0 && opened_.regions[child].parent[side] != region) child = opened_.regions[child].parent[side];
    return node(InsideKind::kEntry, child);
  }

  bool is_inside(size_t side, uint32_t region, uint32_t block) const {
    if (region == 0) return true;
    for (uint32_t at = opened_.region_of(side, block); at != 0; at = opened_.regions[at].parent[side])
      if (at == region) return true;
    return false;
  }

  /// Every block goes on to its successors within the iteration; what begins one is the region's.
  void add_branches(size_t side, uint32_t region) {
    const FunctionShape& shape = opened_.shapes[side];
    const auto& loops = opened_.regions[region].loops[side];
    if (region != 0 && loops.empty()) return;
    const uint32_t root = main_node(region);
    const uint32_t top = opened_.header_of(side, region);
    std::set<uint32_t> headers;
    for (const uint32_t loop : loops) headers.insert(shape.loops[loop].header);
    for (uint32_t b = 0; b < shape.blocks.size(); ++b)
      if (shape.blocks[b].entered > 0 && is_inside(side, region, b))
        add_edge(root, node_in(side, region, b), side, shape.blocks[b].entered, true);
    for (const ShapeEdge& edge : shape.edges) {
      if (!is_inside(side, region, edge.to) || edge.to == top) continue;
      const uint32_t to = node_in(side, region, edge.to);
      if (!is_inside(side, region, edge.from) || headers.contains(edge.to)) {
        add_edge(root, to, side, edge.times, true);
        continue;
      }
      add_edge(node_in(side, region, edge.from), to, side, edge.times, true);
    }
    if (top != kNoLoop)
      add_edge(root, node(InsideKind::kBlock, top), side,
               opened_.regions[region].iterations[side] - shape.blocks[top].entered, true);
  }

  /// What no recorded way leads to is the body's.
  void add_lost_figures(size_t side) {
    std::vector<int64_t> times(graph_.nodes.size(), 0);
    for (const auto& [ends, edge] : edges_) times[edge.to] = saturating_add(times[edge.to], edge.times[side]);
    for (uint32_t n = 1; n < graph_.nodes.size(); ++n) {
      if (times[n] > 0 || graph_.nodes[n].kind == InsideKind::kCallee) continue;
      bool used = graph_.nodes[n].self[side] != 0;
      for (auto at = edges_.lower_bound({n, 0}); at != edges_.end() && at->first.first == n; ++at)
        used = used || at->second.times[side] != 0;
      if (used) add_edge(0, n, side, 1);
    }
  }

  /// The whole graph's calls are what counts: what is not placed inside is the body's. Where more is placed than there
  /// is, calls were booked elsewhere.
  void settle_callees(const std::vector<InsideCallee>& callees) {
    std::map<uint32_t, BothSides> known;
    for (const InsideCallee& callee : callees) known[callee.node] = callee.calls;
    std::map<uint32_t, BothSides> placed;
    for (const auto& [ends, edge] : edges_)
      if (graph_.nodes[edge.to].kind == InsideKind::kCallee)
        for (size_t side = 0; side < 2; ++side)
          placed[edge.to][side] = saturating_add(placed[edge.to][side], edge.times[side]);
    for (const auto& [callee, calls] : placed) {
      const BothSides& real = known[graph_.nodes[callee].number];
      if (calls[0] <= real[0] && calls[1] <= real[1]) continue;
      for (auto& [ends, edge] : edges_)
        if (edge.to == callee) edge.times = {};
    }
    for (const auto& [number, calls] : known) {
      const uint32_t callee = node(InsideKind::kCallee, number);
      BothSides sum{};
      for (const auto& [ends, edge] : edges_)
        if (edge.to == callee)
          for (size_t side = 0; side < 2; ++side) sum[side] = saturating_add(sum[side], edge.times[side]);
      for (size_t side = 0; side < 2; ++side) add_edge(0, callee, side, calls[side] - sum[side]);
    }
  }

  const OpenedFunction& opened_;
  const CalleeNodes& of_callee_;
  const std::set<uint32_t>& told_;
  InsideGraph graph_;
  std::map<std::pair<InsideKind, uint32_t>, uint32_t> index_;
  std::map<std::pair<uint32_t, uint32_t>, InsideEdge> edges_;
};

}  // namespace

std::vector<std::vector<uint32_t>> edges_out(const InsideGraph& graph) {
  std::vector<std::vector<uint32_t>> out(graph.nodes.size());
  for (uint32_t e = 0; e < graph.edges.size(); ++e) out[graph.edges[e].from].push_back(e);
  return out;
}

InsideGraph make_inside_graph(const OpenedFunction& opened, const CalleeNodes& of_callee, const BothSides& self,
                              const std::vector<InsideCallee>& callees, const std::set<uint32_t>& told_by_branches) {
  return InsideMaker(opened, of_callee, told_by_branches).make(self, callees);
}

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
