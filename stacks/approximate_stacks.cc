#include "icount/stacks/approximate_stacks.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "icount/stacks/cost_division.h"
#include "icount/stacks/joined_leaves.h"

namespace icount {
namespace {

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
