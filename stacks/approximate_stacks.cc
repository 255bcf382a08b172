#include "icount/stacks/approximate_stacks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icount/callgraph/components.h"

namespace icount {
namespace {

// How the cost of a call graph divides among stacks where no stack was recorded: in proportion to the cost of the
// calls. Functions that call each other in a circle divide as one.

/// 64 bits of mantissa: shares of int64 costs stay exact to the unit.
using DividedCost = long double;

/// Of one event; see make_cost_division.
struct CostDivision {
  Components components;
  Components::Members members;
  std::vector<std::vector<uint32_t>> leaving;  ///< per function: edges out of its component, costliest first
  std::vector<DividedCost> own;                ///< per function: self + leaving
  std::vector<DividedCost> whole;              ///< per component: own of its members
  std::vector<DividedCost> entering;           ///< per component

  /// Members of the component but for `entered`, the largest `own` first; those that cost nothing are left out.
  std::vector<FunctionIndex> others_in_circle(uint32_t component, FunctionIndex entered) const;
};

std::vector<FunctionIndex> CostDivision::others_in_circle(uint32_t component, FunctionIndex entered) const {
  std::vector<FunctionIndex> others;
  for (FunctionIndex member : members.of(component))
    if (member != entered && own[member] > 0) others.push_back(member);
  std::stable_sort(others.begin(), others.end(), [&](uint32_t a, uint32_t b) { return own[a] > own[b]; });
  return others;
}

CostDivision make_cost_division(const CostGraph& graph, size_t event) {
  CostDivision division;
  std::vector<Arc> arcs;
  for (const Edge& edge : graph.edges) arcs.push_back({edge.caller, edge.callee});
  division.components = find_components(graph.functions.size(), arcs);
  division.members = division.components.members();
  division.leaving.resize(graph.functions.size());
  division.own.resize(graph.functions.size());
  division.whole.resize(division.components.count());
  division.entering.resize(division.components.count());
  const std::vector<uint32_t>& of = division.components.of;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    division.own[f] = static_cast<DividedCost>(graph.self_of(f, event));
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const Edge& edge = graph.edges[e];
    if (of[edge.caller] == of[edge.callee]) continue;
    division.leaving[edge.caller].push_back(e);
    division.own[edge.caller] += static_cast<DividedCost>(graph.inclusive_of(e, event));
    division.entering[of[edge.callee]] += static_cast<DividedCost>(graph.inclusive_of(e, event));
  }
  for (auto& edges : division.leaving)
    std::stable_sort(edges.begin(), edges.end(), [&](uint32_t a, uint32_t b) {
      return graph.inclusive_of(a, event) > graph.inclusive_of(b, event);
    });
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) division.whole[of[f]] += division.own[f];
  return division;
}

/// Whole numbers next to `shares` that add up to `total`, by largest remainder; ties go to the first. All of it goes to
/// the first share where they add up to nothing.
std::vector<int64_t> whole_shares(const std::vector<DividedCost>& shares, int64_t total) {
  std::vector<int64_t> whole(shares.size(), 0);
  const DividedCost sum = std::accumulate(shares.begin(), shares.end(), DividedCost(0));
  if (shares.empty() || sum <= 0) {
    if (!whole.empty()) whole[0] = total;
    return whole;
  }
  int64_t left = total;
  std::vector<std::pair<DividedCost, size_t>> remainders;
  for (size_t i = 0; i < shares.size(); ++i) {
    const DividedCost exact = shares[i] / sum * static_cast<DividedCost>(total);
    whole[i] = std::min(static_cast<int64_t>(std::floor(exact)), left);
    left -= whole[i];
    remainders.emplace_back(static_cast<DividedCost>(whole[i]) - exact, i);
  }
  std::sort(remainders.begin(), remainders.end());
  for (size_t i = 0; left > 0; i = (i + 1) % remainders.size(), --left) ++whole[remainders[i].second];
  return whole;
}

// The functions behind "… other": what approximate stacks do not tell apart is followed through the calls below to the
// functions whose own cost it is, so that a function's frames add up to its self cost.

/// A frame whose cheaper calls are not told apart: those from `first` on, in the order of CostDivision::leaving.
struct JoinedCalls {
  uint32_t frame = kNoFrame;
  FunctionIndex function = 0;
  size_t first = 0;
  DividedCost scale = 0;  ///< the frame's part of the function's cost
};

/// A frame below which a circle was entered and members are not told apart: those from `first` on, in the order of
/// CostDivision::others_in_circle.
struct JoinedCircle {
  uint32_t frame = kNoFrame;
  FunctionIndex entered = 0;
  size_t first = 0;
  DividedCost scale = 0;
};

/// An outermost function that no frame stands for.
struct JoinedEntry {
  FunctionIndex function = 0;
  DividedCost cost = 0;
};

struct JoinedParts {
  std::vector<JoinedCalls> calls;
  std::vector<JoinedCircle> circles;
  std::vector<JoinedEntry> entries;
};

/// A part of a function's own cost that was spent somewhere below `frame`; kNoFrame: below no frame that is told apart.
struct JoinedLeaf {
  uint32_t frame = kNoFrame;
  DividedCost cost = 0;
};

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

/// Per function its leaves, by frame, each frame once. Costs are shares: they add up to what the parts are worth where
/// the costs of calls agree with what is below them. Where several frames join, which of them a cost is below follows
/// the calls and is arbitrary otherwise. O(parts + calls + functions).
std::vector<std::vector<JoinedLeaf>> make_joined_leaves(const CostGraph& graph, size_t event,
                                                        const CostDivision& division, const JoinedParts& parts) {
  return Follower(graph, event, division, parts).follow();
}

/// Grows the tree from its entries, the costliest open frame first.
class Grower {
 public:
  Grower(const CostGraph& graph, size_t event, const ApproximateStacksOptions& options)
      : graph_(graph), event_(event), options_(options), division_(make_cost_division(graph, event)) {
    // The other half is for "… other" and the functions in it.
    most_named_ = std::max<size_t>(1, options.max_frames / 2);
    least_ = std::max<DividedCost>(
        static_cast<DividedCost>(options.min_share) * static_cast<DividedCost>(graph.totals[event]), 0.5);
  }

  CallStacks grow() {
    plant_entries();
    while (!open_.empty()) {
      const Open next = open_.top();
      open_.pop();
      expand(next);
    }
    return finish();
  }

 private:
  struct Named {
    FunctionIndex function;  ///< of no meaning for a recursion frame
    uint32_t parent;
    DividedCost self;
    size_t depth;
    FrameKind kind;
  };
  /// A part of a function's own cost in the frame "… other" of `frame`.
  struct Leaf {
    int64_t cost;
    FunctionIndex function;
    uint32_t frame;
  };
  struct Open {
    DividedCost amount;
    uint32_t frame;
    bool inside;  ///< below a recursion frame: only its own part
    bool operator<(const Open& o) const { return std::tie(amount, o.frame) < std::tie(o.amount, frame); }
  };

  void plant_entries() {
    std::vector<std::tuple<DividedCost, FunctionIndex>> entries;
    for (uint32_t c = 0; c < division_.components.count(); ++c) {
      const DividedCost amount = division_.whole[c] - division_.entering[c];
      if (amount <= 0) continue;
      const auto members = division_.members.of(c);
      const auto entry = std::max_element(members.begin(), members.end(),
                                          [&](uint32_t a, uint32_t b) { return division_.own[a] < division_.own[b]; });
      entries.emplace_back(-amount, *entry);
    }
    std::sort(entries.begin(), entries.end());
    for (const auto& [amount, function] : entries)
      if (!add(function, kNoFrame, -amount, false)) joined_.entries.push_back({function, -amount});
  }

  bool may_add(uint32_t parent, DividedCost amount) const {
    return amount >= least_ && named_.size() < most_named_ &&
           (parent == kNoFrame || named_[parent].depth + 1 < options_.max_depth);
  }

  bool add(FunctionIndex function, uint32_t parent, DividedCost amount, bool inside) {
    if (!may_add(parent, amount)) return false;
    const DividedCost base = inside ? division_.own[function] : division_.whole[division_.components.of[function]];
    if (base <= 0) return false;  // calls that cost something and nothing below them that does
    const DividedCost self = amount / base * static_cast<DividedCost>(graph_.self_of(function, event_));
    open_.push({amount, static_cast<uint32_t>(named_.size()), inside});
    named_.push_back({function, parent, self, parent == kNoFrame ? 0 : named_[parent].depth + 1, FrameKind::kFunction});
    return true;
  }

  void expand(const Open& open) {
    const FunctionIndex function = named_[open.frame].function;
    const uint32_t component = division_.components.of[function];
    const DividedCost scale = open.amount / (open.inside ? division_.own[function] : division_.whole[component]);
    const std::vector<uint32_t>& edges = division_.leaving[function];
    size_t told = 0;
    for (; told < edges.size(); ++told) {
      const DividedCost amount = scale * static_cast<DividedCost>(graph_.inclusive_of(edges[told], event_));
      if (!may_add(open.frame, amount)) break;  // only cheaper ones follow
      add(graph_.edges[edges[told]].callee, open.frame, amount, false);
    }
    if (told < edges.size()) joined_.calls.push_back({open.frame, function, told, scale});
    if (!open.inside && division_.components.sizes[component] > 1) expand_circle(open.frame, component, scale);
  }

  void expand_circle(uint32_t entered, uint32_t component, DividedCost scale) {
    const FunctionIndex function = named_[entered].function;
    const std::vector<FunctionIndex> others = division_.others_in_circle(component, function);
    DividedCost inside = 0;
    for (const FunctionIndex member : others) inside += scale * division_.own[member];
    if (!may_add(entered, inside)) {
      joined_.circles.push_back({entered, function, 0, scale});
      return;
    }
    const auto circle = static_cast<uint32_t>(named_.size());
    named_.push_back({0, entered, 0, named_[entered].depth + 1, FrameKind::kRecursion});
    size_t told = 0;
    while (told < others.size() && add(others[told], circle, scale * division_.own[others[told]], true)) ++told;
    if (told < others.size()) joined_.circles.push_back({circle, function, told, scale});
  }

  /// Divides each function's self cost among its frames and, where they do not hold all of it, among leaves.
  std::vector<Leaf> share_self(std::vector<int64_t>& self) const {
    std::vector<std::vector<uint32_t>> frames_of(graph_.functions.size());
    for (uint32_t i = 0; i < named_.size(); ++i)
      if (named_[i].kind == FrameKind::kFunction) frames_of[named_[i].function].push_back(i);
    auto joined = make_joined_leaves(graph_, event_, division_, joined_);
    std::vector<Leaf> leaves;
    for (FunctionIndex f = 0; f < frames_of.size(); ++f) {
      const int64_t cost = graph_.self_of(f, event_);
      std::vector<DividedCost> shares;
      for (const uint32_t frame : frames_of[f]) shares.push_back(named_[frame].self);
      const DividedCost named = std::accumulate(shares.begin(), shares.end(), DividedCost(0));
      add_leaf_shares(std::max<DividedCost>(static_cast<DividedCost>(cost) - named, 0), joined[f], shares);
      const std::vector<int64_t> whole = whole_shares(shares, cost);
      for (size_t i = 0; i < whole.size(); ++i) {
        if (i < frames_of[f].size())
          self[frames_of[f][i]] = whole[i];
        else if (whole[i] > 0)
          leaves.push_back({whole[i], f, joined[f][i - frames_of[f].size()].frame});
      }
    }
    return leaves;
  }

  /// What the frames lack, divided like the leaves; below no frame where the calls lead to none.
  static void add_leaf_shares(DividedCost lacking, std::vector<JoinedLeaf>& leaves, std::vector<DividedCost>& shares) {
    DividedCost sum = 0;
    for (const JoinedLeaf& leaf : leaves) sum += leaf.cost;
    if (sum <= 0) leaves = {{kNoFrame, sum = 1}};
    for (const JoinedLeaf& leaf : leaves) shares.push_back(lacking * (leaf.cost / sum));
  }

  /// Keeps the costliest leaves, one of each function at least, which takes what its others held.
  void limit(std::vector<Leaf>& leaves) const {
    std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
      return std::tuple(-a.cost, a.function, a.frame) < std::tuple(-b.cost, b.function, b.frame);
    });
    std::unordered_map<FunctionIndex, size_t> kept_of;
    const size_t most = std::max<size_t>(1, options_.max_frames / 2);
    size_t end = 0;
    for (const Leaf& leaf : leaves) {
      const auto [kept, first] = kept_of.try_emplace(leaf.function, end);
      if (first || end < most)
        leaves[end++] = leaf;
      else
        leaves[kept->second].cost += leaf.cost;
    }
    leaves.resize(end);
    std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
      return std::tie(a.frame, a.function) < std::tie(b.frame, b.function);
    });
  }

  CallStacks finish() {
    CallStacks stacks;
    stacks.approximate = true;
    stacks.events = {graph_.events[event_]};
    stacks.totals = {graph_.totals[event_]};
    stacks.self.assign(named_.size(), 0);
    std::vector<Leaf> leaves = share_self(stacks.self);
    limit(leaves);
    for (const Named& named : named_) {
      if (named.kind == FrameKind::kFunction)
        add_function(stacks, named.function, named.parent);
      else
        add_kind(stacks, named.kind, named.parent);
    }
    add_leaves(stacks, leaves);
    return stacks;
  }

  void add_function(CallStacks& stacks, FunctionIndex function, uint32_t parent) const {
    const auto text = [&](std::string_view view) { return stacks.strings.intern(view); };
    stacks.frames.push_back({text(graph_.name(function)), text(graph_.file(function)), text(graph_.object(function)),
                             parent, FrameKind::kFunction});
  }

  static void add_kind(CallStacks& stacks, FrameKind kind, uint32_t parent) {
    stacks.frames.push_back({stacks.strings.intern(kind_text(kind)), kEmptyString, kEmptyString, parent, kind});
  }

  /// By frame: a frame "… other" for those of each.
  void add_leaves(CallStacks& stacks, const std::vector<Leaf>& leaves) const {
    auto other = kNoFrame;
    for (size_t i = 0; i < leaves.size(); ++i) {
      if (i == 0 || leaves[i].frame != leaves[i - 1].frame) {
        other = static_cast<uint32_t>(stacks.frames.size());
        add_kind(stacks, FrameKind::kOther, leaves[i].frame);
        stacks.self.push_back(0);
      }
      add_function(stacks, leaves[i].function, other);
      stacks.self.push_back(leaves[i].cost);
    }
  }

  const CostGraph& graph_;
  size_t event_;
  const ApproximateStacksOptions& options_;
  CostDivision division_;
  size_t most_named_;
  DividedCost least_;
  JoinedParts joined_;
  std::vector<Named> named_;
  std::priority_queue<Open> open_;
};

}  // namespace

CallStacks make_approximate_stacks(const CostGraph& graph, size_t event, const ApproximateStacksOptions& options) {
  return Grower(graph, event, options).grow();
}

}  // namespace icount
