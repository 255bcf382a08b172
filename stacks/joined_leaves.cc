#include "icount/stacks/joined_leaves.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace icount {
namespace {

using Leaves = std::vector<JoinedLeaf>;

// Less than a millionth of a unit is what divisions leave behind.
constexpr DividedCost kNothing = 1e-6L;

DividedCost sum_of(const Leaves& leaves) {
  return std::accumulate(leaves.begin(), leaves.end(), DividedCost(0),
                         [](DividedCost sum, const JoinedLeaf& leaf) { return sum + leaf.cost; });
}

/// Costs by frame, given away from the front: `n` takers split at most `n` of them.
class Pool {
 public:
  void add(const JoinedLeaf& leaf) {
    if (leaf.cost > kNothing) leaves_.push_back(leaf);
  }

  void give(DividedCost wanted, Leaves& to) {
    while (wanted > kNothing && front_ < leaves_.size()) {
      JoinedLeaf& leaf = leaves_[front_];
      const DividedCost part = std::min(wanted, leaf.cost);
      to.push_back({leaf.frame, part});
      wanted -= part;
      leaf.cost -= part;
      if (leaf.cost <= kNothing) ++front_;
    }
  }

 private:
  Leaves leaves_;
  size_t front_ = 0;
};

Pool pool_of(const Leaves& leaves) {
  Pool pool;
  for (const JoinedLeaf& leaf : leaves) pool.add(leaf);
  return pool;
}

/// Callers come first: a component is divided when all that enters it is there.
class Follower {
 public:
  Follower(const CostGraph& graph, size_t event, const CostDivision& division, const JoinedParts& parts)
      : graph_(graph),
        event_(event),
        division_(division),
        entering_(division.components.count()),
        inside_(graph.functions.size()),
        leaves_(graph.functions.size()) {
    for (const JoinedEntry& entry : parts.entries)
      entering_[division.components.of[entry.function]].push_back({kNoFrame, entry.cost});
    for (const JoinedCalls& calls : parts.calls) calls_[calls.function].push_back(calls);
    for (const JoinedCircle& circle : parts.circles) circles_[circle.entered].push_back(circle);
  }

  std::vector<Leaves> follow() {
    for (auto& [entered, circles] : circles_) divide_circle(entered, circles);
    for (size_t c = division_.components.count(); c-- > 0;) {
      divide_component(static_cast<uint32_t>(c));
      for (const FunctionIndex function : division_.members.of(static_cast<uint32_t>(c))) {
        divide_function(function);
        if (const auto calls = calls_.find(function); calls != calls_.end()) divide_calls(function, calls->second);
      }
    }
    for (Leaves& leaves : leaves_) join_by_frame(leaves);
    return std::move(leaves_);
  }

 private:
  /// Every taker of a list gets its part for all who join from its place on.
  template <class Joined, class Give>
  void divide_from(std::vector<Joined>& joined, size_t takers,
                   DividedCost (Follower::*cost)(const Joined&, size_t) const, const Give& give) {
    std::stable_sort(joined.begin(), joined.end(), [](const Joined& a, const Joined& b) { return a.first < b.first; });
    Pool pool;
    DividedCost scale = 0;
    size_t next = 0;
    for (size_t taker = joined.empty() ? takers : joined.front().first; taker < takers; ++taker) {
      for (; next < joined.size() && joined[next].first <= taker; ++next) {
        pool.add({joined[next].frame, (this->*cost)(joined[next], joined[next].first)});
        scale += joined[next].scale;
      }
      give(taker, scale, pool);
    }
  }

  void divide_circle(FunctionIndex entered, std::vector<JoinedCircle>& circles) {
    const std::vector<FunctionIndex> others = division_.others_in_circle(division_.components.of[entered], entered);
    circle_below_.assign(others.size() + 1, 0);
    for (size_t i = others.size(); i-- > 0;) circle_below_[i] = circle_below_[i + 1] + division_.own[others[i]];
    divide_from(circles, others.size(), &Follower::circle_cost, [&](size_t taker, DividedCost scale, Pool& pool) {
      pool.give(scale * division_.own[others[taker]], inside_[others[taker]]);
    });
  }
  DividedCost circle_cost(const JoinedCircle& circle, size_t first) const {
    return circle.scale * circle_below_[first];
  }

  void divide_component(uint32_t component) {
    const Leaves entering = std::move(entering_[component]);
    const DividedCost sum = sum_of(entering), whole = division_.whole[component];
    if (sum <= 0 || whole <= 0) return;  // calls that cost something, and nothing below them that does
    Pool pool = pool_of(entering);
    for (const FunctionIndex member : division_.members.of(component))
      pool.give(sum * (division_.own[member] / whole), inside_[member]);
  }

  void divide_function(FunctionIndex function) {
    const Leaves inside = std::move(inside_[function]);
    const DividedCost sum = sum_of(inside), own = division_.own[function];
    if (sum <= 0 || own <= 0) return;
    Pool pool = pool_of(inside);
    pool.give(sum * (static_cast<DividedCost>(graph_.self_of(function, event_)) / own), leaves_[function]);
    for (const uint32_t edge : division_.leaving[function]) pool.give(sum * (edge_cost(edge) / own), callee_list(edge));
  }

  void divide_calls(FunctionIndex function, std::vector<JoinedCalls>& calls) {
    const std::vector<uint32_t>& edges = division_.leaving[function];
    calls_below_.assign(edges.size() + 1, 0);
    for (size_t i = edges.size(); i-- > 0;) calls_below_[i] = calls_below_[i + 1] + edge_cost(edges[i]);
    divide_from(calls, edges.size(), &Follower::calls_cost, [&](size_t taker, DividedCost scale, Pool& pool) {
      pool.give(scale * edge_cost(edges[taker]), callee_list(edges[taker]));
    });
  }
  DividedCost calls_cost(const JoinedCalls& calls, size_t first) const { return calls.scale * calls_below_[first]; }

  DividedCost edge_cost(uint32_t edge) const { return static_cast<DividedCost>(graph_.inclusive_of(edge, event_)); }
  Leaves& callee_list(uint32_t edge) { return entering_[division_.components.of[graph_.edges[edge].callee]]; }

  static void join_by_frame(Leaves& leaves) {
    std::stable_sort(leaves.begin(), leaves.end(),
                     [](const JoinedLeaf& a, const JoinedLeaf& b) { return a.frame < b.frame; });
    size_t end = 0;
    for (const JoinedLeaf& leaf : leaves) {
      if (end > 0 && leaves[end - 1].frame == leaf.frame)
        leaves[end - 1].cost += leaf.cost;
      else
        leaves[end++] = leaf;
    }
    leaves.resize(end);
  }

  const CostGraph& graph_;
  size_t event_;
  const CostDivision& division_;
  std::map<FunctionIndex, std::vector<JoinedCalls>> calls_;
  std::map<FunctionIndex, std::vector<JoinedCircle>> circles_;
  std::vector<Leaves> entering_;                         ///< per component: what calls brought
  std::vector<Leaves> inside_;                           ///< per function: its part of that
  std::vector<Leaves> leaves_;                           ///< per function: of its own cost
  std::vector<DividedCost> circle_below_, calls_below_;  ///< sums from a place on
};

}  // namespace

std::vector<std::vector<JoinedLeaf>> make_joined_leaves(const CostGraph& graph, size_t event,
                                                        const CostDivision& division, const JoinedParts& parts) {
  return Follower(graph, event, division, parts).follow();
}

}  // namespace icount
