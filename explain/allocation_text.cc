#include "icount/explain/allocation_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/counted.h"
#include "icount/base/text.h"
#include "icount/callgraph/allocation_graph.h"
#include "icount/callgraph/allocations.h"
#include "icount/explain/quantity_text.h"

namespace icount {
namespace {

/// A function of the allocator; of a cycle, any of its functions.
bool is_allocator(const SentenceSource& source, uint32_t node) {
  const auto& members = source.condensed.members[node];
  return std::any_of(members.begin(), members.end(), [&](uint32_t member) {
    const JoinedFunction& function = source.joined.functions[member];
    return is_part_of_allocator(function.name, function.object);
  });
}

/// "20 calls", "20 calls instead of 10".
std::string call_counts(int64_t before, int64_t after) {
  return before == after ? counted(after, "call")
                         : fmt::format("{} instead of {}", counted(after, "call"), with_thousands(before));
}

}  // namespace

std::string calling_text(const SentenceSource& source, uint32_t edge, bool callee_is_named) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const auto& callee = source.condensed.members[flow.callee];
  const std::string_view function = callee.size() == 1 ? source.joined.functions[callee.front()].name : "";
  // Asked first: few calls enter an allocator, and whether the caller is a part of one takes long to find out.
  if (allocator_entry_of(function) == AllocatorEntry::kNone || is_allocator(source, flow.caller))
    return "calls " + source.names[flow.callee];
  return calling_text(function, callee_is_named ? std::string() : source.names[flow.callee]);
}

std::string calling_text(std::string_view callee_function, const std::string& callee) {
  const AllocatorEntry entry = allocator_entry_of(callee_function);
  if (entry == AllocatorEntry::kNone) return "calls " + callee;
  const std::string verb = entry == AllocatorEntry::kAllocates ? "allocates" : "frees";
  return callee.empty() ? verb : fmt::format("{} with {}", verb, callee);
}

bool is_about_allocations(const SentenceSource& source) {
  return is_allocation_event(source.joined.sides[0]->graph->events[source.joined.sides[0]->event]);
}

std::string own_allocations_text(const SentenceSource& source, uint32_t node) {
  const FoldedGraph& side = *source.joined.sides[0];
  const std::string verb = side.graph->events[side.event] == kAllocations ? "allocates" : "frees";
  const std::string& name = source.names[node];
  const auto& [base, head] = source.figures.sides;
  const BothSides& self = source.condensed.graph.nodes[node].self;
  const auto before_calls = static_cast<int64_t>(base.calls[node]), calls = static_cast<int64_t>(head.calls[node]);
  const bool in_total = source.figures.fixed_self[node] || (before_calls == 1 && calls == 1);
  const auto [before, after] = in_total ? std::pair(with_thousands(self[0]), with_thousands(self[1]))
                                        : quantities(base.own_cost[node], head.own_cost[node]);
  const std::string_view per_call = in_total ? "" : " per call";
  if (self[1] == 0)
    return fmt::format("{} no longer {} (was {}{}, {})", name, verb, times(before), per_call,
                       counted(before_calls, "call"));
  const std::string counts =
      before_calls == 1 && calls == 1 ? std::string() : fmt::format(" ({})", call_counts(before_calls, calls));
  if (self[0] == 0) return fmt::format("{} now {} {}{}{}", name, verb, times(after), per_call, counts);
  return fmt::format("{} {} {}{} instead of {}{}", name, verb, times(after), per_call, before, counts);
}

}  // namespace icount
