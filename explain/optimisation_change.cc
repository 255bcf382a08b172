#include "icount/explain/optimisation_change.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace icount {
namespace {

// So many functions are gone at least, and so many more than came.
constexpr size_t kFewestGone = 8, kGoneForEachNew = 4;
// Parts of the functions: gone ones of all, and of those that both sides have the ones with another cost per call.
constexpr double kGone = 0.5, kChanged = 0.75;
// Of so many common functions at least, this part has another cost per call where the object was built differently.
constexpr size_t kFewestCommon = 10;
constexpr double kOtherBuild = 0.5;
// Options inline or split off functions, so that mostly one side has some of its own. Where both have more than this
// part of the common ones for themselves the source is another: a sum of it all would hide what changed.
constexpr double kOtherCode = 0.25;
// Another cost per call differs by more than this part.
constexpr double kOtherCost = 0.02;

/// The functions of one object, by the side that has them.
struct Functions {
  std::array<size_t, 2> alone{};
  size_t common = 0, changed = 0;
  std::array<std::string_view, 2> objects;
};

bool costs_something_else(const FlowNode& node, const BothSides& calls) {
  const auto per_call = [&](size_t side) {
    return static_cast<double>(node.self[side]) / static_cast<double>(std::max<int64_t>(calls[side], 1));
  };
  const double base = per_call(0), head = per_call(1);
  return std::abs(head - base) > kOtherCost * std::max(base, head);
}

bool inlines_less(const Functions& functions, size_t side) {
  const size_t gone = functions.alone[side], all = gone + functions.common;
  return gone >= kFewestGone && gone >= kGoneForEachNew * functions.alone[1 - side] &&
         static_cast<double>(gone) >= kGone * static_cast<double>(all) && functions.common > 1 &&
         static_cast<double>(functions.changed) >= kChanged * static_cast<double>(functions.common);
}

/// By object, which goes by its path in base, or in head where base has nothing of it.
std::map<std::string_view, Functions> functions_of(const JoinedGraph& joined) {
  const auto object_of = [&](const JoinedFunction& function, size_t side) {
    return joined.sides[side]->functions[function.folded[side]].object;
  };
  const auto is_on = [](const JoinedFunction& function, size_t side) { return function.folded[side] != kNoFunction; };
  std::map<std::string_view, std::string_view> in_base;
  for (const JoinedFunction& function : joined.functions)
    if (is_on(function, 0) && is_on(function, 1)) in_base.try_emplace(object_of(function, 1), object_of(function, 0));
  const std::vector<BothSides> calls = calls_of(joined.flow);
  std::map<std::string_view, Functions> by_object;
  for (size_t i = 0; i < joined.functions.size(); ++i) {
    const JoinedFunction& function = joined.functions[i];
    const bool base = is_on(function, 0), head = is_on(function, 1);
    std::string_view object = object_of(function, base ? 0 : 1);
    if (!base)
      if (const auto at = in_base.find(object); at != in_base.end()) object = at->second;
    Functions& functions = by_object[object];
    if (base) functions.objects[0] = object_of(function, 0);
    if (head) functions.objects[1] = object_of(function, 1);
    if (base && head) {
      ++functions.common;
      functions.changed += costs_something_else(joined.flow.nodes[i], calls[i]);
    } else {
      ++functions.alone[base ? 0 : 1];
    }
  }
  return by_object;
}

}  // namespace

std::vector<OptimisationChange> find_optimisation_changes(const JoinedGraph& joined) {
  std::vector<OptimisationChange> found;
  for (const auto& [object, functions] : functions_of(joined))
    for (size_t side = 0; side < 2; ++side)
      if (inlines_less(functions, side))
        found.push_back({functions.objects, side, functions.alone[side], functions.alone[side] + functions.common});
  return found;
}

std::vector<OtherBuild> find_other_builds(const JoinedGraph& joined) {
  std::vector<OtherBuild> found;
  for (const auto& [object, functions] : functions_of(joined)) {
    const auto common = static_cast<double>(functions.common);
    if (functions.common >= kFewestCommon && static_cast<double>(functions.changed) >= kOtherBuild * common &&
        static_cast<double>(std::min(functions.alone[0], functions.alone[1])) <= kOtherCode * common)
      found.push_back({functions.objects, functions.alone, functions.common, functions.changed});
  }
  return found;
}

}  // namespace icount
