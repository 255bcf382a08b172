#include "icount/explain/claims/claims.h"

#include <algorithm>
#include <array>
#include <utility>

#include "icount/explain/claims/relations.h"

namespace icount {
namespace {

struct Relation {
  std::string_view name;
  FindClaims* find;
};

/// In this order; a term belongs to the first claim that has it. What is known by names (an allocator, a container)
/// comes before what is read off figures; what takes a function's own cost along (inlining) before what is about its
/// calls alone; what explains nearly the whole change (a longer input) before what explains a part; pairs of calls
/// before the callees of many callers, which would take one of a pair; and what is left of a function at last.
constexpr std::array kRelations = {
    Relation{"allocator", allocator_claims},         Relation{"container", container_claims},
    Relation{"inlining", inlining_claims},           Relation{"deeper cycle", deeper_cycle_claims},
    Relation{"longer work", longer_work_claims},     Relation{"longer loop", longer_loop_claims},
    Relation{"recursion", recursion_claims},         Relation{"dispatched", dispatched_claims},
    Relation{"shared callee", shared_callee_claims}, Relation{"replaced", replaced_claims},
    Relation{"grown cycle", grown_cycle_claims},     Relation{"grown function", grown_function_claims},
};

/// Turns claims into causes.
class Packing {
 public:
  Packing(const JoinedGraph& joined, const OpenedFlow& flow, const std::vector<InliningMove>& moves, int64_t change,
          bool opens_functions)
      : flow_(flow),
        single_(joined, flow, change),
        groups_(joined, flow),
        source_{flow, single_.source(), single_.whole().whole, groups_, moves, change, opens_functions} {}

  /// Every term once.
  std::vector<GroupedCause> pack() {
    Taken taken(flow_.figures.terms.size(), false);
    const auto is_taken = [&](uint32_t term) { return taken[term]; };
    for (const Relation& relation : kRelations)
      for (const Claim& claim : relation.find(source_, taken)) {
        const std::vector<uint32_t> terms = terms_of(claim);
        if (std::any_of(terms.begin(), terms.end(), is_taken)) continue;
        for (const uint32_t term : terms) taken[term] = true;
        add(claim);
      }
    for (uint32_t i = 0; i < taken.size(); ++i)
      if (!taken[i] && single_.tells_something(i)) add_single(i);
    return std::move(causes_);
  }

  const SentenceSource& names() const { return single_.source(); }
  int64_t rest() const { return single_.whole().rest; }

  /// A function found under another name is said so even when nothing else changed about it.
  void add_silent_renames(std::vector<GroupedCause>& causes) const {
    for (uint32_t f = 0; f < names().joined.functions.size(); ++f) {
      const JoinedFunction& function = names().joined.functions[f];
      if (single_.has_told_name(f) || function.by != MatchedBy::kEvidence) continue;
      Cause cause;
      cause.kind = CauseKind::kRenamed;
      cause.function = function.name;
      cause.facts = renamed_facts(names(), f, SentenceSource::kNoNode, 0);
      causes.push_back({std::move(cause), {}, {}});
    }
  }

 private:
  static std::vector<uint32_t> terms_of(const Claim& claim) {
    std::vector<uint32_t> terms = claim.terms;
    for (const Claim& member : claim.members) terms.insert(terms.end(), member.terms.begin(), member.terms.end());
    return terms;
  }

  void add(const Claim& claim) {
    GroupedCause made = cause_of(claim);
    if (made.cause.inside.empty()) return;  // all of its terms round to nothing
    causes_.push_back(std::move(made));
    for (const std::vector<Claim>& of : {std::vector{claim}, claim.members})
      for (const Claim& one : of)
        for (const ApartCalls& calls : one.apart) add_apart(one, calls);
  }

  GroupedCause cause_of(const Claim& claim) {
    GroupedCause made;
    Cause& cause = made.cause;
    cause.kind = claim.kind;
    cause.function = claim.function;
    cause.caller = claim.caller;
    cause.callee = claim.callee;
    cause.facts = claim.facts;
    cause.remarks = claim.remarks;
    cause.delta = source_.sum_of(claim.terms);
    made.group = claim.group;
    made.node = claim.about;
    made.inlined_into = claim.inlined_into;
    made.inlined_on = claim.inlined_on;
    for (const uint32_t term : claim.terms) {
      made.within.push_back(single_.node_of(term));
      if (source_.whole[term] != 0) cause.inside.push_back(single_.cause_of(term));
    }
    for (const Claim& member : claim.members) {
      GroupedCause inside = cause_of(member);
      if (inside.cause.inside.empty()) continue;
      cause.delta += inside.cause.delta;
      made.within.insert(made.within.end(), inside.within.begin(), inside.within.end());
      cause.inside.push_back(std::move(inside.cause));
    }
    for (const ApartCalls& calls : claim.apart) {
      cause.delta -= calls.value;
      cause.inside.push_back(call_cause(calls, -calls.value, calls.inside));
    }
    if (claim.place != GroupedCause::kNoNode) {
      single_.set_place(cause, claim.place);
      made.objects = single_.objects_of(claim.place);
    }
    if (claim.call != Claim::kNoCall) single_.set_call_place(cause, claim.call);
    return made;
  }

  Cause call_cause(const ApartCalls& calls, int64_t delta, const CauseFacts& facts) const {
    const FlowEdge& edge = source_.graph().edges[calls.edge];
    Cause cause;
    cause.kind = CauseKind::kCalls;
    cause.delta = delta;
    cause.caller = node_label(names(), edge.caller);
    cause.callee = node_label(names(), edge.callee);
    cause.facts = facts;
    return cause;
  }

  void add_apart(const Claim& claim, const ApartCalls& calls) {
    GroupedCause added{call_cause(calls, calls.value, calls.facts), {}, single_.objects_of(claim.place)};
    added.within = {claim.place};
    single_.set_call_place(added.cause, calls.edge);
    causes_.push_back(std::move(added));
  }

  void add_single(uint32_t index) {
    const uint32_t node = single_.node_of(index);
    const uint32_t of = node == GroupedCause::kNoNode ? flow_.figures.terms[index].index : node;
    causes_.push_back(
        {single_.cause_of(index), groups_.of_term(flow_.figures.terms[index]), single_.objects_of(of), node});
    causes_.back().within = {node};
  }

  const OpenedFlow& flow_;
  TermCauses single_;
  TermGroups groups_;
  ClaimSource source_;
  std::vector<GroupedCause> causes_;
};

/// The only call that enters a cycle, by the function that it enters; nullptr where there are several.
const FlowEdge* only_entry(const ClaimSource& source, uint32_t cycle) {
  const std::vector<uint32_t>& node_of = source.flow.condensed.node_of;
  const FlowEdge* only = nullptr;
  for (const FlowEdge& edge : source.joined().flow.edges) {
    if (node_of[edge.callee] != cycle || node_of[edge.caller] == cycle) continue;
    if (only != nullptr) return nullptr;
    only = &edge;
  }
  return only;
}

}  // namespace

int64_t ClaimSource::sum_of(std::span<const uint32_t> terms) const {
  int64_t sum = 0;
  for (const uint32_t term : terms) sum += whole[term];
  return sum;
}

void name_call(const ClaimSource& source, const FlowEdge& edge, Claim& claim) {
  claim.caller = node_label(source.names, edge.caller);
  claim.callee = node_label(source.names, edge.callee);
}

void name_only_call(const ClaimSource& source, uint32_t node, Claim& claim) {
  if (source.flow.condensed.members[node].size() == 1) {
    if (const FlowEdge* const only = only_call_of(source.graph(), node)) name_call(source, *only, claim);
  } else if (const FlowEdge* const entry = only_entry(source, node)) {
    claim.caller = source.joined().functions[entry->caller].name;
    claim.callee = source.joined().functions[entry->callee].name;
  }
}

std::vector<GroupedCause> make_causes(const JoinedGraph& joined, OpenedFlow flow, int64_t delta,
                                      const CauseOpener& open) {
  tell_by_caller(joined, flow, delta);
  const std::vector<InliningMove> moves = find_inlining_moves(joined, flow);
  Packing packing(joined, flow, moves, delta, open != nullptr);
  std::vector<GroupedCause> causes = packing.pack();
  if (open) open(flow, packing.names(), causes);
  join_other_builds(joined, flow, moves, causes);
  head_places(packing.names(), delta, causes);
  packing.add_silent_renames(causes);
  if (packing.rest() != 0) {
    Cause rest;
    rest.kind = CauseKind::kRest;
    rest.delta = packing.rest();
    rest.facts = fact::Rest{};
    causes.push_back({std::move(rest), {}, {}});
  }
  return causes;
}

std::vector<GroupedCause> make_total_cost_causes(const JoinedGraph& joined) {
  std::vector<GroupedCause> causes;
  for (size_t node = 0; node < joined.functions.size(); ++node) {
    const BothSides& self = joined.flow.nodes[node].self;
    const bool renamed = !matched_silently(joined.functions[node].by);
    if (self[0] == self[1] && joined.functions[node].by != MatchedBy::kEvidence) continue;
    Cause cause;
    cause.kind = renamed ? CauseKind::kRenamed : CauseKind::kOwnCost;
    cause.function = joined.functions[node].name;
    cause.delta = self[1] - self[0];
    cause.object = joined.functions[node].object;
    cause.facts = total_cost_facts(joined, joined.functions[node], self);
    const std::string_view group = noise_group_of(joined, joined.functions[node]);
    causes.push_back({std::move(cause), renamed ? std::string_view() : group, {}});
  }
  return causes;
}

}  // namespace icount
