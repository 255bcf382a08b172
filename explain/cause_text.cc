#include "icount/explain/cause_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "icount/base/counted.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/names_apart.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/allocation_text.h"
#include "icount/explain/edge_text.h"
#include "icount/explain/node_names.h"
#include "icount/explain/quantity_text.h"

namespace icount {
namespace {

// Inlining alone costs about what the calls did, or a part of it. What costs so many times as much inside the caller as
// its calls did does more there, and what costs so many times less does less, unless a call cost no more than that:
// little is left of a small function.
constexpr long double kMuchMore = 1.5L, kFarLess = 5, kSmall = 100;

/// Of what moved and also does more or less than before. `count`: calls of the first callee.
std::string other_work_text(const InliningMove& move, int64_t own, int64_t calls, int64_t count) {
  const long double inside = std::abs(static_cast<long double>(own)),
                    outside = std::abs(static_cast<long double>(calls));
  const bool more_inside = inside > kMuchMore * outside,
             far_less = inside > 0 && outside > kFarLess * inside && outside > kSmall * static_cast<long double>(count);
  if ((own > 0) != move.into_caller || (calls < 0) != move.into_caller || !(more_inside || far_less)) return {};
  const bool more = more_inside == move.into_caller;
  if (!move.callee_is_known) return more ? ", and more of it" : ", and less of it";
  const bool one = move.lost_edges.size() == 1;
  return fmt::format(" and {} {} {}", move.into_caller ? (one ? "does" : "do") : (one ? "costs" : "cost"),
                     more ? "more" : "less", move.into_caller ? "there" : "now");
}

std::string object_of(const SentenceSource& source, const JoinedFunction& function, size_t side) {
  return quoted(base_of_path(source.joined.sides[side]->functions[function.folded[side]].object));
}

/// "`b::f` was `a::f`", names short, but so that they differ.
std::string head_was_base(const JoinedFunction& function) {
  if (is_address_name(function.head_name) || is_address_name(function.base_name))
    return fmt::format("{} was {}", quoted(function.head_name), quoted(function.base_name));
  const std::string head_called = name_without_parameters(function.head_name),
                    base_called = name_without_parameters(function.base_name);
  const bool one_is_cut =
      short_name(function.head_name) == head_called || short_name(function.base_name) == base_called;
  if (head_called == base_called && one_is_cut) return fmt::format("`{}` changed its signature", head_called);
  const auto [head, base] = names_apart(function.head_name, function.base_name);
  return fmt::format("`{}` was `{}`", head, base);
}

/// "20 calls", "20 calls instead of 10".
std::string call_counts(int64_t before, int64_t after) {
  if (before == after) return counted(after, "call");
  return fmt::format("{} instead of {}", counted(after, "call"), with_thousands(before));
}

/// ", but more in the calls that no other cause tells of" where the average over all callers does not move the way of
/// the change: a cause of its own tells of some callers' calls, or the callers make other parts of all calls than
/// before.
std::string_view beside_the_average(const std::string& before, const std::string& after, long double change,
                                    int64_t delta) {
  const bool is_said = before != after && (change > 0) == (delta > 0);
  if (delta == 0 || is_said) return {};
  return delta > 0 ? " on average, but more in the calls that no other cause tells of"
                   : " on average, but less in the calls that no other cause tells of";
}

/// "6 -> 14"; "6" where both round to it.
std::string change_of(const std::string& before, const std::string& after) {
  return before == after ? before : fmt::format("{} -> {}", before, after);
}

std::string self_cost_figures(const SentenceSource& source, uint32_t node, int64_t delta) {
  const auto& [base, head] = source.figures.sides;
  const BothSides& self = source.condensed.graph.nodes[node].self;
  const std::string counts = call_counts(calls_at(source, 0, node), calls_at(source, 1, node));
  if (source.figures.fixed_self[node])
    return fmt::format("{} -> {} in total ({})", with_thousands(self[0]), with_thousands(self[1]), counts);
  if (const OtherCalls& others = source.figures.other_calls[node]; others.are_told) {
    const auto [before, after] = quantities(others.own_cost[0], others.own_cost[1]);
    return fmt::format("{} per call{} ({}, beside those that only one side makes)", change_of(before, after),
                       beside_the_average(before, after, others.own_cost[1] - others.own_cost[0], delta),
                       call_counts(std::llround(others.calls[0]), std::llround(others.calls[1])));
  }
  const auto [before, after] = quantities(base.own_cost[node], head.own_cost[node]);
  const std::string_view beside = beside_the_average(before, after, head.own_cost[node] - base.own_cost[node], delta);
  if (base.calls[node] == 1 && head.calls[node] == 1 && beside.empty()) return fmt::format("{} -> {}", before, after);
  const std::string_view into = source.condensed.members[node].size() > 1 ? " into the cycle" : "";
  return fmt::format("{} per call{}{} ({})", change_of(before, after), into, beside, counts);
}

}  // namespace

SentenceSource make_sentence_source(const JoinedGraph& joined, const OpenedFlow& flow) {
  std::vector<std::string> function_names = name_functions(joined);
  std::vector<uint32_t> leaders = leaders_of(joined, flow.condensed);
  std::vector<std::string> names = name_nodes(flow.condensed, leaders, function_names);
  return {joined,
          flow.condensed,
          flow.figures,
          std::move(function_names),
          std::move(leaders),
          std::move(names),
          name_nodes_again(joined, flow.condensed),
          find_leading_calls(joined, flow.condensed)};
}

std::vector<LeadingCall> find_leading_calls(const JoinedGraph& joined, const CondensedFlow& condensed) {
  std::vector<LeadingCall> leading(condensed.graph.edges.size());
  const auto change = [&](uint32_t e) {
    const BothSides& calls = joined.flow.edges[e].calls;
    return std::abs(static_cast<long double>(calls[1]) - static_cast<long double>(calls[0]));
  };
  for (uint32_t e = 0; e < joined.flow.edges.size(); ++e) {
    const uint32_t caller = condensed.node_of[joined.flow.edges[e].caller],
                   callee = condensed.entered_by[joined.flow.edges[e].callee];
    if (condensed.members[caller].size() == 1 && condensed.members[callee].size() == 1) continue;
    const auto edges = condensed.graph.edges_of(caller);
    const auto at = std::lower_bound(edges.begin(), edges.end(), callee,
                                     [](const FlowEdge& edge, uint32_t node) { return edge.callee < node; });
    if (at == edges.end() || at->callee != callee) continue;
    LeadingCall& most = leading[static_cast<size_t>(&*at - condensed.graph.edges.data())];
    if (most.edge == LeadingCall::kNoEdge || change(e) > change(most.edge)) most.edge = e;
    most.all += change(e);
  }
  constexpr long double kNearlyAll = 0.9L;
  for (LeadingCall& of : leading) of.is_all = of.all > 0 && change(of.edge) >= kNearlyAll * of.all;
  return leading;
}

std::string node_label(const SentenceSource& source, uint32_t node) {
  const auto& members = source.condensed.members[node];
  if (members.size() == 1) return std::string(source.joined.functions[members.front()].name);
  return fmt::format("cycle of {} and {} more", source.joined.functions[source.leaders[node]].name, members.size() - 1);
}

std::string member_text(const SentenceSource& source, uint32_t node, uint32_t member) {
  const auto& [base, head] = source.figures.sides;
  const BothSides& self = source.joined.flow.nodes[member].self;
  const std::string& name = source.function_names[member];
  if (source.figures.fixed_self[node] || base.calls[node] == 0 || head.calls[node] == 0)
    return fmt::format("self cost of {}: {} -> {} in total", name, with_thousands(self[0]), with_thousands(self[1]));
  const auto [before, after] = quantities(static_cast<long double>(self[0]) / base.calls[node],
                                          static_cast<long double>(self[1]) / head.calls[node]);
  return fmt::format("self cost of {}: {} -> {} per call into the cycle", name, before, after);
}

std::string self_cost_text(const SentenceSource& source, uint32_t node, int64_t delta) {
  if (is_about_allocations(source)) return own_allocations_text(source, node);
  return fmt::format("self cost of {}: {}", source.names[node], self_cost_figures(source, node, delta));
}

std::string calls_text(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const auto& [base, head] = source.figures.joined_prices[edge];
  if (base == 0 && head == 0) return edge_text(source, edge) + leading_members(source, edge);
  const auto [before, after] = quantities(base, head);
  if (flow.calls[0] == flow.calls[1])
    return fmt::format("calls of {} by {} cost {} each instead of {} ({})", source.names[flow.callee],
                       source.names[flow.caller], after, before, counted(flow.calls[1], "call"));
  return fmt::format("{}{}; a call costs {} instead of {}", edge_text(source, edge), leading_members(source, edge),
                     after, before);
}

std::string entry_text(const SentenceSource& source, uint32_t node) {
  const BothSides& entries = source.condensed.graph.nodes[node].entries;
  const std::string& name = source.names[node];
  if (entries[0] == 0) return fmt::format("{} is now entered from outside the profile", name);
  if (entries[1] == 0) return fmt::format("{} is no longer entered from outside the profile", name);
  return fmt::format("{} is entered from outside the profile {} instead of {}", name, times(with_thousands(entries[1])),
                     with_thousands(entries[0]));
}

std::string renamed_text(const SentenceSource& source, uint32_t function, uint32_t node, int64_t delta) {
  const JoinedFunction& renamed = source.joined.functions[function];
  std::string what;
  switch (renamed.by) {
    case MatchedBy::kDispatch:
      what =
          fmt::format("dispatch changed: {} runs instead of {}", quoted(renamed.head_name), quoted(renamed.base_name));
      break;
    case MatchedBy::kObject:
      what = fmt::format("{} now comes from {} instead of {}", quoted(renamed.head_name), object_of(source, renamed, 1),
                         object_of(source, renamed, 0));
      break;
    default:
      what = fmt::format("{} ({})", head_was_base(renamed), renamed.evidence);
  }
  const auto& [base, head] = source.figures.sides;
  if (node == SentenceSource::kNoNode || base.own_cost[node] == head.own_cost[node]) return what;
  return fmt::format("{}: self cost {}", what, self_cost_figures(source, node, delta));
}

std::string inlined_text(const SentenceSource& source, const InliningMove& move, int64_t own, int64_t calls) {
  const FlowEdge& first = source.condensed.graph.edges[move.lost_edges.front()];
  const std::string &caller = source.names[move.caller], &callee = source.names[first.callee];
  const size_t others = move.lost_edges.size() - 1;
  const std::string callees = others == 0 ? callee : fmt::format("{} and {} more", callee, others);
  const std::string_view are = others == 0 ? "is" : "are";
  std::string what =
      fmt::format("{} {} {} inlined into {}", callees, are, move.into_caller ? "now" : "no longer", caller);
  if (!move.into_caller && !move.callee_is_known)
    what = fmt::format("{} now calls {} for work that it did itself (split off or no longer inlined)", caller, callees);
  if (move.into_caller && !move.callee_is_known)
    what = fmt::format("{} now does the work of {} itself (inlined or merged)", caller, callees);
  const int64_t count = std::abs(first.calls[1] - first.calls[0]);
  what += move.rest_edge ? fmt::format(", which {} {} for the rest", move.into_caller ? "now calls" : "called",
                                       source.names[source.condensed.graph.edges[*move.rest_edge].callee])
                         : other_work_text(move, own, calls, count);
  const auto signed_part = [](int64_t value) {
    return fmt::format("{} {}", value < 0 ? "-" : "+", with_thousands(std::abs(value)));
  };
  const int64_t head = move.into_caller ? own : calls, tail = move.into_caller ? calls : own;
  return fmt::format("{}: {} {} = {} ({} {} of {})", what, with_sign(head), signed_part(tail), with_sign(own + calls),
                     with_thousands(count),
                     fmt::format("{} call{}", move.into_caller ? "fewer" : "more", count == 1 ? "" : "s"),
                     callee == caller ? callee : source.names_again[first.callee]);
}

std::string saved_calls_text(const SentenceSource& source, const InliningMove& move, const SavedCalls& calls) {
  const FlowEdge& edge = source.condensed.graph.edges[calls.edge];
  const std::string often = times(with_thousands(calls.calls));
  const std::string what = move.into_caller
                               ? fmt::format("no longer calls {} (was {})", source.names[edge.callee], often)
                               : fmt::format("now calls {} {}", source.names[edge.callee], often);
  return fmt::format("{}, {} inlined into {}, {}", source.names[edge.caller], move.into_caller ? "now" : "no longer",
                     source.names[move.caller], what);
}

std::string saved_calls_apart_text(const SentenceSource& source, const SavedCalls& calls) {
  const FlowEdge& edge = source.condensed.graph.edges[calls.edge];
  return fmt::format("told apart: calls of {} by {}", source.names[edge.callee], source.names[edge.caller]);
}

std::string total_cost_text(const JoinedGraph& joined, const JoinedFunction& function, BothSides self) {
  const bool renamed = function.by == MatchedBy::kEvidence || function.by == MatchedBy::kDispatch;
  const std::string was = renamed ? fmt::format(" (was {})", quoted(function.base_name)) : "";
  return fmt::format("self cost of {}{}: {} -> {} in total", quoted(joined, function.name), was,
                     with_thousands(self[0]), with_thousands(self[1]));
}

}  // namespace icount
