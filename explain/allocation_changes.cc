#include "icount/explain/allocation_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>
#include <unordered_set>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/node_names.h"
#include "icount/explain/quantity_text.h"

namespace icount {
namespace {

/// One function's part on one side.
struct Caller {
  int64_t allocations = 0;
  int64_t entries = 0;  ///< calls of the function
};

struct ChangedCaller {
  std::string name;
  Caller base, head;
  int64_t delta() const { return head.allocations - base.allocations; }
};

using Names = std::unordered_set<std::string_view>;

/// Functions that allocate.
void add_names(const CostGraph& graph, const std::vector<AllocationCounts>& counts, Names& names) {
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (counts[f].allocations != 0) names.insert(canonical_name(graph.name(f)));
}

std::map<std::string_view, Caller> callers_of(const CostGraph& graph, const std::vector<AllocationCounts>& counts,
                                              const Names& names) {
  const std::vector<int64_t> entries = calls_into(graph);
  std::map<std::string_view, Caller> callers;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const std::string_view name = canonical_name(graph.name(f));
    if (!names.contains(name)) continue;
    Caller& caller = callers[name];
    caller.allocations = saturating_add(caller.allocations, counts[f].allocations);
    caller.entries = saturating_add(caller.entries, entries[f]);
  }
  return callers;
}

std::vector<ChangedCaller> changed_callers(const CostGraph& base, const CostGraph& head) {
  const std::vector<AllocationCounts> before = allocations_by_caller(base), now = allocations_by_caller(head);
  Names names;
  add_names(base, before, names);
  add_names(head, now, names);
  std::map<std::string_view, ChangedCaller> all;
  for (const auto& [name, caller] : callers_of(base, before, names)) all[name].base = caller;
  for (const auto& [name, caller] : callers_of(head, now, names)) all[name].head = caller;
  std::vector<ChangedCaller> changed;
  for (auto& [name, caller] : all) {
    caller.name = quoted(name);
    if (caller.delta() != 0) changed.push_back(std::move(caller));
  }
  std::stable_sort(changed.begin(), changed.end(), [](const ChangedCaller& a, const ChangedCaller& b) {
    return std::abs(a.delta()) > std::abs(b.delta());
  });
  return changed;
}

std::string rate_text(const Caller& caller) {
  if (caller.entries == 0) return with_thousands(caller.allocations);
  const double rate = static_cast<double>(caller.allocations) / static_cast<double>(caller.entries);
  return rate == std::floor(rate) ? with_thousands(static_cast<int64_t>(rate)) : fmt::format("{:.3g}", rate);
}

std::string sentence(const ChangedCaller& caller) {
  const bool by_call = caller.base.entries > 0 && caller.head.entries > 0;
  const std::string per_call = caller.head.entries > 0 ? " per call" : "";
  if (caller.base.allocations == 0)
    return fmt::format("{} now allocates {}{}", caller.name, times(rate_text(caller.head)), per_call);
  if (caller.head.allocations == 0) return fmt::format("{} no longer allocates", caller.name);
  const bool is_rare = caller.base.allocations < caller.base.entries || caller.head.allocations < caller.head.entries;
  if (by_call && is_rare)
    return fmt::format("{} allocates {} instead of {} ({} calls instead of {})", caller.name,
                       times(with_thousands(caller.head.allocations)), with_thousands(caller.base.allocations),
                       with_thousands(caller.head.entries), with_thousands(caller.base.entries));
  const std::string before = rate_text(caller.base), now = rate_text(caller.head);
  if (by_call && before == now)
    return fmt::format("{} is called {} times instead of {} and allocates {} per call", caller.name,
                       with_thousands(caller.head.entries), with_thousands(caller.base.entries), times(now));
  return fmt::format("{} allocates {} instead of {}{}", caller.name, times(now), before, per_call);
}

std::string total_text(int64_t total, int64_t runs) {
  if (runs <= 1) return with_thousands(total);
  const double each = static_cast<double>(total) / static_cast<double>(runs);
  return each == std::floor(each) ? with_thousands(static_cast<int64_t>(each)) : fmt::format("{:.4g}", each);
}

std::string change_text(std::string_view what, int64_t base, int64_t head, int64_t runs) {
  return fmt::format("{} {} -> {}{}", what, total_text(base, runs), total_text(head, runs), runs > 1 ? " per run" : "");
}

}  // namespace

std::vector<std::string> allocation_changes(const CostGraph& base, const CostGraph& head, int64_t runs, size_t most) {
  const auto before = count_allocations(base), now = count_allocations(head);
  if (!before || !now || *before == *now) return {};
  std::string text = change_text(kAllocations, before->allocations, now->allocations, runs);
  if (now->allocations - before->allocations != now->frees - before->frees)
    text += before->frees == now->frees ? std::string(", frees unchanged")
                                        : ", " + change_text(kFrees, before->frees, now->frees, runs);
  const std::vector<ChangedCaller> changed = changed_callers(base, head);
  for (size_t i = 0; i < changed.size() && i < most; ++i) text += (i == 0 ? ": " : "; ") + sentence(changed[i]);
  if (changed.size() > most) text += fmt::format("; and {} more", changed.size() - most);
  return {text};
}

}  // namespace icount
