#include "icount/explain/claims/noise_fold.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

// What its routines cost their callers ask for: an allocator or a loader may be noise as a whole.
constexpr std::string_view kStrings = "libc strings";

Cause group_of(std::string_view name, std::vector<Cause> members) {
  Cause group;
  group.kind = CauseKind::kGroup;
  group.function = name;
  sort_causes(members);
  for (const Cause& member : members) group.delta = saturating_add(group.delta, member.delta);
  group.facts = fact::Group{};
  group.inside = std::move(members);
  return group;
}

}  // namespace

void sort_causes(std::vector<Cause>& causes) {
  const auto magnitude = [](const Cause& cause) {
    return cause.delta < 0 ? 0 - static_cast<uint64_t>(cause.delta) : static_cast<uint64_t>(cause.delta);
  };
  std::vector<std::pair<uint64_t, uint32_t>> order;  // causes are large; their places are sorted instead
  order.reserve(causes.size());
  for (uint32_t i = 0; i < causes.size(); ++i) order.emplace_back(magnitude(causes[i]), i);
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    const Cause &left = causes[a.second], &right = causes[b.second];
    return std::tie(left.kind, left.function, left.caller, left.callee, a.second) <
           std::tie(right.kind, right.function, right.caller, right.callee, b.second);
  });
  std::vector<Cause> sorted;
  sorted.reserve(causes.size());
  for (const auto& [size, at] : order) sorted.push_back(std::move(causes[at]));
  causes = std::move(sorted);
  for (Cause& cause : causes) sort_causes(cause.inside);
}

std::vector<Cause> fold_noise(std::vector<GroupedCause> causes, int64_t delta) {
  const auto is_most = [&](const Cause& cause) {
    const auto whole = static_cast<long double>(delta), part = static_cast<long double>(cause.delta);
    return part * whole > 0 && std::abs(part) > std::abs(whole) / 2 && std::abs(part) < 2 * std::abs(whole);
  };
  std::vector<Cause> result;
  std::map<std::string_view, std::vector<Cause>> groups;
  for (GroupedCause& grouped : causes) {
    if (grouped.group.empty() || (grouped.group == kStrings && is_most(grouped.cause))) {
      result.push_back(std::move(grouped.cause));
    } else {
      groups[grouped.group].push_back(std::move(grouped.cause));
    }
  }
  for (auto& [name, members] : groups) {
    if (members.size() == 1) {
      result.push_back(std::move(members.front()));
    } else {
      result.push_back(group_of(name, std::move(members)));
    }
  }
  return result;
}

namespace {

/// The noise group that all members are in; empty where they are not in one.
std::string_view group_of_members(const JoinedGraph& joined, const std::vector<uint32_t>& members) {
  const auto group = [&](uint32_t member) { return noise_group_of(joined, joined.functions[member]); };
  const std::string_view first = group(members.front());
  for (uint32_t member : members)
    if (first.empty() || group(member) != first) return {};
  return first;
}

}  // namespace

MatchedBy matched_by(const JoinedGraph& joined, const OpenedFlow& flow, uint32_t node) {
  const auto& members = flow.condensed.members[node];
  return members.size() == 1 ? joined.functions[members.front()].by : MatchedBy::kName;
}

bool matched_silently(MatchedBy by) {
  return by == MatchedBy::kNothing || by == MatchedBy::kName || by == MatchedBy::kPlace;
}

void tell_by_caller(const JoinedGraph& joined, OpenedFlow& flow, int64_t delta) {
  const FlowGraph& graph = flow.condensed.graph;
  std::vector<Term>& terms = flow.figures.terms;
  const auto term_of = [&](TermKind kind, uint32_t index) -> Term& {
    for (Term& term : terms)
      if (term.kind == kind && term.index == index) return term;
    return terms.emplace_back(Term{kind, index, 0});
  };
  for (const CallerShare& share : flow.figures.caller_shares) {
    const uint32_t node = graph.edges[share.edge].callee;
    const long double before = share.own_cost[0], after = share.own_cost[1];
    if (std::abs(share.value) < kHardly * std::abs(static_cast<long double>(delta)) ||
        std::abs(after - before) < kLittle * std::max(before, after) || !graph.edges_of(node).empty() ||
        group_of_members(joined, flow.condensed.members[node]).empty())
      continue;
    term_of(TermKind::kOwnCost, node).value -= share.value;
    term_of(TermKind::kCalls, share.edge).value += share.value;
    flow.figures.joined_prices[share.edge] = share.own_cost;
  }
}

std::string_view TermGroups::of_term(const Term& term) {
  const bool calls = term.kind == TermKind::kCalls;
  if (calls && binds_a_symbol(flow_.condensed.graph.edges[term.index].callee))
    return of_node(flow_.condensed.graph.edges[term.index].callee);
  const uint32_t node = node_of(flow_.condensed.graph, term);
  if (term.kind == TermKind::kOwnCost && !matched_silently(matched_by(joined_, flow_, node))) return {};
  const std::string_view group = of_node(node);
  if (calls && !group.empty() && !is_inside_groups(flow_.condensed.graph.edges[term.index].callee)) return {};
  return group;
}

std::string_view TermGroups::of_node(uint32_t node) {
  if (groups_.empty()) groups_.resize(flow_.condensed.graph.nodes.size());
  if (groups_[node]) return *groups_[node];
  groups_[node] = group_of_members(joined_, flow_.condensed.members[node]);
  return *groups_[node];
}

/// Whose call happens to be the first one of a library's function, and pays for its lazy binding, means nothing.
bool TermGroups::binds_a_symbol(uint32_t callee) const {
  const auto& members = flow_.condensed.members[callee];
  if (members.size() != 1) return false;
  const JoinedFunction& function = joined_.functions[members.front()];
  constexpr std::string_view kResolver = "_dl_runtime_resolve";
  return (function.base_name.empty() || function.base_name.starts_with(kResolver)) &&
         (function.head_name.empty() || function.head_name.starts_with(kResolver));
}

/// Whether most of what a call is worth lies in groups: pthread_once calls anything.
bool TermGroups::is_inside_groups(uint32_t node) {
  long double worth = 0, inside = 0;
  for (size_t side = 0; side < 2; ++side) {
    worth += flow_.figures.sides[side].worth[node];
    inside += worth_in_groups(side, node);
  }
  return inside >= worth / 2;
}

long double TermGroups::worth_in_groups(size_t side, uint32_t node) {
  if (of_node(node).empty()) return 0;
  const auto [known, fresh] = worth_in_groups_[side].try_emplace(node, 0);
  if (!fresh) return known->second;
  const SideFigures& of = flow_.figures.sides[side];
  long double worth = of.own_cost[node];
  const FlowGraph& graph = flow_.condensed.graph;
  for (uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e)
    if (graph.edges[e].callee != node && of.calls_per_call[e] > 0)
      worth += of.calls_per_call[e] * worth_in_groups(side, graph.edges[e].callee);
  return worth_in_groups_[side][node] = worth;
}

}  // namespace icount
