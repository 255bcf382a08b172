#include "icount/explain/optimisation_change.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "icount/callgraph/python_calls.h"
#include "icount/explain/object_pairs.h"
#include "icount/explain/producer_change.h"

namespace icount {
namespace {

// So many functions are gone at least, and so many more than came.
constexpr size_t kFewestGone = 8, kGoneForEachNew = 4;
// Parts of the functions: gone ones of all, and of those that both sides have the ones with another cost per call.
constexpr double kGone = 0.5, kChanged = 0.75;
// Of so many common functions at least, this part has another cost per call where the object was built differently.
constexpr size_t kFewestCommon = 10;
constexpr double kOtherBuild = 0.5;
// Where debug information says that it was, so many functions are enough, and this part of the common ones.
constexpr size_t kFewestOfKnown = 3;
constexpr double kKnownBuild = 0.25;
// Options inline or split off functions, so that mostly one side has some of its own. Where both have more than this
// part of the common ones for themselves the source is another: a sum of it all would hide what changed.
constexpr double kOtherCode = 0.25;
// Another cost per call differs by more than this part.
constexpr double kOtherCost = 0.02;
// Options change what a call costs. Calls that differ by more than this part do other work.
constexpr double kAsOften = 0.1;

/// The functions of one object, by the side that has them.
struct Functions {
  std::array<size_t, 2> alone{};
  size_t common = 0, changed = 0;
  size_t changed_alone = 0;  ///< changed ones that both sides call as often
  std::array<std::string_view, 2> objects;
};

bool is_called_as_often(const BothSides& calls) {
  const auto [less, more] = std::minmax(calls[0], calls[1]);
  return static_cast<double>(more) - static_cast<double>(less) <= kAsOften * static_cast<double>(more);
}

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

/// Of a language whose functions lie in no object that somebody built, as Python's and, in xdebug's files, PHP's.
bool is_interpreted(const JoinedGraph& joined, size_t side, uint32_t function) {
  if (function == kNoFunction) return false;
  const std::string_view object = joined.sides[side]->functions[function].object;
  return object == kPythonObject || object.empty();
}

/// By object (explain/object_pairs.h), in an order that does not depend on the sides. A function that comes from
/// another library on the other side says nothing about either; interpreted functions are not built.
std::vector<Functions> functions_of(const JoinedGraph& joined) {
  const ObjectPairs pairs(*joined.sides[0], *joined.sides[1]);
  const std::vector<BothSides> calls = calls_of(joined.flow);
  std::map<ObjectClass, Functions> by_object;
  for (size_t i = 0; i < joined.functions.size(); ++i) {
    const auto& folded = joined.functions[i].folded;
    const auto object = [&](size_t side) { return pairs.of(side, folded[side]); };
    const bool base = folded[0] != kNoFunction, head = folded[1] != kNoFunction;
    if (is_interpreted(joined, 0, folded[0]) || is_interpreted(joined, 1, folded[1])) continue;
    if (base && head && object(0) != object(1)) continue;
    Functions& functions = by_object[object(base ? 0 : 1)];
    for (size_t side = 0; side < 2; ++side)
      if (folded[side] != kNoFunction) functions.objects[side] = joined.sides[side]->functions[folded[side]].object;
    if (base && head) {
      ++functions.common;
      const bool changed = costs_something_else(joined.flow.nodes[i], calls[i]);
      functions.changed += changed;
      functions.changed_alone += changed && is_called_as_often(calls[i]);
    } else {
      ++functions.alone[base ? 0 : 1];
    }
  }
  std::vector<Functions> all;
  for (const auto& [object, functions] : by_object) all.push_back(functions);
  std::sort(all.begin(), all.end(), [](const Functions& a, const Functions& b) {
    const auto key = [](const Functions& of) {
      return std::pair(std::min(of.objects[0], of.objects[1]), std::max(of.objects[0], of.objects[1]));
    };
    return key(a) < key(b);
  });
  return all;
}

bool looks_otherwise_built(const Functions& functions) {
  const auto common = static_cast<double>(functions.common);
  return functions.common >= kFewestCommon && static_cast<double>(functions.changed_alone) >= kOtherBuild * common &&
         static_cast<double>(std::min(functions.alone[0], functions.alone[1])) <= kOtherCode * common;
}

bool is_known_to_be(const JoinedGraph& joined, const Functions& functions) {
  return functions.changed >= kFewestOfKnown &&
         static_cast<double>(functions.changed) >= kKnownBuild * static_cast<double>(functions.common) &&
         !producer_change(joined, functions.objects).empty();
}

}  // namespace

std::vector<OptimisationChange> find_optimisation_changes(const JoinedGraph& joined) {
  std::vector<OptimisationChange> found;
  for (const Functions& functions : functions_of(joined))
    for (size_t side = 0; side < 2; ++side)
      if (inlines_less(functions, side))
        found.push_back({functions.objects, side, functions.alone[side], functions.alone[side] + functions.common});
  return found;
}

std::vector<OtherBuild> find_other_builds(const JoinedGraph& joined) {
  std::vector<OtherBuild> found;
  for (const Functions& functions : functions_of(joined))
    if (looks_otherwise_built(functions) || is_known_to_be(joined, functions))
      found.push_back({functions.objects, functions.alone, functions.common, functions.changed});
  return found;
}

}  // namespace icount
