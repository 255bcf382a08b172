#include "icount/explain/term_causes.h"

#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "icount/callgraph/name_parts.h"
#include "icount/explain/node_names.h"
#include "icount/explain/noise_fold.h"
#include "icount/explain/term_groups.h"

namespace icount {
TermCauses::TermCauses(const JoinedGraph& joined, const OpenedFlow& flow, int64_t change)
    : flow_(flow),
      source_(make_sentence_source(joined, flow)),
      places_(joined),
      change_(change),
      said_(joined.functions.size(), false),
      terms_(make_whole_terms(joined, flow, change)) {}

uint32_t TermCauses::node_of(uint32_t index) const {
  const Term& term = flow_.figures.terms[index];
  return term.kind == TermKind::kEntry ? kNoNode : icount::node_of(flow_.condensed.graph, term);
}

std::array<std::string_view, 2> TermCauses::objects_of(uint32_t node) const {
  std::array<std::string_view, 2> objects;
  const JoinedFunction& function = source_.joined.functions[flow_.condensed.members[node].front()];
  for (size_t side = 0; side < 2; ++side)
    if (function.folded[side] != kNoFunction)
      objects[side] = source_.joined.sides[side]->functions[function.folded[side]].object;
  return objects;
}

Cause TermCauses::cause_of(uint32_t index) {
  const Term& term = flow_.figures.terms[index];
  Cause cause;
  cause.delta = terms_.whole[index];
  switch (term.kind) {
    case TermKind::kCalls:
      fill_calls(cause, term.index);
      break;
    case TermKind::kEntry:
      cause.kind = CauseKind::kEntry;
      cause.function = node_label(source_, term.index);
      cause.facts = entry_facts(source_, term.index);
      set_place(cause, term.index);
      break;
    case TermKind::kOwnCost:
      fill_own_cost(cause, term.index);
      if (is_of_cluster(flow_, term)) add_members(cause, index);
      break;
  }
  return cause;
}

void TermCauses::fill_calls(Cause& cause, uint32_t number) {
  const FlowEdge& edge = flow_.condensed.graph.edges[number];
  cause.kind = CauseKind::kCalls;
  cause.caller = node_label(source_, edge.caller);
  cause.callee = node_label(source_, edge.callee);
  if (const LeadingCall& leading = source_.leading_calls[number]; leading.is_all)
    name_members(cause, edge, source_.joined.flow.edges[leading.edge], number);
  else
    cause.facts = calls_facts(source_, number);
  cause.change_per_call = change_per_call(&SideFigures::calls_per_call, number);
  set_place(cause, edge.caller);
}

/// Calls from or to a cycle that are nearly all between the same two functions are told by these.
void TermCauses::name_members(Cause& cause, const FlowEdge& edge, const FlowEdge& call, uint32_t number) {
  std::array<std::pair<uint32_t, std::string>, 2> whole;  // what the nodes are called otherwise
  for (const auto& [node, member, label, at] : {std::tuple(edge.caller, call.caller, &cause.caller, 0),
                                                std::tuple(edge.callee, call.callee, &cause.callee, 1)}) {
    whole[static_cast<size_t>(at)] = {node, source_.names[node]};
    const size_t members = flow_.condensed.members[node].size();
    if (members == 1) continue;
    *label = source_.joined.functions[member].name;
    source_.names[node] = name_in_cycle(source_.function_names[member], members);
  }
  cause.facts = calls_facts(source_, number);
  for (auto& [node, name] : whole) source_.names[node] = std::move(name);
}

/// Head's figure less base's. What only one side calls has the other's figures, and so no term and no cause.
double TermCauses::change_per_call(std::vector<long double> SideFigures::*figure, uint32_t index) const {
  const auto& [base, head] = source_.figures.sides;
  return static_cast<double>((head.*figure)[index] - (base.*figure)[index]);
}

void TermCauses::fill_own_cost(Cause& cause, uint32_t node) {
  cause.function = node_label(source_, node);
  const auto& members = flow_.condensed.members[node];
  const bool cluster = members.size() > 1;
  const bool renamed = !matched_silently(matched_by(source_.joined, flow_, node));
  cause.kind = cluster ? CauseKind::kCluster : renamed ? CauseKind::kRenamed : CauseKind::kOwnCost;
  if (renamed)
    cause.facts = renamed_facts(source_, members.front(), node, cause.delta);
  else
    cause.facts = self_cost_facts(source_, node, cause.delta);
  if (renamed) said_[members.front()] = true;
  if (!cluster) cause.change_per_call = change_per_call(&SideFigures::own_cost, node);
  set_place(cause, node);
  if (!cluster && leads(cause.delta)) add_changed_lines(cause, node);
}

void TermCauses::set_place(Cause& cause, uint32_t node) {
  const SourcePlace place = places_.of_function(source_.leaders[node]);
  cause.file = place.file;
  cause.line = place.line;
  const auto objects = objects_of(node);
  cause.object = objects[1].empty() ? objects[0] : objects[1];
  if (flow_.condensed.members[node].size() > 1) cause.cycle = node_label(source_, node);
}

/// Lines are looked at only where the cause is a hundredth of the change or more: there are thousands of causes.
bool TermCauses::leads(int64_t delta) const {
  return 100 * std::abs(static_cast<long double>(delta)) >= std::abs(static_cast<long double>(change_));
}

/// The line or the few lines that carry the change, where there are such.
void TermCauses::add_changed_lines(Cause& cause, uint32_t node) {
  const auto& [base, head] = flow_.figures.sides;
  const bool in_total = flow_.figures.fixed_self[node] || base.calls[node] == 0 || head.calls[node] == 0;
  const std::array<long double, 2> scale = {in_total ? 1 : 1 / base.calls[node], in_total ? 1 : 1 / head.calls[node]};
  const auto lines = places_.changed_lines(flow_.condensed.members[node].front(), scale);
  if (!lines) return;
  cause.remarks.push_back({.kind = Remark::Kind::kChangedLines,
                           .file = std::string(lines->file),
                           .lines = lines->lines,
                           .part = lines->part,
                           .delta = cause.delta});
  cause.line = lines->lines.front();
  if (base_of_path(cause.file) != lines->file) cause.file = lines->file;
}

/// What each member of a condensed cluster contributes.
void TermCauses::add_members(Cause& cause, uint32_t term) {
  const uint32_t node = flow_.figures.terms[term].index;
  for (const auto& [member, delta] : terms_.inside[term]) {
    Cause share;
    share.kind = CauseKind::kOwnCost;
    share.function = source_.joined.functions[member].name;
    share.delta = delta;
    share.facts = member_facts(source_, node, member);
    cause.inside.push_back(std::move(share));
  }
  sort_causes(cause.inside);
  if (!cause.inside.empty())
    cause.remarks.push_back(
        {.kind = Remark::Kind::kMostlyIn, .function = quoted(source_.joined, cause.inside.front().function)});
}

}  // namespace icount
