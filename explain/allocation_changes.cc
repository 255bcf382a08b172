#include "icount/explain/allocation_changes.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <unordered_set>

#include "icount/base/checked.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

using Names = std::unordered_set<std::string_view>;

/// Functions that allocate.
void add_names(const CostGraph& graph, const std::vector<AllocationCounts>& counts, Names& names) {
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (counts[f].allocations != 0) names.insert(canonical_name(graph.name(f)));
}

std::map<std::string_view, AllocatingCaller> callers_of(const CostGraph& graph,
                                                        const std::vector<AllocationCounts>& counts,
                                                        const Names& names) {
  const std::vector<int64_t> entries = calls_into(graph);
  std::map<std::string_view, AllocatingCaller> callers;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const std::string_view name = canonical_name(graph.name(f));
    if (!names.contains(name)) continue;
    AllocatingCaller& caller = callers[name];
    caller.allocations = saturating_add(caller.allocations, counts[f].allocations);
    caller.entries = saturating_add(caller.entries, entries[f]);
  }
  return callers;
}

std::vector<CallerAllocations> changed_callers(const CostGraph& base, const CostGraph& head) {
  const std::vector<AllocationCounts> before = allocations_by_caller(base), now = allocations_by_caller(head);
  Names names;
  add_names(base, before, names);
  add_names(head, now, names);
  std::map<std::string_view, CallerAllocations> all;
  for (const auto& [name, caller] : callers_of(base, before, names)) all[name].sides[0] = caller;
  for (const auto& [name, caller] : callers_of(head, now, names)) all[name].sides[1] = caller;
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
