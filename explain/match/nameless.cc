#include "icount/explain/match/match.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/hash.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/match/alignment.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

/// Open functions that are looked through on the way down to matched ones.
constexpr size_t kMostLookedThrough = 256;

class NamelessMatcher {
 public:
  explicit NamelessMatcher(Pairing& pairing) : pairing_(pairing) {
    for (size_t side = 0; side < 2; ++side) {
      calls_[side].resize(pairing.sides[side]->functions.size(), 0);
      for (const FoldedEdge& edge : pairing.sides[side]->edges)
        calls_[side][edge.callee] = saturating_add(calls_[side][edge.callee], edge.calls);
    }
  }

  bool match() {
    bool any = false;
    // Pairs are appended while this walks: the callees of a new one come into reach.
    for (size_t i = 0; i < pairing_.pairs.size(); ++i)
      any |= match_callees(pairing_.pairs[i].base, pairing_.pairs[i].head);
    return any;
  }

 private:
  using Edges = std::span<const FoldedEdge>;
  /// Calls of a callee for so many calls of its caller, in lowest terms.
  using Rate = std::pair<int64_t, int64_t>;
  /// The open functions that are called so often, the costliest first.
  using OpenCallees = std::map<Rate, std::vector<FoldedEdge>>;

  Rate rate(size_t side, const FoldedEdge& edge) const {
    const int64_t callers = std::max<int64_t>(1, calls_[side][edge.caller]),
                  common = std::max<int64_t>(1, std::gcd(edge.calls, callers));
    return {edge.calls / common, callers / common};
  }

  Edges callees(size_t side, uint32_t f) const {
    const FoldedGraph& graph = *pairing_.sides[side];
    return Edges(graph.edges).subspan(graph.first_edge[f], graph.first_edge[f + 1] - graph.first_edge[f]);
  }

  OpenCallees open_callees(size_t side, uint32_t f) const {
    OpenCallees found;
    for (const FoldedEdge& edge : callees(side, f))
      if (pairing_.is_open(side, edge.callee)) found[rate(side, edge)].push_back(edge);
    for (auto& [rate, edges] : found)
      std::stable_sort(edges.begin(), edges.end(),
                       [](const FoldedEdge& a, const FoldedEdge& b) { return a.inclusive > b.inclusive; });
    return found;
  }

  bool match_callees(uint32_t base, uint32_t head) {
    bool any = false;
    const OpenCallees left = open_callees(0, base), right = open_callees(1, head);
    for (const auto& [rate, edges] : left) {
      const auto others = right.find(rate);
      if (others == right.end()) continue;
      for (const FoldedEdge& edge : edges) any |= match_first(edge.callee, others->second);
    }
    return any;
  }

  bool match_first(uint32_t base, const std::vector<FoldedEdge>& others) {
    for (const FoldedEdge& other : others) {
      if (!pairing_.is_open(1, other.callee) || !may_be_one(base, other.callee)) continue;
      pairing_.add(base, other.callee, MatchedBy::kPlace);
      return true;
    }
    return false;
  }

  bool may_be_one(uint32_t base, uint32_t head) const {
    if (pairing_.is_unnamed(0, base) == pairing_.is_unnamed(1, head)) return false;
    if (pairing_.objects.of(0, base) != pairing_.objects.of(1, head)) return false;
    if (pairing_.may_be_one_build(base, head)) return false;  // one build has one table of symbols
    return do_like_work(base, head);
  }

  /// Cost of the nearest matched functions below, by their number.
  using Work = std::unordered_map<uint32_t, double>;

  Work work_below(size_t side, uint32_t f) const {
    Work work;
    std::vector<uint32_t> open = {f};
    std::unordered_set<uint32_t> seen = {f};
    for (size_t i = 0; i < open.size() && i < kMostLookedThrough; ++i) {
      for (const FoldedEdge& edge : callees(side, open[i])) {
        if (!pairing_.is_open(side, edge.callee)) {
          work[side == 0 ? edge.callee : pairing_.partner[1][edge.callee]] += static_cast<double>(edge.inclusive);
        } else if (seen.insert(edge.callee).second) {
          open.push_back(edge.callee);
        }
      }
    }
    return work;
  }

  bool do_like_work(uint32_t base, uint32_t head) const {
    const Work left = work_below(0, base), right = work_below(1, head);
    if (left.empty() && right.empty())
      return callees(0, base).empty() && callees(1, head).empty() && cost_alike(base, head);
    double all_left = 0, all_right = 0, shared = 0;
    for (const auto& [f, cost] : left) all_left += cost;
    for (const auto& [f, cost] : right) all_right += cost;
    if (all_left == 0 || all_right == 0) return false;
    for (const auto& [f, cost] : left)
      if (const auto other = right.find(f); other != right.end())
        shared += std::min(cost / all_left, other->second / all_right);
    return shared >= kHalf;
  }

  bool cost_alike(uint32_t base, uint32_t head) const {
    const auto per_call = [&](size_t side, uint32_t f) {
      return static_cast<double>(pairing_.function(side, f).self) /
             static_cast<double>(std::max<int64_t>(1, calls_[side][f]));
    };
    const auto [small, large] = std::minmax({per_call(0, base), per_call(1, head)});
    return kHalf * large <= small;
  }

  Pairing& pairing_;
  std::array<std::vector<int64_t>, 2> calls_;  ///< of every function
};

}  // namespace

bool match_nameless(Pairing& pairing) { return NamelessMatcher(pairing).match(); }

namespace {

// Between two anchors a full alignment costs the product of both lengths.
constexpr size_t kLargestGap = 64;

/// What a function does without regard to its name, from strict to loose.
struct Signature {
  int64_t calls = 0;
  uint64_t figures = 0;     ///< calls, self cost, and which matched functions it calls how often
  uint64_t neighbours = 0;  ///< which matched functions it calls or is called by
};

using Places = std::vector<uint32_t>;

class PlaceMatcher {
 public:
  explicit PlaceMatcher(Pairing& pairing) : pairing_(pairing) {
    for (size_t side = 0; side < 2; ++side) {
      for (const FoldedFunction& function : pairing.sides[side]->functions)
        addresses_[side].push_back(address_of_name(function.name));
      read_signatures(side);
    }
  }

  void match() {
    std::map<ObjectClass, std::array<Places, 2>> by_object;
    for (size_t side = 0; side < 2; ++side)
      for (uint32_t f : pairing_.open(side))
        if (pairing_.is_unnamed(side, f)) by_object[pairing_.objects.of(side, f)][side].push_back(f);
    for (auto& [object, places] : by_object) {
      for (size_t side = 0; side < 2; ++side)
        std::sort(places[side].begin(), places[side].end(),
                  [&](uint32_t a, uint32_t b) { return address(side, a) < address(side, b); });
      match_object(object, places[0], places[1]);
    }
  }

 private:
  uint64_t address(size_t side, uint32_t f) const { return addresses_[side][f]; }

  void read_signatures(size_t side) {
    const FoldedGraph& graph = *pairing_.sides[side];
    auto& signatures = signatures_[side];
    signatures.resize(graph.functions.size());
    std::vector<int64_t> calls(graph.functions.size(), 0);
    for (const FoldedEdge& edge : graph.edges) {
      calls[edge.callee] = saturating_add(calls[edge.callee], edge.calls);
      if (const uint64_t callee = shared_id(side, edge.callee)) {
        signatures[edge.caller].figures += mix_keys(callee, static_cast<uint64_t>(edge.calls));
        signatures[edge.caller].neighbours += mix_keys(callee, 1);
      }
      if (const uint64_t caller = shared_id(side, edge.caller))
        signatures[edge.callee].neighbours += mix_keys(caller, 2);
    }
    for (uint32_t f = 0; f < signatures.size(); ++f) {
      signatures[f].calls = calls[f];
      signatures[f].figures +=
          mix_keys(static_cast<uint64_t>(calls[f]), static_cast<uint64_t>(graph.functions[f].self)) +
          signatures[f].neighbours;
    }
  }

  /// The same number for a matched function on both sides, else 0.
  uint64_t shared_id(size_t side, uint32_t f) const {
    if (pairing_.is_open(side, f)) return 0;
    return mix_keys(side == 0 ? f : pairing_.partner[1][f], 3);
  }

  void match_object(ObjectClass object, const Places& base, const Places& head) {
    if (base.empty() || head.empty()) return;
    const auto equal = equal_keys(base, head, [&](size_t side, uint32_t f) { return address(side, f); });
    size_t agreeing = 0;
    for (const auto& [left, right] : equal)
      agreeing += signatures_[0][left[0]].figures == signatures_[1][right[0]].figures;
    if (is_one_build(base, head, {equal.size(), agreeing})) {
      for (const auto& [left, right] : equal) pairing_.add(left[0], right[0], MatchedBy::kPlace);
      pairing_.one_build.push_back(object);
      return;
    }
    const auto anchors = find_anchors(base, head, [](const Signature& s) { return s.figures; });
    if (agreeing >= anchors.size() && is_same_build(base, head, {equal.size(), agreeing})) {
      for (const auto& [left, right] : equal) pairing_.add(left[0], right[0], MatchedBy::kPlace);
      return match_leftovers(base, head);
    }
    // Another build, of which not one function is known by what it does: nothing to go by.
    if (!anchors.empty()) align(base, head, 0);
  }

  /// How many addresses both sides have, and at how many of them the same is done.
  struct Equal {
    size_t addresses = 0, agreeing = 0;
  };

  /// Whether both sides ran the same build of the object and other parts of it: nearly all addresses are the same, or
  /// at most of those that both have the same is done, and some of them lie behind an address that only one side has.
  /// In a build of changed sources all addresses behind the change are others.
  bool is_one_build(const Places& base, const Places& head, Equal equal) const {
    const bool nearly_all = 5 * equal.addresses >= 4 * std::min(base.size(), head.size());
    if (!nearly_all && 2 * equal.agreeing < equal.addresses) return false;
    const std::string_view object = pairing_.function(0, base[0]).object;  // "???" is code of several
    if (!object.starts_with('/') || !pairing_.may_be_one_build(base[0], head[0])) return false;
    size_t behind = 0;
    bool differed = false;
    for (size_t b = 0, h = 0; b < base.size() && h < head.size();) {
      const uint64_t left = address(0, base[b]), right = address(1, head[h]);
      differed |= left != right;
      behind += left == right && differed && signatures_[0][base[b]].figures == signatures_[1][head[h]].figures;
      b += left <= right;
      h += right <= left;
    }
    return behind >= 2;
  }

  /// Nearly the same parts of one build. Only in one build does an address say who a function is: nearly all addresses
  /// are then the same, and some function does the same, or the object lies where it lay.
  bool is_same_build(const Places& base, const Places& head, Equal equal) const {
    const bool nearly_all = 5 * equal.addresses >= 4 * std::min(base.size(), head.size());
    return nearly_all && (equal.agreeing > 0 || pairing_.may_be_one_build(base[0], head[0]));
  }

  /// Equal addresses held; what is left on both sides pairs when it does the same.
  void match_leftovers(const Places& base, const Places& head) {
    Places left, right;
    std::copy_if(base.begin(), base.end(), std::back_inserter(left),
                 [&](uint32_t f) { return pairing_.is_open(0, f); });
    std::copy_if(head.begin(), head.end(), std::back_inserter(right),
                 [&](uint32_t f) { return pairing_.is_open(1, f); });
    align(left, right, 0);
  }

  /// Pairs of positions whose signature occurs once on each side, the longest increasing run of them.
  template <typename Key>
  std::vector<std::pair<size_t, size_t>> find_anchors(std::span<const uint32_t> base, std::span<const uint32_t> head,
                                                      const Key& key) const {
    struct Seen {
      size_t at = 0;
      int count = 0;
    };
    std::unordered_map<uint64_t, Seen> in_base, in_head;
    const auto note = [](Seen& seen, size_t at) {
      seen.at = at;
      ++seen.count;
    };
    for (size_t i = 0; i < base.size(); ++i) note(in_base[key(signatures_[0][base[i]])], i);
    for (size_t i = 0; i < head.size(); ++i) note(in_head[key(signatures_[1][head[i]])], i);
    std::vector<std::pair<size_t, size_t>> unique;
    for (size_t i = 0; i < base.size(); ++i) {
      const uint64_t k = key(signatures_[0][base[i]]);
      const auto other = in_head.find(k);
      if (k != 0 && in_base[k].count == 1 && other != in_head.end() && other->second.count == 1)
        unique.emplace_back(i, other->second.at);
    }
    return longest_increasing(unique);
  }

  /// Longest run in which both positions grow; `pairs` come sorted by the first.
  static std::vector<std::pair<size_t, size_t>> longest_increasing(
      const std::vector<std::pair<size_t, size_t>>& pairs) {
    std::vector<size_t> tails, previous(pairs.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      const auto at = std::lower_bound(tails.begin(), tails.end(), i,
                                       [&](size_t a, size_t b) { return pairs[a].second < pairs[b].second; });
      previous[i] = at == tails.begin() ? pairs.size() : *std::prev(at);
      if (at == tails.end()) {
        tails.push_back(i);
      } else {
        *at = i;
      }
    }
    std::vector<std::pair<size_t, size_t>> run;
    for (size_t i = tails.empty() ? pairs.size() : tails.back(); i < pairs.size(); i = previous[i])
      run.push_back(pairs[i]);
    std::reverse(run.begin(), run.end());
    return run;
  }

  /// Anchors by figures first, between them anchors by neighbours, between those in order.
  void align(std::span<const uint32_t> base, std::span<const uint32_t> head, int level) {
    if (base.empty() || head.empty()) return;
    if (level == 2) return pair_in_order(base, head);
    const auto anchors = level == 0 ? find_anchors(base, head, [](const Signature& s) { return s.figures; })
                                    : find_anchors(base, head, [](const Signature& s) { return s.neighbours; });
    size_t b = 0, h = 0;
    for (const auto& [at_base, at_head] : anchors) {
      align(base.subspan(b, at_base - b), head.subspan(h, at_head - h), level + 1);
      pairing_.add(base[at_base], head[at_head], MatchedBy::kPlace);
      b = at_base + 1;
      h = at_head + 1;
    }
    align(base.subspan(b), head.subspan(h), level + 1);
  }

  /// As many on both sides: one to one where calls or neighbours agree. Else the alignment in which most functions
  /// agree in their neighbours or figures.
  void pair_in_order(std::span<const uint32_t> base, std::span<const uint32_t> head) {
    if (base.size() == head.size()) {
      for (size_t i = 0; i < base.size(); ++i)
        if (is_likely(base[i], head[i])) pairing_.add(base[i], head[i], MatchedBy::kPlace);
    } else if (base.size() <= kLargestGap && head.size() <= kLargestGap) {
      pair_by_likeness(base, head);
    }
  }

  bool is_likely(uint32_t base, uint32_t head) const {
    const Signature &a = signatures_[0][base], &b = signatures_[1][head];
    return a.calls == b.calls || (a.neighbours != 0 && a.neighbours == b.neighbours);
  }

  int likeness(uint32_t base, uint32_t head) const {
    const Signature &a = signatures_[0][base], &b = signatures_[1][head];
    if (a.figures == b.figures) return 4;
    const int64_t self_a = pairing_.function(0, base).self, self_b = pairing_.function(1, head).self;
    const bool close = std::min(self_a, self_b) * 2 >= std::max(self_a, self_b);
    return 2 * (a.neighbours == b.neighbours) + close;
  }

  void pair_by_likeness(std::span<const uint32_t> base, std::span<const uint32_t> head) {
    for (const auto& [b, h] :
         align_in_order(base.size(), head.size(), [&](size_t i, size_t j) { return likeness(base[i], head[j]); }))
      pairing_.add(base[b], head[h], MatchedBy::kPlace);
  }

  Pairing& pairing_;
  std::array<std::vector<uint64_t>, 2> addresses_;  // by function; 0 for those with a name
  std::array<std::vector<Signature>, 2> signatures_;
};

}  // namespace

void match_by_place(Pairing& pairing) { PlaceMatcher(pairing).match(); }

}  // namespace icount
