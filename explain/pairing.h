// The state of matching while its steps run: who is whose partner so far. Shared by stats/match_*.h; match.h gives it
// out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "icount/explain/match.h"
#include "icount/explain/object_pairs.h"

namespace icount {

/// Side 0 is base, side 1 is head.
struct Pairing {
  std::array<const FoldedGraph*, 2> sides;
  ObjectPairs objects;
  std::array<std::vector<uint32_t>, 2> partner;  ///< by function: partner on the other side or kNoFunction
  std::array<std::vector<bool>, 2> unnamed;
  std::vector<FunctionMatch> pairs;
  std::set<ObjectClass> stripped_on_one_side;  ///< nearly all functions have a name there, hardly any here
  std::vector<ObjectClass>
      one_build;  ///< objects of which both sides ran the same build: other name or address, other function

  Pairing(const FoldedGraph& base, const FoldedGraph& head);

  /// Whether the function has no name but an address.
  bool is_unnamed(size_t side, uint32_t f) const { return unnamed[side][f]; }
  bool is_of_one_build(size_t side, uint32_t f) const {
    return std::find(one_build.begin(), one_build.end(), objects.of(side, f)) != one_build.end();
  }
  /// Whether both may come from one build of one object: the same path, unless it was stripped in place (or was
  /// stripped before), which shows in how many of its functions have a name.
  bool may_be_one_build(uint32_t base, uint32_t head) const {
    return function(0, base).object == function(1, head).object && !stripped_on_one_side.contains(objects.of(0, base));
  }
  const FoldedFunction& function(size_t side, uint32_t f) const { return sides[side]->functions[f]; }
  bool is_open(size_t side, uint32_t f) const { return partner[side][f] == kNoFunction; }
  std::vector<uint32_t> open(size_t side) const;
  void add(uint32_t base, uint32_t head, MatchedBy by, std::string evidence = {});
};

/// Two keys as one; never 0 in practice.
inline uint64_t mix_keys(uint64_t a, uint64_t b) {
  return (a ^ (b + 0x9E3779B97F4A7C15u + (a << 6) + (a >> 2))) * 0xFF51AFD7ED558CCDu + 1;
}

/// Functions of both sides that have the same key(side, function), key by key; 0 means none. In each list the order of
/// `base` and `head` is kept.
template <typename Key>
std::vector<std::array<std::vector<uint32_t>, 2>> equal_keys(std::span<const uint32_t> base,
                                                             std::span<const uint32_t> head, const Key& key) {
  struct Keyed {
    uint64_t key;
    uint32_t place, function;
    bool operator<(const Keyed& other) const { return std::pair(key, place) < std::pair(other.key, other.place); }
  };
  const auto sorted = [&](size_t side, std::span<const uint32_t> functions) {
    std::vector<Keyed> keyed;
    for (uint32_t i = 0; i < functions.size(); ++i)
      if (const uint64_t k = key(side, functions[i]); k != 0) keyed.push_back({k, i, functions[i]});
    std::sort(keyed.begin(), keyed.end());
    return keyed;
  };
  const auto left = sorted(0, base), right = sorted(1, head);
  std::vector<std::array<std::vector<uint32_t>, 2>> found;
  for (size_t l = 0, r = 0; l < left.size() && r < right.size();) {
    if (left[l].key != right[r].key) {
      ++(left[l].key < right[r].key ? l : r);
      continue;
    }
    const uint64_t k = left[l].key;
    auto& lists = found.emplace_back();
    for (; l < left.size() && left[l].key == k; ++l) lists[0].push_back(left[l].function);
    for (; r < right.size() && right[r].key == k; ++r) lists[1].push_back(right[r].function);
  }
  return found;
}

}  // namespace icount
