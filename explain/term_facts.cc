#include "icount/explain/term_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "icount/callgraph/allocation_graph.h"
#include "icount/callgraph/allocations.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/node_names.h"

namespace icount {
namespace {

// Inlining alone costs about what the calls did, or a part of it. What costs so many times as much inside the caller as
// its calls did does more there, and what costs so many times less does less, unless a call cost no more than that:
// little is left of a small function.
constexpr long double kMuchMore = 1.5L, kFarLess = 5, kSmall = 100;

/// Of what moved and also does more or less than before. `count`: calls of the first callee.
fact::OtherWork other_work(const InliningMove& move, int64_t own, int64_t calls, int64_t count) {
  const long double inside = std::abs(static_cast<long double>(own)),
                    outside = std::abs(static_cast<long double>(calls));
  const bool more_inside = inside > kMuchMore * outside,
             far_less = inside > 0 && outside > kFarLess * inside && outside > kSmall * static_cast<long double>(count);
  if ((own > 0) != move.into_caller || (calls < 0) != move.into_caller || !(more_inside || far_less))
    return fact::OtherWork::kNone;
  return more_inside == move.into_caller ? fact::OtherWork::kMore : fact::OtherWork::kLess;
}

std::string object_of(const SentenceSource& source, const JoinedFunction& function, size_t side) {
  return std::string(base_of_path(source.joined.sides[side]->functions[function.folded[side]].object));
}

fact::Counts calls_of_node(const SentenceSource& source, uint32_t node) {
  return {calls_at(source, 0, node), calls_at(source, 1, node)};
}

fact::SelfFigures self_figures(const SentenceSource& source, uint32_t node, int64_t delta) {
  const auto& [base, head] = source.figures.sides;
  fact::SelfFigures figures{.of_cycle = source.condensed.members[node].size() > 1,
                            .cost = {base.own_cost[node], head.own_cost[node]},
                            .calls = calls_of_node(source, node),
                            .delta = delta};
  if (source.figures.fixed_self[node]) {
    const BothSides& self = source.condensed.graph.nodes[node].self;
    figures.in_total = true;
    figures.cost = {static_cast<long double>(self[0]), static_cast<long double>(self[1])};
  } else if (const OtherCalls& others = source.figures.other_calls[node]; others.are_told) {
    figures.of_common_calls = true;
    figures.cost = others.own_cost;
    figures.calls = {std::llround(others.calls[0]), std::llround(others.calls[1])};
  } else {
    figures.one_call = base.calls[node] == 1 && head.calls[node] == 1;
  }
  return figures;
}

/// A function of the allocator; of a cycle, any of its functions.
bool is_allocator(const SentenceSource& source, uint32_t node) {
  const auto& members = source.condensed.members[node];
  return std::any_of(members.begin(), members.end(), [&](uint32_t member) {
    const JoinedFunction& function = source.joined.functions[member];
    return is_part_of_allocator(function.name, function.object);
  });
}

/// What the callee of an edge does for its caller.
AllocatorEntry entry_of(const SentenceSource& source, const FlowEdge& edge) {
  const auto& callee = source.condensed.members[edge.callee];
  if (callee.size() != 1) return AllocatorEntry::kNone;
  const AllocatorEntry entry = allocator_entry_of(source.joined.functions[callee.front()].name);
  // Asked last: few calls enter an allocator, and whether the caller is a part of one takes long to find out.
  return entry == AllocatorEntry::kNone || is_allocator(source, edge.caller) ? AllocatorEntry::kNone : entry;
}

/// Of the calls from or to a cycle, between which of its functions most of them changed; nothing where one call is all.
void add_leading_members(const SentenceSource& source, uint32_t edge, fact::Calls& facts) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const size_t callers = source.condensed.members[flow.caller].size(),
               callees = source.condensed.members[flow.callee].size();
  const LeadingCall& leading = source.leading_calls[edge];
  if ((callers == 1 && callees == 1) || leading.all == 0 || leading.is_all) return;
  const FlowEdge& most = source.joined.flow.edges[leading.edge];
  if (callees > 1) facts.mostly_callee = source.function_names[most.callee];
  if (callers > 1) facts.mostly_caller = source.function_names[most.caller];
}

}  // namespace

SentenceSource make_sentence_source(const JoinedGraph& joined, const OpenedFlow& flow) {
  std::vector<std::string> function_names = name_functions(joined);
  std::vector<uint32_t> leaders = leaders_of(joined, flow.condensed);
  std::vector<std::string> names = name_nodes(flow.condensed, leaders, function_names);
  std::vector<bool> cost_more(flow.condensed.graph.edges.size(), false);
  for (const Term& term : flow.figures.terms)
    if (term.kind == TermKind::kCalls && term.value > 0) cost_more[term.index] = true;
  return {joined,
          flow.condensed,
          flow.figures,
          std::move(function_names),
          std::move(leaders),
          std::move(names),
          name_nodes_again(joined, flow.condensed),
          find_leading_calls(joined, flow.condensed),
          std::move(cost_more)};
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

int64_t calls_at(const SentenceSource& source, size_t side, uint32_t node) {
  return static_cast<int64_t>(source.figures.sides[side].calls[node]);
}

fact::MemberCost member_facts(const SentenceSource& source, uint32_t node, uint32_t member) {
  const auto& [base, head] = source.figures.sides;
  const BothSides& self = source.joined.flow.nodes[member].self;
  const fact::Rates all = {static_cast<long double>(self[0]), static_cast<long double>(self[1])};
  const std::string& name = source.function_names[member];
  if (source.figures.fixed_self[node] || base.calls[node] == 0 || head.calls[node] == 0) return {name, true, all};
  return {name, false, {all[0] / base.calls[node], all[1] / head.calls[node]}};
}

CauseFacts self_cost_facts(const SentenceSource& source, uint32_t node, int64_t delta) {
  const FoldedGraph& side = *source.joined.sides[0];
  const std::string& event = side.graph->events[side.event];
  if (!is_allocation_event(event)) return fact::SelfCost{source.names[node], self_figures(source, node, delta)};
  return fact::OwnAllocations{
      .function = source.names[node],
      .frees = event != kAllocations,
      .all = source.condensed.graph.nodes[node].self,
      .calls = calls_of_node(source, node),
  };
}

fact::Calls calls_facts(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const auto& [base, head] = source.figures.sides;
  fact::Calls facts{.caller = source.names[flow.caller],
                    .callee = source.names[flow.callee],
                    .caller_again = source.names_again[flow.caller],
                    .callee_again = source.names_again[flow.callee],
                    .of_itself = flow.caller == flow.callee,
                    .entry = entry_of(source, flow),
                    .in_total = source.figures.fixed_calls[edge],
                    .cost_more = source.calls_cost_more[edge],
                    .calls = flow.calls,
                    .callers = calls_of_node(source, flow.caller),
                    .per_call = {base.calls_per_call[edge], head.calls_per_call[edge]},
                    .price = source.figures.joined_prices[edge]};
  if (facts.caller_again == facts.callee_again) {
    facts.caller_again = facts.caller;
    facts.callee_again = facts.callee;
  }
  for (size_t side = 0; side < 2; ++side) {
    const long double calls = source.figures.sides[side].calls[flow.caller],
                      outer = calls - static_cast<long double>(flow.calls[side]);
    facts.for_each_outer[side] = outer > 0 ? calls / outer : calls;
  }
  add_leading_members(source, edge, facts);
  return facts;
}

fact::Entries entry_facts(const SentenceSource& source, uint32_t node) {
  return {source.names[node], source.condensed.graph.nodes[node].entries};
}

fact::Renamed renamed_facts(const SentenceSource& source, uint32_t function, uint32_t node, int64_t delta) {
  const JoinedFunction& renamed = source.joined.functions[function];
  fact::Renamed facts{.names = {std::string(renamed.base_name), std::string(renamed.head_name)},
                      .evidence = renamed.evidence};
  if (renamed.by == MatchedBy::kDispatch) facts.by = fact::RenamedBy::kDispatch;
  if (renamed.by == MatchedBy::kObject) {
    facts.by = fact::RenamedBy::kObject;
    facts.objects = {object_of(source, renamed, 0), object_of(source, renamed, 1)};
  }
  const auto& [base, head] = source.figures.sides;
  if (node == SentenceSource::kNoNode || base.own_cost[node] == head.own_cost[node]) return facts;
  facts.costs_otherwise = true;
  facts.figures = self_figures(source, node, delta);
  return facts;
}

fact::Inlined inlined_facts(const SentenceSource& source, const InliningMove& move, int64_t own, int64_t calls) {
  const FlowEdge& first = source.condensed.graph.edges[move.lost_edges.front()];
  fact::Inlined facts{.caller = source.names[move.caller],
                      .callee = source.names[first.callee],
                      .callee_again = {},
                      .into_caller = move.into_caller,
                      .callee_is_known = move.callee_is_known,
                      .more_callees = move.lost_edges.size() - 1,
                      .own = own,
                      .calls = calls,
                      .count = std::abs(first.calls[1] - first.calls[0])};
  facts.callee_again = facts.callee == facts.caller ? facts.callee : source.names_again[first.callee];
  if (move.rest_edge)
    facts.rest = source.names[source.condensed.graph.edges[*move.rest_edge].callee];
  else
    facts.other_work = other_work(move, own, calls, facts.count);
  return facts;
}

fact::CallsSaved saved_calls_facts(const SentenceSource& source, const InliningMove& move, const SavedCalls& calls) {
  const FlowEdge& edge = source.condensed.graph.edges[calls.edge];
  return {source.names[edge.caller], source.names[edge.callee], source.names[move.caller], move.into_caller,
          calls.calls};
}

fact::SavedCallsApart saved_calls_apart_facts(const SentenceSource& source, const SavedCalls& calls) {
  const FlowEdge& edge = source.condensed.graph.edges[calls.edge];
  return {source.names[edge.caller], source.names[edge.callee]};
}

fact::TotalCost total_cost_facts(const JoinedGraph& joined, const JoinedFunction& function, BothSides self) {
  const bool renamed = function.by == MatchedBy::kEvidence || function.by == MatchedBy::kDispatch;
  return {quoted(joined, function.name), renamed ? quoted(function.base_name) : std::string(), self};
}

}  // namespace icount
