#include "icount/explain/allocator_change.h"

#include <algorithm>
#include <map>

#include "icount/callgraph/allocations.h"
#include "icount/callgraph/noise_groups.h"

namespace icount {
namespace {

// A side's allocator is the library that has this part of what all of them cost there.
constexpr long double kNearlyAll = 0.9L;

/// What each function of the joined graph is part of, by side; empty for others.
using Libraries = std::vector<std::array<std::string_view, 2>>;

Libraries libraries_of(const JoinedGraph& joined) {
  Libraries libraries(joined.functions.size());
  for (size_t i = 0; i < libraries.size(); ++i)
    for (size_t side = 0; side < 2; ++side)
      if (const uint32_t f = joined.functions[i].folded[side]; f != kNoFunction) {
        const FoldedFunction& function = joined.sides[side]->functions[f];
        libraries[i][side] = allocator_library_of(function.name, function.object);
      }
  return libraries;
}

std::string_view chief_library(const JoinedGraph& joined, const Libraries& libraries, size_t side) {
  std::map<std::string_view, long double> costs;
  long double all = 0;
  for (size_t i = 0; i < libraries.size(); ++i)
    if (!libraries[i][side].empty()) {
      const auto cost = static_cast<long double>(joined.flow.nodes[i].self[side]);
      costs[libraries[i][side]] += cost;
      all += cost;
    }
  for (const auto& [library, cost] : costs)
    if (cost > 0 && cost >= kNearlyAll * all) return library;
  return {};
}

}  // namespace

std::optional<AllocatorChange> find_allocator_change(const JoinedGraph& joined, const OpenedFlow& flow,
                                                     const std::vector<bool>& taken) {
  const Libraries libraries = libraries_of(joined);
  AllocatorChange change;
  for (size_t side = 0; side < 2; ++side) {
    change.libraries[side] = chief_library(joined, libraries, side);
    if (change.libraries[side].empty()) return std::nullopt;
  }
  if (change.libraries[0] == change.libraries[1]) return std::nullopt;
  const FlowGraph& graph = flow.condensed.graph;
  const auto is_in_library = [&](uint32_t node) {
    const auto& members = flow.condensed.members[node];
    return std::any_of(members.begin(), members.end(), [&](uint32_t member) {
      return libraries[member][0] == change.libraries[0] || libraries[member][1] == change.libraries[1];
    });
  };
  // operator new of the C++ library is no part of either, but what it calls is.
  const auto is_allocator = [&](uint32_t node) {
    const JoinedFunction& function = joined.functions[flow.condensed.members[node].front()];
    return is_in_library(node) || noise_group_of(joined, function) == kAllocatorGroup;
  };
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    bool is_of_change = false;
    if (term.kind == TermKind::kCalls) {
      const FlowEdge& edge = graph.edges[term.index];
      const bool on_one_side = only_side(edge).has_value();
      is_of_change = is_allocator(edge.caller) || (on_one_side && is_allocator(edge.callee));
    } else {
      is_of_change = is_allocator(term.index);
    }
    if (is_of_change && !taken[i]) change.terms.push_back(i);
  }
  if (change.terms.size() < 2) return std::nullopt;
  return change;
}

}  // namespace icount
