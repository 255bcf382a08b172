#include "icount/explain/match/match.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/hash.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/match/alignment.h"
#include "icount/explain/match/likeness.h"

namespace icount {
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
      if (const uint64_t callee = shared_id(pairing_, side, edge.callee)) {
        signatures[edge.caller].figures += mix_keys(callee, static_cast<uint64_t>(edge.calls));
        signatures[edge.caller].neighbours += mix_keys(callee, 1);
      }
      if (const uint64_t caller = shared_id(pairing_, side, edge.caller))
        signatures[edge.callee].neighbours += mix_keys(caller, 2);
    }
    for (uint32_t f = 0; f < signatures.size(); ++f) {
      signatures[f].calls = calls[f];
      signatures[f].figures +=
          mix_keys(static_cast<uint64_t>(calls[f]), static_cast<uint64_t>(graph.functions[f].self)) +
          signatures[f].neighbours;
    }
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
