#include "icount/explain/flow/edge_prices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "icount/base/checked.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

constexpr uint32_t kNoEdge = std::numeric_limits<uint32_t>::max();
constexpr int kDeepest = 8;  // functions of one side that lie between caller and callee

class MoveSearch {
 public:
  explicit MoveSearch(FlowGraph& graph)
      : graph_(graph), calls_(calls_of(graph)), made_(made_by(graph)), direct_(graph.nodes.size(), kNoEdge) {}

  void join() {
    for (uint32_t caller = 0; caller < graph_.nodes.size(); ++caller) {
      if (calls_[caller][0] == 0 || calls_[caller][1] == 0) continue;
      const std::array<bool, 2> gains = note_gains(caller);
      if (!gains[0] && !gains[1]) continue;
      for_edges(caller, [&](uint32_t e) {
        const uint32_t between = graph_.edges[e].callee;
        if (between == caller) return;
        way_.assign(1, e);
        for (size_t side = 0; side < 2; ++side) {
          if (!gains[side] || graph_.edges[e].calls[side] == 0 || !is_one_sided(between, side)) continue;
          const auto calls = static_cast<long double>(graph_.edges[e].calls[side]);
          would_move_ = 0;
          only_asks_ = true;
          look_through(caller, between, calls, side, 0);
          only_asks_ = false;
          if (would_move_ >= kMatters * static_cast<long double>(graph_.edges[e].inclusive[side]))
            look_through(caller, between, calls, side, 0);
        }
      });
      for_edges(caller, [&](uint32_t e) { direct_[graph_.edges[e].callee] = kNoEdge; });
    }
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
        if (-surplus(e, side) < kHalf) continue;
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

  /// Calls of `edge` that `side` makes more than the other does per call of the caller, which both have, in calls of
  /// `side`.
  long double surplus(uint32_t edge, size_t side) const {
    const uint32_t caller = graph_.edges[edge].caller;
    const auto of = [&](size_t s) { return static_cast<long double>(graph_.edges[edge].calls[s]); };
    return of(side) - of(1 - side) * static_cast<long double>(calls_[caller][side]) /
                          static_cast<long double>(calls_[caller][1 - side]);
  }

  /// `flow` calls of `between`, which one side alone has, come from `caller`; what they call is compared with what the
  /// caller calls itself on the other side.
  void look_through(uint32_t caller, uint32_t between, long double flow, size_t side, int depth) {
    const auto calls = static_cast<long double>(calls_[between][side]);
    if (calls <= 0) return;
    for_edges(between, [&](uint32_t e) {
      const FlowEdge& edge = graph_.edges[e];
      if (edge.callee == between || edge.callee == caller || edge.calls[side] == 0) return;
      if (direct_[edge.callee] != kNoEdge) try_move(e, flow / calls, side);
      if (!is_one_sided(edge.callee, side) || depth == kDeepest) return;
      way_.push_back(e);
      look_through(caller, edge.callee, flow * static_cast<long double>(edge.calls[side]) / calls, side, depth + 1);
      way_.pop_back();
    });
  }

  void try_move(uint32_t lost_edge, long double share, size_t side) {
    const uint32_t direct = direct_[graph_.edges[lost_edge].callee];
    const long double gained = -surplus(direct, side);
    if (graph_.edges[lost_edge].calls[side] <= 0 || gained <= 0) return;
    const long double through_here = static_cast<long double>(made_[lost_edge][side]) * std::min(share, 1.0L);
    const auto moved = static_cast<int64_t>(std::floor(std::min(through_here, gained) + kHalf));
    if (moved <= 0) return;
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
  bool only_asks_ = false;                     ///< nothing is booked
  long double would_move_ = 0;                 ///< what the moves that were asked for come to
};

}  // namespace

void join_call_moves(FlowGraph& graph) { MoveSearch(graph).join(); }

namespace {

// Functions with more callers or weighty callees are left to the proportional split; so are those with more
// possibilities than can be tried.
constexpr size_t kMostCallers = 8, kMostCallees = 24;
constexpr int kMostTrials = 4096;

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
    return steps_ <= kMostTrials && solutions_ == 1 ? found_ : std::vector<uint32_t>{};
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
        caller.slack[side] = kHardly * cost + own / 2;
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
        matters |= static_cast<long double>(graph_.edges[e].inclusive[side]) > kHardly / 2 * all_[side];
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
    if (++steps_ > kMostTrials || solutions_ > 1) return;
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

namespace {

// A split function has so many edges at most: a hub of a large profile would have a million.
constexpr size_t kMostEdges = 20000;

/// Of all calls of one node, by side.
struct Incoming {
  std::array<long double, 2> calls{}, cost{};
  std::array<long double, 2> below{};  ///< the node's own cost and what its calls cost
  size_t callers = 0;
  bool is_told = true;  ///< every counted call has a cost and every cost is counted
};

std::vector<Incoming> incoming_of(const FlowGraph& graph) {
  std::vector<Incoming> incoming(graph.nodes.size());
  for (size_t i = 0; i < incoming.size(); ++i)
    for (size_t side = 0; side < 2; ++side)
      incoming[i].below[side] = static_cast<long double>(graph.nodes[i].self[side]);
  for (const FlowEdge& edge : graph.edges) {
    Incoming& of = incoming[edge.callee];
    of.callers += edge.calls[0] > 0 || edge.calls[1] > 0;
    for (size_t side = 0; side < 2; ++side) {
      of.calls[side] += static_cast<long double>(edge.calls[side]);
      of.cost[side] += static_cast<long double>(edge.inclusive[side]);
      incoming[edge.caller].below[side] += static_cast<long double>(edge.inclusive[side]);
      if ((edge.calls[side] > 0) != (edge.inclusive[side] > 0)) of.is_told = false;
    }
  }
  for (Incoming& of : incoming)
    for (size_t side = 0; side < 2; ++side)
      if (std::abs(of.cost[side] - of.below[side]) > kSame * std::max(of.cost[side], of.below[side]))
        of.is_told = false;
  return incoming;
}

/// By node: the edge by which all its calls come; kAllCallers where there are several, or calls from outside.
std::vector<uint32_t> only_edges(const FlowGraph& graph) {
  std::vector<uint32_t> only(graph.nodes.size(), FlowTable::kAllCallers);
  std::vector<bool> seen(graph.nodes.size(), false);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node) seen[node] = graph.nodes[node].entries != BothSides{};
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const uint32_t callee = graph.edges[e].callee;
    if (graph.edges[e].calls == BothSides{}) continue;
    only[callee] = seen[callee] ? FlowTable::kAllCallers : e;
    seen[callee] = true;
  }
  return only;
}

/// Components of the table, callee first as the graph's are; the nodes of a split function do not reach each other.
/// `node_of` gives the function of each node of the table.
Components split_components(const Components& whole, const std::vector<uint32_t>& node_of) {
  Components split;
  split.of.resize(node_of.size());
  std::vector<uint32_t> first(whole.count() + 1, 0);
  for (const uint32_t node : node_of) {
    const uint32_t component = whole.of[node];
    first[component + 1] = whole.sizes[component] > 1 ? 1 : first[component + 1] + 1;
  }
  for (size_t component = 0; component < whole.count(); ++component) first[component + 1] += first[component];
  split.sizes.assign(first.back(), 0);
  for (size_t i = 0; i < node_of.size(); ++i) {
    const uint32_t component = whole.of[node_of[i]];
    split.of[i] = whole.sizes[component] > 1 ? first[component] : first[component]++;
    ++split.sizes[split.of[i]];
  }
  return split;
}

/// Calls of `edge` per call by its `origin`, where these are the calls by `caller`; of the other side where this one
/// has none.
long double rate_of_origin(const FlowGraph& graph, uint32_t edge, uint32_t origin, uint32_t caller, size_t side) {
  if (origin != caller) return 0;
  const size_t from = graph.edges[origin].calls[side] > 0 ? side : 1 - side;
  return static_cast<long double>(graph.edges[edge].calls[from]) /
         static_cast<long double>(graph.edges[origin].calls[from]);
}

/// The edges of each node are those of its function; what it calls is told by `target`, by edge of the graph.
void add_edges(const FlowGraph& graph, const FlowTable& whole, const std::vector<uint32_t>& target,
               const std::vector<uint32_t>& origins, FlowTable& table) {
  size_t edges = 0;
  for (const uint32_t node : table.node_of) edges += graph.edges_of(node).size();
  table.shape.first_edge.reserve(table.node_of.size() + 1);
  table.shape.callee.reserve(edges);
  table.edge_of.reserve(edges);
  for (auto& rates : table.rates) rates.reserve(edges);
  table.shape.first_edge.push_back(0);
  for (uint32_t i = 0; i < table.node_of.size(); ++i) {
    const uint32_t node = table.node_of[i];
    for (uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e) {
      table.shape.callee.push_back(target[e]);
      table.edge_of.push_back(e);
      const bool is_told = table.is_split[i] && origins[e] != kAnyCaller;
      for (size_t side = 0; side < 2; ++side)
        table.rates[side].push_back(is_told ? rate_of_origin(graph, e, origins[e], table.caller_edge[i], side)
                                            : whole.rates[side][e] * table.prices[side][i]);
    }
    table.shape.first_edge.push_back(static_cast<uint32_t>(table.shape.callee.size()));
  }
}

/// What a call of each edge costs, as a part of what a call of the callee costs on average; the other side's where the
/// edge has no calls.
std::array<std::vector<long double>, 2> proportional_parts(const FlowGraph& graph, const std::vector<bool>& of) {
  const std::vector<Incoming> incoming = incoming_of(graph);
  std::array<std::vector<long double>, 2> prices;
  for (size_t side = 0; side < 2; ++side) {
    prices[side].assign(graph.edges.size(), 1);
    for (uint32_t e = 0; e < graph.edges.size(); ++e) {
      const FlowEdge& edge = graph.edges[e];
      if (!of[edge.callee]) continue;
      const size_t from = edge.calls[side] > 0 ? side : 1 - side;
      if (edge.calls[from] <= 0) continue;
      const Incoming& all = incoming[edge.callee];
      prices[side][e] = static_cast<long double>(edge.inclusive[from]) / static_cast<long double>(edge.calls[from]) /
                        (all.cost[from] / all.calls[from]);
    }
  }
  return prices;
}

/// Where every caller calls a function as often as before, what it does for whom has not changed: the shares of both
/// sides are the mean of both, or else calls that are made as before would have terms. Of a function that calls nothing
/// the price is its own cost.
void share_alike(const FlowGraph& graph, const std::vector<bool>& of, const std::vector<bool>& except,
                 std::array<std::vector<long double>, 2>& parts) {
  std::vector<bool> alike(graph.nodes.size(), false);
  for (uint32_t node = 0; node < alike.size(); ++node)
    alike[node] = of[node] && !except[node] && !graph.edges_of(node).empty();
  for (const FlowEdge& edge : graph.edges)
    if (std::abs(static_cast<long double>(edge.calls[1]) - static_cast<long double>(edge.calls[0])) >
        kHardly * static_cast<long double>(std::max(edge.calls[0], edge.calls[1])))
      alike[edge.callee] = false;
  std::array<std::vector<long double>, 2> calls, shared;
  for (size_t side = 0; side < 2; ++side) {
    calls[side].assign(graph.nodes.size(), 0);
    shared[side].assign(graph.nodes.size(), 0);
  }
  const auto mean = [&](uint32_t e) { return (parts[0][e] + parts[1][e]) / 2; };
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    for (size_t side = 0; side < 2; ++side) {
      const FlowEdge& edge = graph.edges[e];
      calls[side][edge.callee] += static_cast<long double>(edge.calls[side]);
      shared[side][edge.callee] += static_cast<long double>(edge.calls[side]) * mean(e);
    }
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const uint32_t callee = graph.edges[e].callee;
    if (!alike[callee] || shared[0][callee] <= 0 || shared[1][callee] <= 0) continue;
    const long double both = mean(e);
    for (size_t side = 0; side < 2; ++side) parts[side][e] = both * calls[side][callee] / shared[side][callee];
  }
}

/// Those of `nodes` whose callers pay different prices on either side.
std::vector<bool> with_other_prices(const FlowGraph& graph, const std::vector<bool>& nodes) {
  const auto prices = proportional_parts(graph, nodes);
  std::vector<bool> found(graph.nodes.size(), false);
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    for (size_t side = 0; side < 2; ++side)
      if (graph.edges[e].calls[side] > 0 && std::abs(prices[side][e] - 1) > kHardly)
        found[graph.edges[e].callee] = true;
  return found;
}

}  // namespace

std::vector<bool> splittable(const FlowGraph& graph, const Components& components) {
  const std::vector<Incoming> incoming = incoming_of(graph);
  std::vector<bool> found(graph.nodes.size(), false);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node)
    found[node] = incoming[node].callers * graph.edges_of(node).size() <= kMostEdges && incoming[node].is_told &&
                  graph.nodes[node].entries == BothSides{} && components.sizes[components.of[node]] == 1;
  for (const FlowEdge& edge : graph.edges)
    if (edge.caller == edge.callee) found[edge.caller] = false;
  return with_other_prices(graph, found);
}

std::vector<bool> has_consistent_costs(const FlowGraph& graph) {
  std::vector<bool> found;
  for (const Incoming& of : incoming_of(graph)) found.push_back(of.is_told);
  return found;
}

CallerPrices caller_prices(const FlowGraph& graph, const std::vector<bool>& of) {
  CallerPrices prices{proportional_parts(graph, of), find_call_origins(graph, of)};
  std::vector<bool> is_told(graph.nodes.size(), false);
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (prices.origins[e] != kAnyCaller) is_told[graph.edges[e].caller] = true;
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (is_told[graph.edges[e].callee]) prices.parts[0][e] = prices.parts[1][e] = 1;
  share_alike(graph, of, is_told, prices.parts);
  return prices;
}

FlowTable split_by_callers(const FlowGraph& graph, const FlowTable& whole, const std::vector<bool>& split,
                           const CallerPrices& prices) {
  FlowTable table;
  // The nodes: one for each, or one for each edge that enters it.
  std::vector<uint32_t> first_of(graph.nodes.size(), 0);
  std::vector<uint32_t> target(graph.edges.size());
  const std::vector<uint32_t> only_edge = only_edges(graph);
  const auto add = [&](uint32_t node, uint32_t edge) {
    table.node_of.push_back(node);
    table.is_split.push_back(edge != FlowTable::kAllCallers);
    table.caller_edge.push_back(edge == FlowTable::kAllCallers ? only_edge[node] : edge);
    for (size_t side = 0; side < 2; ++side) {
      table.prices[side].push_back(edge == FlowTable::kAllCallers ? 1 : prices.parts[side][edge]);
      table.own[side].push_back(whole.own[side][node] * table.prices[side].back());
    }
    return static_cast<uint32_t>(table.node_of.size() - 1);
  };
  for (uint32_t node = 0; node < graph.nodes.size(); ++node)
    if (!split[node]) first_of[node] = add(node, FlowTable::kAllCallers);
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const uint32_t callee = graph.edges[e].callee;
    target[e] = split[callee] ? add(callee, e) : first_of[callee];
  }
  add_edges(graph, whole, target, prices.origins, table);
  table.components = split_components(whole.components, table.node_of);
  table.sources = whole.sources;
  for (FlowSource& source : table.sources)
    source.node = source.kind == TermKind::kCalls ? target[source.index] : first_of[source.index];
  return table;
}

namespace {

// Calls that come by other ways are at least this part of a function's calls; the rest is rounding.
constexpr long double kSomeCalls = 1e-12L;
// Calls are left out one by one until nothing contradicts the rest.
constexpr int kMostRounds = 8;
// Shares of full functions are known to this part. Where one call is priced that takes a step or two.
constexpr long double kFull = 1e-6L;
constexpr int kMostSteps = 20;

/// The side that alone makes a caller's calls, or nearly so; nothing where there is none.
std::optional<size_t> side_that_calls(const BothSides& calls, const std::array<long double, 2>& rates) {
  if ((calls[0] > 0) != (calls[1] > 0)) return calls[1] > 0 ? 1 : 0;
  if (calls[0] <= 0 || std::min(rates[0], rates[1]) * 2 * kFarMore > std::max(rates[0], rates[1])) return std::nullopt;
  return rates[1] > rates[0] ? 1 : 0;
}

/// A call that only one side makes, or nearly so, as an edge of the table.
struct Candidate {
  uint32_t edge = 0, caller = 0;
  bool in_cycle = false;            ///< of caller and callee: only one edge of a cycle is a candidate
  long double calls = 0, cost = 0;  ///< of all of them, recorded
  long double price = 0;            ///< recorded, of a call
  long double alone = 0;            ///< what functions cost of it that nobody else calls
  long double dearer = 1;           ///< what shared work below costs, as a part of its average
};

/// The figures of a side per call, before anything was priced.
struct SideRates {
  std::vector<long double> own, rates;
};

class Pricing {
 public:
  /// `other` are the other side's figures.
  Pricing(const FlowSolver& solver, FlowTable& table, size_t side, const SideRates& other,
          std::vector<Candidate> candidates)
      : solver_(solver),
        table_(table),
        side_(side),
        other_(other),
        candidates_(std::move(candidates)),
        entries_(entries_of(side)) {}

  /// Whether any are left; they are priced in the table then.
  bool apply() {
    for (int round = 0; round < kMostRounds && !candidates_.empty(); ++round) {
      if (drop_implausible()) continue;
      if (mix_with_other_side()) return true;
      if (find_shares()) {
        write();
        return true;
      }
      drop_dearest();
    }
    return false;
  }

 private:
  const std::vector<long double>& rates() const { return table_.rates[side_]; }
  uint32_t callee_of(const Candidate& candidate) const { return table_.shape.callee[candidate.edge]; }
  bool is_shared(uint32_t node) const { return rest_[node] > kSomeCalls * calls_[node]; }

  std::vector<long double> entries_of(size_t side) const {
    std::vector<long double> entries(table_.own[0].size(), 0);
    for (const FlowSource& source : table_.sources) entries[source.node] += source.calls[side];
    return entries;
  }

  // What shared functions do for the candidates and for the others is not recorded. Where the others' calls do what the
  // other side's do, the candidates' are what is left; where they do what all calls do on average, nothing tells them
  // apart. Between these two lies what the candidates' recorded cost says: on a way of two legs, as calls that the
  // other side's function never makes are the candidates' first of all.

  static constexpr long double kWholeWay = 2;

  /// The others' figures after so much of the way from the other side's to the average, and how much more than this
  /// side's total they and the candidates come to.
  struct Mixture {
    SideRates others;
    std::vector<long double> calls;     ///< of the others, by node
    std::vector<long double> recorded;  ///< by candidate: what its calls cost, as a part of a call of its caller
    long double too_much = 0, shared_cost = 0;
  };
  Mixture mixture_at(long double way, const std::vector<bool>& mixed) const {
    const long double of_both = std::min(way, 1.0L), of_new = std::max(way - 1, 0.0L);
    Mixture mixture{{table_.own[side_], rates()}, {}};
    auto& [own, rate] = mixture.others;
    for (uint32_t i = 0; i < own.size(); ++i) {
      if (!mixed[i]) continue;
      const long double all = calls_[i] / rest_[i];  // no more than there is
      const auto mix = [&](long double average, long double before, long double part) {
        return std::min(before + part * (average - before), average * all);
      };
      own[i] = mix(own[i], other_.own[i], of_both);
      for (uint32_t e = table_.shape.first_edge[i]; e < table_.shape.first_edge[i + 1]; ++e)
        rate[e] = mix(rate[e], other_.rates[e], other_.rates[e] > 0 ? of_both : of_new);
    }
    for (const Candidate& candidate : candidates_) mixture.recorded.push_back(std::exchange(rate[candidate.edge], 0));
    mixture.calls = solver_.calls(entries_, rate);
    for (uint32_t i = 0; i < own.size(); ++i) {
      if (mixed[i] && mixture.calls[i] > 0)
        own[i] = std::min(own[i], table_.own[side_][i] * calls_[i] / mixture.calls[i]);
      mixture.too_much += mixture.calls[i] * own[i] - calls_[i] * table_.own[side_][i];
      if (mixed[i]) mixture.shared_cost += mixture.calls[i] * own[i];
    }
    for (size_t i = 0; i < candidates_.size(); ++i) {
      mixture.recorded[i] *= candidates_[i].price;
      mixture.too_much += mixture.calls[candidates_[i].caller] * mixture.recorded[i];
    }
    return mixture;
  }

  /// By node: shared work below the candidates that the other side does, too.
  std::vector<bool> mixed_nodes() const {
    std::vector<long double> below(calls_.size(), 0);
    for (const Candidate& candidate : candidates_)
      below[callee_of(candidate)] += rest_[candidate.caller] * rates()[candidate.edge];
    below = solver_.calls(below, rates());
    const std::vector<long double> before = solver_.calls(entries_of(1 - side_), other_.rates);
    std::vector<bool> mixed(calls_.size(), false);
    for (uint32_t i = 0; i < mixed.size(); ++i) mixed[i] = below[i] > 0 && before[i] > 0 && is_shared(i);
    return mixed;
  }

  /// False where the recorded cost lies outside and nearer to the average.
  bool mix_with_other_side() {
    if (std::any_of(candidates_.begin(), candidates_.end(), [](const Candidate& one) { return one.in_cycle; }))
      return false;
    const std::vector<bool> mixed = mixed_nodes();
    long double from = 0, to = kWholeWay;
    Mixture first = mixture_at(from, mixed);
    const Mixture average = mixture_at(to, mixed);
    if ((first.too_much < 0) == (average.too_much < 0)) {
      if (std::abs(first.too_much) > kHalf * std::abs(average.too_much)) return false;
    } else {
      for (int step = 0; step < kMostSteps; ++step) {
        const long double middle = (from + to) / 2;
        Mixture tried = mixture_at(middle, mixed);
        const bool is_beyond = (tried.too_much < 0) == (average.too_much < 0);
        (is_beyond ? to : from) = middle;
        if (!is_beyond) first = std::move(tried);
      }
    }
    if (first.shared_cost <= 0 || std::abs(first.too_much) > kHalf * first.shared_cost) return false;
    write(first, mixed);
    return true;
  }

  void write(const Mixture& mixture, const std::vector<bool>& mixed) {
    table_.other_calls[side_].assign(calls_.size(), FlowTable::kAllCalls);
    table_.rates[side_] = mixture.others.rates;
    const long double rest = 1 - mixture.too_much / mixture.shared_cost;  // to the last instruction
    for (uint32_t i = 0; i < mixed.size(); ++i) {
      if (!mixed[i]) continue;
      table_.own[side_][i] = mixture.others.own[i] * rest;
      table_.other_calls[side_][i] = mixture.calls[i];
    }
    for (size_t i = 0; i < candidates_.size(); ++i)
      if (mixture.recorded[i] > 0)
        table_.recorded.push_back({candidates_[i].edge, candidates_[i].caller, side_, mixture.recorded[i]});
  }

  void find_flows() {
    std::vector<long double> others = rates();
    for (const Candidate& candidate : candidates_) others[candidate.edge] = 0;
    calls_ = solver_.calls(entries_, rates());
    rest_ = solver_.calls(entries_, others);
    std::vector<long double> shared = table_.own[side_], alone = shared;
    for (uint32_t i = 0; i < shared.size(); ++i) (is_shared(i) ? alone : shared)[i] = 0;
    const std::vector<long double> shared_worth = solver_.worth(shared, rates()),
                                   alone_worth = solver_.worth(alone, rates());
    for (Candidate& candidate : candidates_) {
      if (candidate.in_cycle) price_in_cycle(candidate);
      const long double below = shared_worth[callee_of(candidate)];
      candidate.alone = alone_worth[callee_of(candidate)];
      candidate.dearer = below > 0 ? (candidate.price - candidate.alone) / below : -1;
    }
  }

  /// Some calls within a cycle are made below others of the same edge, if the average is right; as recorded they are
  /// not, and those that are made by other ways take the cost of all. Where most were, it is a recursion whose costs
  /// are recorded over and over.
  void price_in_cycle(Candidate& candidate) const {
    const long double outer = rest_[candidate.caller] * rates()[candidate.edge];
    candidate.price = outer >= kHalf * candidate.calls ? candidate.cost / outer : -1;
  }

  static bool is_implausible(const Candidate& one) { return one.dearer < 0 || one.dearer > 2 * kFarMore; }

  bool drop_implausible() {
    find_flows();
    return std::erase_if(candidates_, is_implausible) > 0;
  }

  /// The dearest as the flows are where no function is full.
  void drop_dearest() {
    find_flows();
    candidates_.erase(std::max_element(candidates_.begin(), candidates_.end(),
                                       [](const Candidate& a, const Candidate& b) { return a.dearer < b.dearer; }));
  }

  /// What the calls take of each function below them. No function may have less than no cost left: one that is full
  /// gives all that it has, and the others below the same calls give more. False where they cannot give that much.
  bool find_shares() {
    share_.assign(calls_.size(), 1);
    for (int step = 0; step < kMostSteps; ++step) {
      if (std::any_of(candidates_.begin(), candidates_.end(), is_implausible)) return false;
      std::vector<long double> entries(calls_.size(), 0);
      for (const Candidate& candidate : candidates_)
        entries[callee_of(candidate)] += rest_[candidate.caller] * rates()[candidate.edge] * candidate.dearer;
      taken_ = solver_.calls(entries, rates());
      if (!fill_up()) return true;
      price_again();
    }
    return false;
  }

  /// Whether what some function gives has changed.
  bool fill_up() {
    bool any = false;
    for (uint32_t i = 0; i < taken_.size(); ++i) {
      if (!is_shared(i) || table_.own[side_][i] == 0) continue;
      const long double share = taken_[i] > calls_[i] ? calls_[i] / taken_[i] : 1;
      if (std::abs(share - share_[i]) <= kFull * share_[i]) continue;
      share_[i] = share;
      any = true;
    }
    return any;
  }

  /// What full functions give stays as it is.
  void price_again() {
    std::vector<long double> open = table_.own[side_], full(open.size(), 0);
    for (uint32_t i = 0; i < open.size(); ++i) {
      if (share_[i] < 1) full[i] = share_[i] * open[i];
      if (!is_shared(i) || share_[i] < 1) open[i] = 0;
    }
    const std::vector<long double> open_worth = solver_.worth(open, rates()), full_worth = solver_.worth(full, rates());
    for (Candidate& candidate : candidates_) {
      const long double below = open_worth[callee_of(candidate)],
                        given = candidate.dearer * full_worth[callee_of(candidate)];
      if (given > 0) candidate.dearer = below > 0 ? (candidate.price - candidate.alone - given) / below : -1;
    }
  }

  void write() {
    table_.other_calls[side_].assign(taken_.size(), FlowTable::kAllCalls);
    for (uint32_t i = 0; i < taken_.size(); ++i) {
      if (!is_shared(i) || taken_[i] <= 0 || table_.own[side_][i] == 0) continue;
      table_.own[side_][i] *= std::max(0.0L, calls_[i] - taken_[i] * share_[i]) / rest_[i];
      table_.other_calls[side_][i] = rest_[i];
    }
    // What is called by these calls alone has no other; its figures are no matter.
    for (const Candidate& candidate : candidates_) {
      long double& rate = table_.rates[side_][candidate.edge];
      table_.recorded.push_back({candidate.edge, candidate.caller, side_, rate * candidate.price});
      rate = 0;
    }
  }

  const FlowSolver& solver_;
  FlowTable& table_;
  const size_t side_;
  const SideRates& other_;
  std::vector<Candidate> candidates_;
  std::vector<long double> entries_;       ///< by node: calls of the side that scale with no caller's
  std::vector<long double> calls_, rest_;  ///< by node: all calls of the side, and those by other ways
  std::vector<long double> taken_;         ///< by node: calls by the candidates, weighed by what they cost
  std::vector<long double> share_;         ///< by node: part of that which it can give; 1 where it is not full
};

/// The one with the greatest recorded cost.
void keep_one_of_each_cycle(const FlowTable& table, std::vector<Candidate>& candidates) {
  std::map<uint32_t, const Candidate*> most;
  for (const Candidate& one : candidates) {
    if (!one.in_cycle) continue;
    const Candidate*& kept = most[table.components.of[one.caller]];
    if (kept == nullptr || one.cost > kept->cost) kept = &one;
  }
  std::set<uint32_t> kept;
  for (const auto& [cycle, one] : most) kept.insert(one->edge);
  std::erase_if(candidates, [&](const Candidate& one) { return one.in_cycle && !kept.contains(one.edge); });
}

}  // namespace

bool price_recorded_calls(const FlowGraph& graph, const FlowSolver& solver, const FlowSolution& solution,
                          long double least, FlowTable& table) {
  std::vector<bool> usable = has_consistent_costs(graph);
  std::vector<bool> excluded(graph.edges.size(), false);
  for (const FlowSource& source : table.sources)
    if (source.kind == TermKind::kCalls) excluded[source.index] = true;
  std::array<std::vector<Candidate>, 2> candidates;
  for (uint32_t caller = 0; caller < table.shape.nodes(); ++caller) {
    if (solution.common_calls[caller] <= 0) continue;
    for (uint32_t e = table.shape.first_edge[caller]; e < table.shape.first_edge[caller + 1]; ++e) {
      const FlowEdge& edge = graph.edges[table.edge_of[e]];
      const auto calling = side_that_calls(edge.calls, {table.rates[0][e], table.rates[1][e]});
      if (!calling || excluded[table.edge_of[e]] || !usable[edge.callee] || table.shape.callee[e] == caller) continue;
      const size_t side = *calling;
      if (edge.inclusive[side] <= 0 || table.rates[side][e] <= 0) continue;
      const long double price =
          static_cast<long double>(edge.inclusive[side]) / static_cast<long double>(edge.calls[side]);
      const long double average = solution.worth[side][table.shape.callee[e]];
      const long double missed = std::abs(price - average);
      if (missed > kHardly * std::max(price, average) &&
          missed * table.rates[side][e] * solution.common_calls[caller] >= least)
        candidates[side].push_back(
            {.edge = e,
             .caller = caller,
             .in_cycle = table.components.of[caller] == table.components.of[table.shape.callee[e]],
             .calls = static_cast<long double>(edge.calls[side]),
             .cost = static_cast<long double>(edge.inclusive[side]),
             .price = price});
    }
  }
  for (auto& of_side : candidates) keep_one_of_each_cycle(table, of_side);
  bool any = false;
  const std::array<SideRates, 2> before = {SideRates{table.own[0], table.rates[0]}, {table.own[1], table.rates[1]}};
  for (size_t side = 0; side < 2; ++side)
    any |= Pricing(solver, table, side, before[1 - side], std::move(candidates[side])).apply();
  return any;
}

}  // namespace icount
