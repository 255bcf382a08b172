#include "icount/explain/cause_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "icount/base/counted.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/names_apart.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/allocation_text.h"
#include "icount/explain/node_names.h"
#include "icount/explain/quantity_text.h"

namespace icount {
namespace {

std::string times(const std::string& count) { return count == "1" ? "once" : count + " times"; }

int64_t calls_at(const SentenceSource& source, size_t side, uint32_t node) {
  return static_cast<int64_t>(source.figures.sides[side].calls[node]);
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

std::string self_cost_figures(const SentenceSource& source, uint32_t node) {
  const auto& [base, head] = source.figures.sides;
  const BothSides& self = source.condensed.graph.nodes[node].self;
  const std::string counts = call_counts(calls_at(source, 0, node), calls_at(source, 1, node));
  if (source.figures.fixed_self[node])
    return fmt::format("{} -> {} in total ({})", with_thousands(self[0]), with_thousands(self[1]), counts);
  const auto [before, after] = quantities(base.own_cost[node], head.own_cost[node]);
  if (base.calls[node] == 1 && head.calls[node] == 1) return fmt::format("{} -> {}", before, after);
  const std::string_view into = source.condensed.members[node].size() > 1 ? " into the cycle" : "";
  return fmt::format("{} -> {} per call{} ({})", before, after, into, counts);
}

/// Names of an edge's ends where the sentence has told them before.
struct NamesAgain {
  const std::string &caller, &callee;
};

NamesAgain names_again(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const std::string &caller = source.names_again[flow.caller], &callee = source.names_again[flow.callee];
  if (caller == callee) return {source.names[flow.caller], source.names[flow.callee]};
  return {caller, callee};
}

/// A recursion in numbers that mean something: how many calls one call from outside becomes.
std::string recursion_text(const SentenceSource& source, uint32_t edge) {
  const uint32_t node = source.condensed.graph.edges[edge].caller;
  const BothSides& inner = source.condensed.graph.edges[edge].calls;
  const auto per_entry = [&](size_t side) {
    const long double calls = source.figures.sides[side].calls[node];
    const long double outer = calls - static_cast<long double>(inner[side]);
    return outer > 0 ? calls / outer : calls;
  };
  const auto [before, after] = quantities(per_entry(0), per_entry(1));
  const std::string& name = source.names[node];
  const std::string in_total_before = with_thousands(calls_at(source, 0, node)),
                    in_total_after = with_thousands(calls_at(source, 1, node));
  if (inner[0] == 0)
    return fmt::format("{} now calls itself: {} calls per external call ({} calls in total)", name, after,
                       in_total_after);
  if (inner[1] == 0)
    return fmt::format("{} no longer calls itself (was {} calls per external call, {} calls in total)", name, before,
                       in_total_before);
  return fmt::format("{} calls itself {}: {} calls per external call, was {} ({} calls in total, was {})", name,
                     per_entry(1) > per_entry(0) ? "more often" : "less often", after, before, in_total_after,
                     in_total_before);
}

/// "600 times per call"; below once per call the counts themselves: "9 times in 15,223 calls".
std::string rate(const SentenceSource& source, uint32_t edge, size_t side) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const int64_t callers = calls_at(source, side, flow.caller);
  const long double per_call = source.figures.sides[side].calls_per_call[edge];
  if (per_call < 1) return fmt::format("{} in {}", times(with_thousands(flow.calls[side])), counted(callers, "call"));
  return times(quantities(per_call, per_call).first) + " per call";
}

/// A call that only one side has: "`f` now calls `g` once per call (...)", "`f` no longer calls `g` (was once per
/// call, ...)".
std::string one_sided_text(const SentenceSource& source, uint32_t edge, size_t side) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const std::string& caller = source.names[flow.caller];
  const int64_t callers = calls_at(source, side, flow.caller);
  const std::string how_often = callers == 1 ? times(with_thousands(flow.calls[side])) : rate(source, edge, side);
  std::string counts;
  if (how_often.ends_with(" per call")) {
    const NamesAgain again = names_again(source, edge);
    counts = fmt::format("{} of {}, {} of {}", counted(callers, "call"), again.caller, with_thousands(flow.calls[side]),
                         again.callee);
  }
  const std::string calling = calling_text(source, edge, !counts.empty());
  if (side == 0)
    return fmt::format("{} no longer {} (was {}{}{})", caller, calling, how_often, counts.empty() ? "" : ", ", counts);
  const std::string text = fmt::format("{} now {} {}", caller, calling, how_often);
  return counts.empty() ? text : fmt::format("{} ({})", text, counts);
}

/// Both sides call, but not per call of the caller: in total, or rarely.
std::string total_calls_text(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const int64_t before = calls_at(source, 0, flow.caller), after = calls_at(source, 1, flow.caller);
  const std::string& caller = source.names[flow.caller];
  std::string text = fmt::format("{} {} {}{} instead of {}", caller, calling_text(source, edge, false),
                                 times(with_thousands(flow.calls[1])),
                                 source.figures.fixed_calls[edge] ? " in total" : "", with_thousands(flow.calls[0]));
  const std::string& again = names_again(source, edge).caller;
  if (before != after)
    return fmt::format("{} ({} of {} instead of {})", text, counted(after, "call"), again, with_thousands(before));
  return before == 1 ? text : fmt::format("{} ({} of {})", text, counted(after, "call"), again);
}

/// Fewer than one call per call on either side, and the counts moved the other way than the rate: "`f` calls `g` 33
/// times per 100 calls instead of 27".
std::string rare_rate_text(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const auto& [base, head] = source.figures.sides;
  long double scale = 100;
  while (std::min(base.calls_per_call[edge], head.calls_per_call[edge]) * scale < 1) scale *= 10;
  const auto [before, after] = quantities(base.calls_per_call[edge] * scale, head.calls_per_call[edge] * scale);
  const std::string& again = names_again(source, edge).caller;
  return fmt::format("{} {} {} per {} calls instead of {} ({} of {} instead of {})", source.names[flow.caller],
                     calling_text(source, edge, false), times(after), with_thousands(static_cast<int64_t>(scale)),
                     before, counted(calls_at(source, 1, flow.caller), "call"), again,
                     with_thousands(calls_at(source, 0, flow.caller)));
}

/// Which function of a cycle makes (or takes) most of the calls that changed: "; mostly by `eval`".
std::string leading_members(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const auto &callers = source.condensed.members[flow.caller], &callees = source.condensed.members[flow.callee];
  if (callers.size() == 1 && callees.size() == 1) return {};
  if (source.leading_calls[edge] == SentenceSource::kNoNode) return {};
  const FlowEdge* most = &source.joined.flow.edges[source.leading_calls[edge]];
  std::string text = "; mostly";
  if (callees.size() > 1) text += " calls of " + source.function_names[most->callee];
  if (callers.size() > 1) text += " by " + source.function_names[most->caller];
  return text;
}

/// As many calls as before, by as many calls of the caller: what they cost is another part of what all calls of the
/// callee cost.
std::string as_often_text(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const auto term = std::find_if(source.figures.terms.begin(), source.figures.terms.end(),
                                 [&](const Term& of) { return of.kind == TermKind::kCalls && of.index == edge; });
  const bool costs_more = term != source.figures.terms.end() && term->value > 0;
  return fmt::format("calls of {} by {} cost {} than before ({} on both sides)", source.names[flow.callee],
                     source.names[flow.caller], costs_more ? "more" : "less", counted(flow.calls[1], "call"));
}

std::string edge_text(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  if (flow.caller == flow.callee) return recursion_text(source, edge);
  if (flow.calls[0] == 0 || flow.calls[1] == 0) return one_sided_text(source, edge, flow.calls[0] == 0);
  const int64_t callers[2] = {calls_at(source, 0, flow.caller), calls_at(source, 1, flow.caller)};
  if (flow.calls[0] == flow.calls[1] && callers[0] == callers[1]) return as_often_text(source, edge);
  const auto& [base, head] = source.figures.sides;
  const bool below_once = base.calls_per_call[edge] < 1 || head.calls_per_call[edge] < 1;
  const bool counts_go_the_same_way =
      callers[0] == callers[1] ||
      (flow.calls[1] > flow.calls[0]) == (head.calls_per_call[edge] > base.calls_per_call[edge]);
  if (source.figures.fixed_calls[edge] || (below_once && counts_go_the_same_way) ||
      (callers[0] == callers[1] && !(is_whole(base.calls_per_call[edge]) && is_whole(head.calls_per_call[edge]))) ||
      (callers[0] == callers[1] && callers[0] == 1))
    return total_calls_text(source, edge);
  if (below_once) return rare_rate_text(source, edge);
  const auto [before, after] = quantities(base.calls_per_call[edge], head.calls_per_call[edge]);
  const NamesAgain again = names_again(source, edge);
  const int64_t more = flow.calls[1] - flow.calls[0];
  const std::string change =
      more == 0 ? fmt::format("{} of {}", with_thousands(flow.calls[1]), again.callee)
                : fmt::format("{} {} of {}", with_thousands(std::abs(more)), more > 0 ? "more" : "fewer", again.callee);
  const std::string of_caller = callers[0] == callers[1]
                                    ? fmt::format("{} of {}", counted(callers[1], "call"), again.caller)
                                    : fmt::format("{} of {} instead of {}", counted(callers[1], "call"), again.caller,
                                                  with_thousands(callers[0]));
  return fmt::format("{} {} {} per call instead of {} ({}, {})", source.names[flow.caller],
                     calling_text(source, edge, true), times(after), before, of_caller, change);
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

std::vector<uint32_t> find_leading_calls(const JoinedGraph& joined, const CondensedFlow& condensed) {
  std::vector<uint32_t> leading(condensed.graph.edges.size(), SentenceSource::kNoNode);
  const auto change = [&](uint32_t e) {
    const BothSides& calls = joined.flow.edges[e].calls;
    return std::abs(static_cast<long double>(calls[1]) - static_cast<long double>(calls[0]));
  };
  for (uint32_t e = 0; e < joined.flow.edges.size(); ++e) {
    const uint32_t caller = condensed.node_of[joined.flow.edges[e].caller],
                   callee = condensed.node_of[joined.flow.edges[e].callee];
    if (condensed.members[caller].size() == 1 && condensed.members[callee].size() == 1) continue;
    const auto edges = condensed.graph.edges_of(caller);
    const auto at = std::lower_bound(edges.begin(), edges.end(), callee,
                                     [](const FlowEdge& edge, uint32_t node) { return edge.callee < node; });
    if (at == edges.end() || at->callee != callee) continue;
    uint32_t& most = leading[static_cast<size_t>(&*at - condensed.graph.edges.data())];
    if (most == SentenceSource::kNoNode || change(e) > change(most)) most = e;
  }
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

std::string self_cost_text(const SentenceSource& source, uint32_t node) {
  if (is_about_allocations(source)) return own_allocations_text(source, node);
  return fmt::format("self cost of {}: {}", source.names[node], self_cost_figures(source, node));
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

std::string renamed_text(const SentenceSource& source, uint32_t function, uint32_t node) {
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
  return fmt::format("{}: self cost {}", what, self_cost_figures(source, node));
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
  const auto signed_part = [](int64_t value) {
    return fmt::format("{} {}", value < 0 ? "-" : "+", with_thousands(std::abs(value)));
  };
  const int64_t head = move.into_caller ? own : calls, tail = move.into_caller ? calls : own;
  const int64_t count = std::abs(first.calls[1] - first.calls[0]);
  return fmt::format("{}: {} {} = {} ({} {} of {})", what, with_sign(head), signed_part(tail), with_sign(own + calls),
                     with_thousands(count),
                     fmt::format("{} call{}", move.into_caller ? "fewer" : "more", count == 1 ? "" : "s"),
                     callee == caller ? callee : source.names_again[first.callee]);
}

std::string total_cost_text(const JoinedGraph& joined, const JoinedFunction& function, BothSides self) {
  const bool renamed = function.by == MatchedBy::kEvidence || function.by == MatchedBy::kDispatch;
  const std::string was = renamed ? fmt::format(" (was {})", quoted(function.base_name)) : "";
  return fmt::format("self cost of {}{}: {} -> {} in total", quoted(joined, function.name), was,
                     with_thousands(self[0]), with_thousands(self[1]));
}

}  // namespace icount
