#include "icount/stacks/approximate_stacks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/components.h"

namespace icount {
namespace {

// 64 bits of mantissa: shares of int64 costs stay exact to the unit.
using Amount = long double;

/// The graph as the division needs it: circles of functions as one, calls that leave them by cost.
struct Division {
  Components components;
  Components::Members members;
  std::vector<std::vector<uint32_t>> leaving;  ///< per function: edges out of its component, costliest first
  std::vector<Amount> own;                     ///< per function: self + leaving
  std::vector<Amount> whole;                   ///< per component: own of its members
  std::vector<Amount> entering;                ///< per component
};

Division make_division(const CostGraph& graph, size_t event) {
  Division division;
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
    division.own[f] = static_cast<Amount>(graph.self_of(f, event));
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const Edge& edge = graph.edges[e];
    if (of[edge.caller] == of[edge.callee]) continue;
    division.leaving[edge.caller].push_back(e);
    division.own[edge.caller] += static_cast<Amount>(graph.inclusive_of(e, event));
    division.entering[of[edge.callee]] += static_cast<Amount>(graph.inclusive_of(e, event));
  }
  for (auto& edges : division.leaving)
    std::stable_sort(edges.begin(), edges.end(), [&](uint32_t a, uint32_t b) {
      return graph.inclusive_of(a, event) > graph.inclusive_of(b, event);
    });
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) division.whole[of[f]] += division.own[f];
  return division;
}

/// Whole numbers next to `shares` that add up to `total`, by largest remainder; ties go to the first.
std::vector<int64_t> whole_shares(const std::vector<Amount>& shares, int64_t total) {
  std::vector<int64_t> whole(shares.size(), 0);
  Amount sum = std::accumulate(shares.begin(), shares.end(), Amount(0));
  if (shares.empty() || sum <= 0) {
    if (!whole.empty()) whole[0] = total;
    return whole;
  }
  int64_t left = total;
  std::vector<std::pair<Amount, size_t>> remainders;
  for (size_t i = 0; i < shares.size(); ++i) {
    const Amount exact = shares[i] / sum * static_cast<Amount>(total);
    whole[i] = std::min(static_cast<int64_t>(std::floor(exact)), left);
    left -= whole[i];
    remainders.emplace_back(static_cast<Amount>(whole[i]) - exact, i);
  }
  std::sort(remainders.begin(), remainders.end());
  for (size_t i = 0; left > 0; i = (i + 1) % remainders.size(), --left) ++whole[remainders[i].second];
  return whole;
}

/// Grows the tree from its entries, the costliest open frame first.
class Grower {
 public:
  Grower(const CostGraph& graph, size_t event, const ApproximateStacksOptions& options)
      : graph_(graph), event_(event), options_(options), division_(make_division(graph, event)) {
    // Each frame may get one more for what is not told apart below it.
    most_named_ = std::max<size_t>(1, options.max_frames / 2);
    least_ = std::max<Amount>(static_cast<Amount>(options.min_share) * static_cast<Amount>(graph.totals[event]), 0.5);
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
    Amount self;
    size_t depth;
    FrameKind kind;
    Amount other = 0;  ///< what is below it and not told apart
  };
  struct Open {
    Amount amount;
    uint32_t frame;
    bool inside;  ///< below a recursion frame: only its own part
    bool operator<(const Open& o) const { return std::tie(amount, o.frame) < std::tie(o.amount, frame); }
  };

  void plant_entries() {
    std::vector<std::tuple<Amount, FunctionIndex>> entries;
    for (uint32_t c = 0; c < division_.components.count(); ++c) {
      const Amount amount = division_.whole[c] - division_.entering[c];
      if (amount <= 0) continue;
      const auto members = division_.members.of(c);
      const auto entry = std::max_element(members.begin(), members.end(),
                                          [&](uint32_t a, uint32_t b) { return division_.own[a] < division_.own[b]; });
      entries.emplace_back(-amount, *entry);
    }
    std::sort(entries.begin(), entries.end());
    for (const auto& [amount, function] : entries)
      if (!add(function, kNoFrame, -amount, false)) unrooted_ += -amount;
  }

  bool may_add(uint32_t parent, Amount amount) const {
    return amount >= least_ && named_.size() < most_named_ &&
           (parent == kNoFrame || named_[parent].depth + 1 < options_.max_depth);
  }

  bool add(FunctionIndex function, uint32_t parent, Amount amount, bool inside) {
    if (!may_add(parent, amount)) return false;
    const Amount base = inside ? division_.own[function] : division_.whole[division_.components.of[function]];
    if (base <= 0) return false;  // calls that cost something and nothing below them that does
    const Amount self = amount / base * static_cast<Amount>(graph_.self_of(function, event_));
    open_.push({amount, static_cast<uint32_t>(named_.size()), inside});
    named_.push_back({function, parent, self, parent == kNoFrame ? 0 : named_[parent].depth + 1, FrameKind::kFunction});
    return true;
  }

  void expand(const Open& open) {
    const FunctionIndex function = named_[open.frame].function;
    const uint32_t component = division_.components.of[function];
    const Amount scale = open.amount / (open.inside ? division_.own[function] : division_.whole[component]);
    Amount rest = scale * division_.own[function] - named_[open.frame].self;
    for (uint32_t e : division_.leaving[function]) {
      const Amount amount = scale * static_cast<Amount>(graph_.inclusive_of(e, event_));
      if (!may_add(open.frame, amount)) break;  // only cheaper ones follow
      if (add(graph_.edges[e].callee, open.frame, amount, false)) rest -= amount;
    }
    named_[open.frame].other += std::max<Amount>(rest, 0);
    if (!open.inside && division_.components.sizes[component] > 1) expand_circle(open.frame, component, scale);
  }

  void expand_circle(uint32_t entered, uint32_t component, Amount scale) {
    std::vector<FunctionIndex> others;
    Amount rest = 0;
    for (FunctionIndex member : division_.members.of(component)) {
      if (member == named_[entered].function || division_.own[member] <= 0) continue;
      others.push_back(member);
      rest += scale * division_.own[member];
    }
    if (!may_add(entered, rest)) {
      named_[entered].other += rest;
      return;
    }
    const auto circle = static_cast<uint32_t>(named_.size());
    named_.push_back({0, entered, 0, named_[entered].depth + 1, FrameKind::kRecursion});
    std::stable_sort(others.begin(), others.end(),
                     [&](uint32_t a, uint32_t b) { return division_.own[a] > division_.own[b]; });
    for (FunctionIndex member : others) {
      if (!add(member, circle, scale * division_.own[member], true)) break;
      rest -= scale * division_.own[member];
    }
    named_[circle].other += std::max<Amount>(rest, 0);
  }

  /// Divides each function's self cost among its frames; returns what is left for "… other".
  int64_t share_self(std::vector<int64_t>& self) const {
    std::vector<std::vector<uint32_t>> frames_of(graph_.functions.size());
    for (uint32_t i = 0; i < named_.size(); ++i)
      if (named_[i].kind == FrameKind::kFunction) frames_of[named_[i].function].push_back(i);
    int64_t left = 0;
    for (FunctionIndex f = 0; f < frames_of.size(); ++f) {
      const int64_t cost = graph_.self_of(f, event_);
      std::vector<Amount> shares;
      for (uint32_t frame : frames_of[f]) shares.push_back(named_[frame].self);
      const Amount named = std::accumulate(shares.begin(), shares.end(), Amount(0));
      shares.push_back(std::max<Amount>(static_cast<Amount>(cost) - named, 0));
      const std::vector<int64_t> whole = whole_shares(shares, cost);
      for (size_t i = 0; i < frames_of[f].size(); ++i) self[frames_of[f][i]] = whole[i];
      left = checked_add(left, whole.back(), "cost of small frames");
    }
    return left;
  }

  CallStacks finish() {
    CallStacks stacks;
    stacks.approximate = true;
    stacks.events = {graph_.events[event_]};
    stacks.totals = {graph_.totals[event_]};
    stacks.self.assign(named_.size(), 0);
    const int64_t left = share_self(stacks.self);
    const auto text = [&](std::string_view view) { return stacks.strings.intern(view); };
    for (const Named& named : named_) {
      if (named.kind == FrameKind::kFunction)
        stacks.frames.push_back({text(graph_.name(named.function)), text(graph_.file(named.function)),
                                 text(graph_.object(named.function)), named.parent, named.kind});
      else
        stacks.frames.push_back({text(kind_text(named.kind)), kEmptyString, kEmptyString, named.parent, named.kind});
    }
    if (left > 0) add_others(stacks, left);
    return stacks;
  }

  void add_others(CallStacks& stacks, int64_t left) const {
    std::vector<uint32_t> parents = {kNoFrame};
    std::vector<Amount> shares = {unrooted_};
    for (uint32_t i = 0; i < named_.size(); ++i) {
      if (named_[i].other <= 0) continue;
      parents.push_back(i);
      shares.push_back(named_[i].other);
    }
    const std::vector<int64_t> whole = whole_shares(shares, left);
    const StringId name = stacks.strings.intern(kind_text(FrameKind::kOther));
    for (size_t i = 0; i < parents.size(); ++i) {
      if (whole[i] == 0) continue;
      stacks.frames.push_back({name, kEmptyString, kEmptyString, parents[i], FrameKind::kOther});
      stacks.self.push_back(whole[i]);
    }
  }

  const CostGraph& graph_;
  size_t event_;
  const ApproximateStacksOptions& options_;
  Division division_;
  size_t most_named_;
  Amount least_;
  Amount unrooted_ = 0;
  std::vector<Named> named_;
  std::priority_queue<Open> open_;
};

}  // namespace

CallStacks make_approximate_stacks(const CostGraph& graph, size_t event, const ApproximateStacksOptions& options) {
  return Grower(graph, event, options).grow();
}

}  // namespace icount
