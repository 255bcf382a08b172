#include "icount/explain/allocation_changes.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

#include "icount/base/checked.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

std::vector<CallerAllocations> changed_callers(const CostGraph& base, const CostGraph& head) {
  std::map<std::string_view, CallerAllocations> all;
  const std::array sides = {&base, &head};
  for (size_t side = 0; side < 2; ++side) {
    const std::vector<AllocationCounts> counts = allocations_by_caller(*sides[side]);
    for (FunctionIndex f = 0; f < counts.size(); ++f) {
      if (counts[f].allocations == 0) continue;
      int64_t& sum = all[canonical_name(sides[side]->name(f))].allocations[side];
      sum = saturating_add(sum, counts[f].allocations);
    }
  }
  std::vector<CallerAllocations> changed;
  for (auto& [name, caller] : all) {
    caller.name = name;
    if (caller.delta() != 0) changed.push_back(std::move(caller));
  }
  std::stable_sort(changed.begin(), changed.end(), [](const CallerAllocations& a, const CallerAllocations& b) {
    return std::abs(a.delta()) > std::abs(b.delta());
  });
  return changed;
}

}  // namespace

std::optional<AllocationChange> find_allocation_change(const CostGraph& base, const CostGraph& head) {
  const auto before = count_allocations(base), now = count_allocations(head);
  if (!before || !now || *before == *now) return std::nullopt;
  return AllocationChange{{*before, *now}, changed_callers(base, head)};
}

}  // namespace icount
