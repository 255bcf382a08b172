// Which object file of the base is which of the head: libraries by file name, programs also under another name.
// The first thing explain/match/match.h asks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icount/explain/match/folded_graph.h"

namespace icount {

/// Number of an object; objects that were paired have the same one.
using ObjectClass = uint32_t;

/// Objects of the same file name are one class. Those left over on both sides pair by how many function names they
/// share, most first: a program built twice under two names. The views of the folded graphs must outlive this.
class ObjectPairs {
 public:
  ObjectPairs(const FoldedGraph& base, const FoldedGraph& head);

  /// Class of the object of `function`; side 0 is base, 1 is head.
  ObjectClass of(size_t side, uint32_t function) const { return class_of_[side][function]; }

 private:
  using Classes = std::unordered_map<std::string_view, ObjectClass>;

  Classes classes_of(const FoldedGraph& side);
  void pair_leftovers(const FoldedGraph& base, const FoldedGraph& head);

  std::unordered_map<std::string_view, ObjectClass> by_file_name_;
  std::array<Classes, 2> classes_;
  std::array<std::vector<ObjectClass>, 2> class_of_;
};

// Which function of the base is which function of the head. By names first, then by evidence, which is never silent.
// Works on two explain/match/folded_graph.h; explain/match/joined_graph.h is what comes out.

/// How two functions were found to be one.
enum class MatchedBy : uint8_t {
  kNothing,   ///< on one side only
  kName,      ///< same name
  kObject,    ///< same name in another library or program (an allocator was exchanged)
  kDispatch,  ///< variants of one library routine chosen at run time (__memcpy_avx_..., __memcpy_sse2_...)
  kPlace,     ///< functions without names (0x addresses), by order and figures
  kEvidence,  ///< another name, but evidence that it is the same function
};

/// One function of either or both sides; an index is kNoFunction when that side has none.
struct FunctionMatch {
  uint32_t base = kNoFunction;
  uint32_t head = kNoFunction;
  MatchedBy by = MatchedBy::kNothing;
  std::string evidence;  ///< for kEvidence: "same callers and callees, same cost per call"
};

/// Every function of both sides occurs in exactly one match. Swapping the arguments swaps base and head in each match
/// and nothing else but their order. With `raw_names` only equal names match.
std::vector<FunctionMatch> match_functions(const FoldedGraph& base, const FoldedGraph& head, bool raw_names);

// The state of matching while its steps run: who is whose partner so far. Shared by stats/match_*.h; match.h gives it
// out.

/// Side 0 is base, side 1 is head.
struct Pairing {
  std::array<const FoldedGraph*, 2> sides;
  ObjectPairs objects;
  std::array<std::vector<uint32_t>, 2> partner;  ///< by function: partner on the other side or kNoFunction
  std::array<std::vector<bool>, 2> unnamed;
  std::vector<FunctionMatch> pairs;
  std::vector<ObjectClass>
      one_build;  ///< objects of which both sides ran the same build: other name or address, other function

  Pairing(const FoldedGraph& base, const FoldedGraph& head);

  /// Whether the function has no name but an address.
  bool is_unnamed(size_t side, uint32_t f) const { return unnamed[side][f]; }
  bool is_of_one_build(size_t side, uint32_t f) const {
    return std::find(one_build.begin(), one_build.end(), objects.of(side, f)) != one_build.end();
  }
  /// Whether both may come from one build of one object: the same path.
  bool may_be_one_build(uint32_t base, uint32_t head) const {
    return function(0, base).object == function(1, head).object;
  }
  const FoldedFunction& function(size_t side, uint32_t f) const { return sides[side]->functions[f]; }
  bool is_open(size_t side, uint32_t f) const { return partner[side][f] == kNoFunction; }
  std::vector<uint32_t> open(size_t side) const;
  void add(uint32_t base, uint32_t head, MatchedBy by, std::string evidence = {});
};

/// A file that is compiled by itself: "inlines.c", not "vector" or "list.h".
bool is_source_file(std::string_view file);

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

// Pairs of functions that have the same name on both sides: the first and silent step of explain/match/match.h.

/// Same name and object; then the same name in any object. Several functions of one name (statics) pair by path, by
/// file name, by equal cost, then in their order. Left to later steps: functions without names, lambdas (their numbers
/// shift when one is added), and statics whose source files differ.
void match_by_name(Pairing& pairing);

/// Equal names, as they are.
void match_by_raw_name(Pairing& pairing);

/// Variants of one library routine that are chosen at run time: __memcpy_avx_unaligned_erms, __memcpy_sse2_unaligned.
void match_by_dispatch(Pairing& pairing);

// Functions without a symbol: their names are addresses, which shift with every build. They pair by their order in the
// object and by what they do. A step of explain/match/match.h.

/// Object by object: equal addresses when that agrees best with calls and costs, else an alignment in order of address
/// (functions with the same unmistakable figures are anchors, what lies between them pairs in order).
void match_by_place(Pairing& pairing);

}  // namespace icount
