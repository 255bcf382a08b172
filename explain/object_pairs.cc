#include "icount/explain/object_pairs.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "icount/base/hash.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"

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

}  // namespace icount
