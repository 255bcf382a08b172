#include "icount/explain/match/match.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "icount/base/hash.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/match/likeness.h"

namespace icount {
namespace {

using Classes = std::unordered_map<std::string_view, ObjectClass>;
using SharedNames = std::map<std::pair<std::string_view, std::string_view>, int64_t>;

std::vector<std::string_view> only_in(const Classes& classes, const Classes& other) {
  std::set<ObjectClass> known;
  for (const auto& [object, number] : other) known.insert(number);
  std::vector<std::string_view> found;
  for (const auto& [object, number] : classes)
    if (!known.contains(number)) found.push_back(object);
  std::sort(found.begin(), found.end());
  return found;
}

SharedNames shared_names(const FoldedGraph& base, const FoldedGraph& head, const std::vector<std::string_view>& left,
                         const std::vector<std::string_view>& right) {
  std::unordered_multimap<uint64_t, std::string_view> objects_of_name;
  for (const FoldedFunction& function : base.functions)
    if (std::binary_search(left.begin(), left.end(), function.object) && !is_address_name(function.name))
      objects_of_name.emplace(hash64(function.name), function.object);
  SharedNames shared;
  for (const FoldedFunction& function : head.functions) {
    if (!std::binary_search(right.begin(), right.end(), function.object)) continue;
    const auto [begin, end] = objects_of_name.equal_range(hash64(function.name));
    for (auto at = begin; at != end; ++at) ++shared[{at->second, function.object}];
  }
  return shared;
}

}  // namespace

ObjectPairs::ObjectPairs(const FoldedGraph& base, const FoldedGraph& head)
    : classes_{classes_of(base), classes_of(head)} {
  pair_leftovers(base, head);
  for (const FoldedFunction& function : base.functions) class_of_[0].push_back(classes_[0].at(function.object));
  for (const FoldedFunction& function : head.functions) class_of_[1].push_back(classes_[1].at(function.object));
}

ObjectPairs::Classes ObjectPairs::classes_of(const FoldedGraph& side) {
  Classes classes;
  for (const FoldedFunction& function : side.functions) {
    if (classes.contains(function.object)) continue;
    const auto fresh = static_cast<ObjectClass>(by_file_name_.size());
    classes[function.object] = by_file_name_.try_emplace(base_of_path(function.object), fresh).first->second;
  }
  return classes;
}

void ObjectPairs::pair_leftovers(const FoldedGraph& base, const FoldedGraph& head) {
  const auto left = only_in(classes_[0], classes_[1]), right = only_in(classes_[1], classes_[0]);
  if (left.empty() || right.empty()) return;
  const SharedNames shared = shared_names(base, head, left, right);
  std::vector<std::tuple<int64_t, std::string_view, std::string_view>> order;
  for (const auto& [objects, names] : shared) order.emplace_back(-names, objects.first, objects.second);
  // Equal numbers go by the two names, whichever side they are on.
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    const auto key = [](const auto& of) {
      const auto& [names, left_name, right_name] = of;
      return std::tuple(names, std::min(left_name, right_name), std::max(left_name, right_name));
    };
    return key(a) < key(b);
  });
  std::set<std::string_view> used_base, used_head;
  for (const auto& [names, base_object, head_object] : order) {
    if (used_base.contains(base_object) || used_head.contains(head_object)) continue;
    used_base.insert(base_object);
    used_head.insert(head_object);
    classes_[1][head_object] = classes_[0][base_object];
  }
  // One stripped program on each side shares no names; it is still the one object that is left.
  if (shared.empty() && left.size() == 1 && right.size() == 1) classes_[1][right[0]] = classes_[0][left[0]];
}

namespace {

/// A number that tells the two sides apart by content, so that the steps can always run in the same direction: whatever
/// they prefer among equals, swapping base and head then swaps every pair and nothing else. All that a step looks at is
/// part of it; the order of functions and edges is not.
uint64_t content_key(const FoldedGraph& graph) {
  std::vector<uint64_t> functions;
  for (const FoldedFunction& function : graph.functions)
    functions.push_back(mix_keys(mix_keys(hash64(function.name), hash64(function.object)),
                                 mix_keys(hash64(function.file), static_cast<uint64_t>(function.self))));
  uint64_t key = std::accumulate(functions.begin(), functions.end(), static_cast<uint64_t>(graph.total));
  for (const FoldedEdge& edge : graph.edges)
    key += mix_keys(mix_keys(functions[edge.caller], functions[edge.callee]),
                    mix_keys(static_cast<uint64_t>(edge.calls), static_cast<uint64_t>(edge.inclusive)));
  for (const LineRow& row : graph.graph->lines) key += mix_keys(functions[graph.folded_of[row.function]], row.line);
  return key;
}

std::vector<FunctionMatch> all_matches(Pairing pairing) {
  std::vector<FunctionMatch> matches = std::move(pairing.pairs);
  for (uint32_t f : pairing.open(0)) matches.push_back({f, kNoFunction, MatchedBy::kNothing, {}});
  for (uint32_t f : pairing.open(1)) matches.push_back({kNoFunction, f, MatchedBy::kNothing, {}});
  return matches;
}

}  // namespace

std::vector<FunctionMatch> match_functions(const FoldedGraph& base, const FoldedGraph& head, bool raw_names) {
  const bool turned = content_key(base) > content_key(head);
  Pairing pairing(turned ? head : base, turned ? base : head);
  if (raw_names) {
    match_by_raw_name(pairing);
  } else {
    match_by_name(pairing);
    match_by_dispatch(pairing);
    match_by_place(pairing);
    match_by_evidence(pairing);
  }
  std::vector<FunctionMatch> matches = all_matches(std::move(pairing));
  if (turned)
    for (FunctionMatch& match : matches) std::swap(match.base, match.head);
  return matches;
}

Pairing::Pairing(const FoldedGraph& base, const FoldedGraph& head)
    : sides{&base, &head},
      objects(base, head),
      partner{std::vector(base.functions.size(), kNoFunction), std::vector(head.functions.size(), kNoFunction)} {
  for (size_t side = 0; side < 2; ++side)
    for (const FoldedFunction& function : sides[side]->functions)
      unnamed[side].push_back(is_address_name(function.name));
}

std::vector<uint32_t> Pairing::open(size_t side) const {
  std::vector<uint32_t> found;
  for (uint32_t f = 0; f < partner[side].size(); ++f)
    if (is_open(side, f)) found.push_back(f);
  return found;
}

void Pairing::add(uint32_t base, uint32_t head, MatchedBy by, std::string evidence) {
  partner[0][base] = head;
  partner[1][head] = base;
  pairs.push_back({base, head, by, std::move(evidence)});
}

bool is_source_file(std::string_view file) {
  static constexpr auto kEndings =
      std::to_array<std::string_view>({".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".m", ".mm", ".f90", ".f", ".adb"});
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return file.ends_with(ending); });
}

namespace {

// Every object has these; they say nothing about where a function moved to.
constexpr std::array<std::string_view, 9> kInEveryObject = {"_init",
                                                            "_fini",
                                                            "_start",
                                                            "frame_dummy",
                                                            "register_tm_clones",
                                                            "deregister_tm_clones",
                                                            "__do_global_dtors_aux",
                                                            "(below main)",
                                                            "???"};

uint64_t name_key(const Pairing& pairing, size_t side, uint32_t f) { return hash64(pairing.function(side, f).name); }

void sort_by_path(const Pairing& pairing, size_t side, std::vector<uint32_t>& functions) {
  std::sort(functions.begin(), functions.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(pairing.function(side, a).file, a) < std::pair(pairing.function(side, b).file, b);
  });
}

/// Pairs functions of equal figure, in order, and drops them from both lists.
template <typename Figure>
void pair_equal(Pairing& pairing, std::vector<uint32_t>& base, std::vector<uint32_t>& head, const Figure& figure) {
  for (const auto& [left, right] : equal_keys(base, head, figure))
    for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) pairing.add(left[i], right[i], MatchedBy::kName);
  std::erase_if(base, [&](uint32_t f) { return !pairing.is_open(0, f); });
  std::erase_if(head, [&](uint32_t f) { return !pairing.is_open(1, f); });
}

/// Two C functions of one name in two source files are more likely two statics than one that moved.
bool may_be_two_statics(const FoldedFunction& a, const FoldedFunction& b) {
  return a.name.find('(') == std::string_view::npos && is_source_file(a.file) && is_source_file(b.file) &&
         base_of_path(a.file) != base_of_path(b.file);
}

void pair_namesakes(Pairing& pairing, std::vector<uint32_t> base, std::vector<uint32_t> head) {
  if (base.size() > 1 || head.size() > 1) {
    sort_by_path(pairing, 0, base);
    sort_by_path(pairing, 1, head);
    const auto path = [&](size_t side, uint32_t f) { return hash64(pairing.function(side, f).file); };
    const auto file = [&](size_t side, uint32_t f) { return hash64(base_of_path(pairing.function(side, f).file)); };
    const auto cost = [&](size_t side, uint32_t f) { return static_cast<uint64_t>(pairing.function(side, f).self); };
    pair_equal(pairing, base, head, path);
    pair_equal(pairing, base, head, [&](size_t side, uint32_t f) { return mix_keys(file(side, f), cost(side, f)); });
    pair_equal(pairing, base, head, file);
    pair_equal(pairing, base, head, cost);
  }
  if (base.size() == 1 && head.size() == 1 &&
      may_be_two_statics(pairing.function(0, base[0]), pairing.function(1, head[0])))
    return;
  for (size_t i = 0; i < std::min(base.size(), head.size()); ++i) pairing.add(base[i], head[i], MatchedBy::kName);
}

/// "make[abi:cxx11](int)" -> "make(int)": the compiler's mark of a type that is used, which a change of that type
/// brings or takes away.
std::string without_abi_tags(std::string_view name) {
  std::string text;
  for (size_t tag; (tag = name.find("[abi:")) != std::string_view::npos;) {
    const size_t end = name.find(']', tag);
    if (end == std::string_view::npos) break;
    text.append(name.substr(0, tag));
    name.remove_prefix(end + 1);
  }
  return text.append(name);
}

/// Key of a function that a pass leaves to later ones.
constexpr uint64_t kNoKey = 0;

/// What is matched by its name: neither an address nor a lambda, whose number shifts when another is written above it.
bool is_named(const Pairing& pairing, size_t side, uint32_t f) {
  return !pairing.is_unnamed(side, f) && !has_lambda_number(pairing.function(side, f).name);
}

uint64_t key_in_object(const Pairing& pairing, size_t side, uint32_t f) {
  return mix_keys(name_key(pairing, side, f), pairing.objects.of(side, f));
}

/// The same name and object.
void match_in_object(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    return is_named(pairing, side, f) ? key_in_object(pairing, side, f) : kNoKey;
  };
  for (auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key))
    pair_namesakes(pairing, std::move(base), std::move(head));
}

/// The same but for "[abi:cxx11]".
void match_without_abi_tags(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    if (!is_named(pairing, side, f)) return kNoKey;
    return mix_keys(hash64(without_abi_tags(pairing.function(side, f).name)), pairing.objects.of(side, f));
  };
  for (const auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key))
    if (base.size() == 1 && head.size() == 1 && pairing.function(0, base[0]).name != pairing.function(1, head[0]).name)
      pairing.add(base[0], head[0], MatchedBy::kName);
}

/// The same name in another object.
void match_anywhere(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    const std::string_view name = pairing.function(side, f).name;
    const bool everywhere = std::find(kInEveryObject.begin(), kInEveryObject.end(), name) != kInEveryObject.end();
    return everywhere || !is_named(pairing, side, f) ? kNoKey : name_key(pairing, side, f);
  };
  for (const auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key))
    if (base.size() == 1 && head.size() == 1 && pairing.objects.of(0, base[0]) != pairing.objects.of(1, head[0]))
      pairing.add(base[0], head[0], MatchedBy::kObject);
}

}  // namespace

void match_by_name(Pairing& pairing) {
  match_in_object(pairing);
  match_without_abi_tags(pairing);
  match_anywhere(pairing);
}

void match_by_raw_name(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) { return key_in_object(pairing, side, f); };
  for (auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key))
    pair_namesakes(pairing, std::move(base), std::move(head));
}

void match_by_dispatch(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    const FoldedFunction& function = pairing.function(side, f);
    const std::string_view routine = dispatched_routine(function.name);
    if (!routine.empty()) return mix_keys(hash64(routine), pairing.objects.of(side, f));
    // The variant for any processor may go by the routine's own name, which is one of C.
    if (function.name.find_first_of("(<: ") != std::string_view::npos) return kNoKey;
    if (!is_libc_string_routine(function.name, function.object)) return kNoKey;
    return mix_keys(hash64(function.name), pairing.objects.of(side, f));
  };
  for (auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key)) {
    const auto by_cost = [&](size_t side) {
      return [&pairing, side](uint32_t a, uint32_t b) {
        return pairing.function(side, a).self > pairing.function(side, b).self;
      };
    };
    std::stable_sort(base.begin(), base.end(), by_cost(0));
    std::stable_sort(head.begin(), head.end(), by_cost(1));
    for (size_t i = 0; i < std::min(base.size(), head.size()); ++i) pairing.add(base[i], head[i], MatchedBy::kDispatch);
  }
}

}  // namespace icount
