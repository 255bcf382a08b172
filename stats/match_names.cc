#include "stats/match_names.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "base/hash.h"
#include "stats/name_parts.h"
#include "stats/symbol_name.h"

namespace icount {
namespace {

/// Number of an object that both sides share; the same for objects that were paired.
using ObjectClass = uint32_t;
using ObjectClasses = std::unordered_map<std::string_view, ObjectClass>;

// Every object has these; they say nothing about where a function moved to.
constexpr std::array<std::string_view, 9> kInEveryObject = {
    "_init", "_fini", "_start", "frame_dummy", "register_tm_clones", "deregister_tm_clones",
    "__do_global_dtors_aux", "(below main)", "???"};

uint64_t mix(uint64_t a, uint64_t b) { return (a ^ (b + 0x9E3779B97F4A7C15u + (a << 6) + (a >> 2))) * 0xFF51AFD7ED558CCDu; }

/// Objects of the same file name are one class. Those left over on both sides pair by how many function names they
/// share, most first: a program built twice under two names.
class ObjectPairs {
 public:
  ObjectPairs(const FoldedGraph& base, const FoldedGraph& head) : classes_{classes_of(base), classes_of(head)} {
    pair_leftovers(base, head);
  }

  ObjectClass of(size_t side, std::string_view object) const { return classes_[side].at(object); }

 private:
  ObjectClasses classes_of(const FoldedGraph& side) {
    ObjectClasses classes;
    for (const FoldedFunction& function : side.functions)
      if (!classes.contains(function.object))
        classes[function.object] = by_file_name_.try_emplace(base_of_path(function.object), by_file_name_.size()).first->second;
    return classes;
  }

  static std::vector<std::string_view> only_in(const ObjectClasses& classes, const ObjectClasses& other) {
    std::vector<std::string_view> found;
    for (const auto& [object, number] : classes)
      if (std::none_of(other.begin(), other.end(), [n = number](const auto& entry) { return entry.second == n; }))
        found.push_back(object);
    std::sort(found.begin(), found.end());
    return found;
  }

  void pair_leftovers(const FoldedGraph& base, const FoldedGraph& head) {
    const auto left = only_in(classes_[0], classes_[1]), right = only_in(classes_[1], classes_[0]);
    if (left.empty() || right.empty()) return;
    std::unordered_multimap<uint64_t, std::string_view> objects_of_name;
    for (const FoldedFunction& function : base.functions)
      if (std::binary_search(left.begin(), left.end(), function.object) && !is_address_name(function.name))
        objects_of_name.emplace(hash64(function.name), function.object);
    std::map<std::pair<std::string_view, std::string_view>, int64_t> shared;
    for (const FoldedFunction& function : head.functions) {
      if (!std::binary_search(right.begin(), right.end(), function.object)) continue;
      const auto [begin, end] = objects_of_name.equal_range(hash64(function.name));
      for (auto at = begin; at != end; ++at) ++shared[{at->second, function.object}];
    }
    assign_best(shared);
    // One stripped program on each side shares no names; it is still the one object that is left.
    if (shared.empty() && left.size() == 1 && right.size() == 1) classes_[1][right[0]] = classes_[0][left[0]];
  }

  void assign_best(const std::map<std::pair<std::string_view, std::string_view>, int64_t>& shared) {
    std::vector<std::tuple<int64_t, std::string_view, std::string_view>> order;
    for (const auto& [objects, names] : shared) order.emplace_back(-names, objects.first, objects.second);
    std::sort(order.begin(), order.end());
    std::map<std::string_view, bool> used_base, used_head;
    for (const auto& [names, base_object, head_object] : order) {
      if (used_base[base_object] || used_head[head_object]) continue;
      used_base[base_object] = used_head[head_object] = true;
      classes_[1][head_object] = classes_[0][base_object];
    }
  }

  std::unordered_map<std::string_view, ObjectClass> by_file_name_;
  std::array<ObjectClasses, 2> classes_;
};

struct Candidate {
  uint64_t key = 0;
  uint32_t function = 0;
  bool operator<(const Candidate& other) const { return std::tie(key, function) < std::tie(other.key, other.function); }
};

class NameMatcher {
 public:
  NameMatcher(const FoldedGraph& base, const FoldedGraph& head, Pairing& pairing)
      : sides_{&base, &head}, pairing_(pairing), objects_(base, head) {
    for (size_t side = 0; side < 2; ++side)
      for (const FoldedFunction& function : sides_[side]->functions) name_hash_[side].push_back(hash64(function.name));
  }

  void match() {
    join(MatchedBy::kName, [this](size_t side, uint32_t f) {
      const FoldedFunction& function = sides_[side]->functions[f];
      return mix(mix(name_hash_[side][f], hash64(base_of_path(function.file))), objects_.of(side, function.object));
    });
    join(MatchedBy::kName, [this](size_t side, uint32_t f) {
      return mix(name_hash_[side][f], objects_.of(side, sides_[side]->functions[f].object));
    });
    join(MatchedBy::kObject, [this](size_t side, uint32_t f) {
      const std::string_view name = sides_[side]->functions[f].name;
      const bool everywhere = std::find(kInEveryObject.begin(), kInEveryObject.end(), name) != kInEveryObject.end();
      return everywhere ? 0 : name_hash_[side][f];
    });
  }

 private:
  using Key = std::function<uint64_t(size_t side, uint32_t function)>;

  std::vector<Candidate> candidates(size_t side, const Key& key) const {
    const auto& partners = side == 0 ? pairing_.of_base : pairing_.of_head;
    std::vector<Candidate> found;
    for (uint32_t f = 0; f < partners.size(); ++f) {
      if (partners[f] != kNoFunction || is_address_name(sides_[side]->functions[f].name)) continue;
      const uint64_t k = key(side, f);
      if (k != 0) found.push_back({k, f});
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void join(MatchedBy by, const Key& key) {
    const auto left = candidates(0, key), right = candidates(1, key);
    for (size_t l = 0, r = 0; l < left.size() && r < right.size();) {
      if (left[l].key != right[r].key) {
        ++(left[l].key < right[r].key ? l : r);
        continue;
      }
      const uint64_t k = left[l].key;
      std::vector<uint32_t> base, head;
      for (; l < left.size() && left[l].key == k; ++l) base.push_back(left[l].function);
      for (; r < right.size() && right[r].key == k; ++r) head.push_back(right[r].function);
      pair_up(std::move(base), std::move(head), by);
    }
  }

  /// Functions that share a key: equal paths first, then equal cost, then in order of path.
  void pair_up(std::vector<uint32_t> base, std::vector<uint32_t> head, MatchedBy by) {
    if (base.size() == 1 && head.size() == 1) return pairing_.add(base[0], head[0], by);
    if (by == MatchedBy::kObject) return;
    sort_by_path(base, 0);
    sort_by_path(head, 1);
    const auto file = [this](size_t side, uint32_t f) { return hash64(sides_[side]->functions[f].file); };
    const auto cost = [this](size_t side, uint32_t f) { return static_cast<uint64_t>(sides_[side]->functions[f].self); };
    pair_equal(base, head, by, file);
    pair_equal(base, head, by, cost);
    for (size_t i = 0; i < std::min(base.size(), head.size()); ++i) pairing_.add(base[i], head[i], by);
  }

  void sort_by_path(std::vector<uint32_t>& functions, size_t side) const {
    std::sort(functions.begin(), functions.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(sides_[side]->functions[a].file, a) < std::pair(sides_[side]->functions[b].file, b);
    });
  }

  /// Pairs the n-th of a figure on one side with the n-th of that figure on the other and removes both.
  void pair_equal(std::vector<uint32_t>& base, std::vector<uint32_t>& head, MatchedBy by, const Key& figure) {
    std::unordered_multimap<uint64_t, uint32_t> waiting;
    for (auto f = head.rbegin(); f != head.rend(); ++f) waiting.emplace(figure(1, *f), *f);
    std::vector<uint32_t> left;
    for (uint32_t f : base) {
      const auto [begin, end] = waiting.equal_range(figure(0, f));
      const auto first = std::min_element(begin, end, [&](const auto& a, const auto& b) {
        return std::find(head.begin(), head.end(), a.second) < std::find(head.begin(), head.end(), b.second);
      });
      if (begin == end) {
        left.push_back(f);
        continue;
      }
      pairing_.add(f, first->second, by);
      waiting.erase(first);
    }
    base = std::move(left);
    std::erase_if(head, [&](uint32_t f) { return pairing_.of_head[f] != kNoFunction; });
  }

  std::array<const FoldedGraph*, 2> sides_;
  Pairing& pairing_;
  ObjectPairs objects_;
  std::array<std::vector<uint64_t>, 2> name_hash_;
};

}  // namespace

void Pairing::add(uint32_t base, uint32_t head, MatchedBy by, std::string evidence) {
  of_base[base] = head;
  of_head[head] = base;
  pairs.push_back({base, head, by, std::move(evidence)});
}

void match_by_name(const FoldedGraph& base, const FoldedGraph& head, Pairing& pairing) {
  NameMatcher(base, head, pairing).match();
}

}  // namespace icount
