#include "icount/explain/cause_list.h"

#include <algorithm>
#include <span>
#include <utility>

#include "icount/explain/allocator_change.h"
#include "icount/explain/container_change.h"
#include "icount/explain/deeper_cluster.h"
#include "icount/explain/function_change.h"
#include "icount/explain/grown_functions.h"
#include "icount/explain/headed_sum_facts.h"
#include "icount/explain/inlining.h"
#include "icount/explain/nested_calls.h"
#include "icount/explain/node_names.h"
#include "icount/explain/proportional_sums.h"
#include "icount/explain/saved_calls.h"
#include "icount/explain/scattered_change.h"
#include "icount/explain/shared_inlining.h"
#include "icount/explain/shared_work.h"
#include "icount/explain/term_causes.h"
#include "icount/explain/term_facts.h"
#include "icount/explain/term_groups.h"
#include "icount/explain/whole_objects.h"

namespace icount {
namespace {

class CauseMaker {
 public:
  CauseMaker(const JoinedGraph& joined, const OpenedFlow& flow, int64_t change)
      : flow_(flow), single_(joined, flow, change), source_(single_.source()), groups_(joined, flow) {}

  std::vector<GroupedCause> make(int64_t delta, const CauseOpener& open) {
    const std::vector<Term>& terms = flow_.figures.terms;
    taken_.assign(terms.size(), false);
    if (const auto change = find_allocator_change(source_.joined, flow_, taken_))
      add_replacement(change->terms, "allocator",
                      fact::AllocatorReplaced{{std::string(change->libraries[0]), std::string(change->libraries[1])}});
    for (const ContainerChange& change : find_container_changes(source_.joined, flow_, taken_))
      add_replacement(change.terms, change.containers[1], container_change_facts(source_, change),
                      change.users.front());
    const std::vector<InliningMove> moves = find_inlining_moves(source_.joined, flow_);
    for (const InliningMove& move : moves) add_move(move);
    join_shared_inlining(single_, told_moves_, causes_);
    for (const DeeperCluster& cluster : find_deeper_clusters(flow_)) add_deeper(cluster);
    if (const auto sum = find_longer_work(flow_, taken_, delta)) add_work(*sum, longer_work_facts(source_, *sum));
    for (const HeadedSum& sum : find_longer_loops(flow_, taken_))
      add_work(sum, longer_loop_facts(source_, sum), sum.node);
    for (const HeadedSum& sum : find_grown_recursions(flow_, taken_))
      add_sum(sum, grown_recursion_facts(source_, sum), sum.node);
    for (const DispatchedCalls& calls : find_dispatched_calls(flow_, taken_)) add_dispatched(calls);
    for (const NestedCalls& calls : find_nested_calls(flow_, taken_)) add_nested(calls);
    for (const HeadedSum& sum : find_shared_callees(flow_, taken_))
      if (Cause* const cause = add_sum(sum, shared_callee_facts(source_, sum)))
        single_.set_place(*cause, most_frequent_caller(source_, sum));
    for (const ReplacedCalls& calls : find_replaced_calls(source_.joined, flow_, taken_)) add_replaced(calls);
    for (const HeadedSum& sum : find_rewritten_functions(flow_, taken_))
      add_sum(sum, rewritten_facts(source_, sum), sum.node);
    for (const HeadedSum& sum : find_grown_cycles(flow_, taken_)) add_work(sum, grown_cycle_facts(source_, sum));
    if (!open)
      for (const HeadedSum& sum : find_grown_functions(flow_, taken_)) add_grown(sum);
    if (const auto sum = find_shared_work(flow_, taken_in_noise())) add_sum(*sum, shared_work_facts(source_, *sum));
    for (uint32_t i = 0; i < terms.size(); ++i)
      if (!taken_[i] && single_.tells_something(i)) add_single(i);
    if (open) open(flow_, causes_);
    join_other_builds(source_.joined, flow_, moves, causes_);
    if (!head_scattered_change(source_, delta, causes_)) head_function_change(source_, causes_);
    add_silent_renames();
    if (single_.whole().rest != 0) add_rest(single_.whole().rest);
    return std::move(causes_);
  }

 private:
  bool is_taken(const std::vector<uint32_t>& terms) const {
    return std::any_of(terms.begin(), terms.end(), [this](uint32_t term) { return taken_[term]; });
  }

  /// What is taken, and what is told with its noise group.
  std::vector<bool> taken_in_noise() {
    std::vector<bool> taken = taken_;
    for (uint32_t i = 0; i < taken.size(); ++i)
      if (!groups_.of_term(flow_.figures.terms[i]).empty()) taken[i] = true;
    return taken;
  }

  int64_t sum_of(std::span<const uint32_t> terms) const {
    int64_t sum = 0;
    for (const uint32_t term : terms) sum += single_.whole().whole[term];
    return sum;
  }

  /// The terms as one cause in the function of `node`, if that is one; nullptr where all of them round to nothing.
  GroupedCause* join(CauseKind kind, const std::vector<uint32_t>& terms, uint32_t node) {
    GroupedCause joined;
    joined.cause.kind = kind;
    joined.cause.delta = sum_of(terms);
    for (const uint32_t term : terms) {
      taken_[term] = true;
      joined.within.push_back(single_.node_of(term));
      if (single_.whole().whole[term] != 0) joined.cause.inside.push_back(single_.cause_of(term));
    }
    if (joined.cause.inside.empty()) return nullptr;
    if (node != GroupedCause::kNoNode) {
      single_.set_place(joined.cause, node);
      joined.objects = single_.objects_of(node);
    }
    return &causes_.emplace_back(std::move(joined));
  }

  void name_call(Cause& cause, const FlowEdge& edge) const {
    cause.caller = node_label(source_, edge.caller);
    cause.callee = node_label(source_, edge.callee);
  }

  void add_single(uint32_t index) {
    const Term& term = flow_.figures.terms[index];
    const uint32_t node = single_.node_of(index);
    causes_.push_back({single_.cause_of(index), groups_.of_term(term),
                       single_.objects_of(node == GroupedCause::kNoNode ? term.index : node), node});
    causes_.back().within = {node};
  }

  /// What took another's place: `what` is head's. `user`: the function that exchanged them, where that is one.
  void add_replacement(const std::vector<uint32_t>& terms, std::string_view what, CauseFacts facts,
                       uint32_t user = GroupedCause::kNoNode) {
    GroupedCause* const added = join(CauseKind::kSum, terms, user);
    if (!added) return;
    added->objects = {};
    added->cause.function = what;
    added->cause.facts = std::move(facts);
  }

  /// The terms of one inlining move as one cause; what the inlined code no longer calls is told apart.
  void add_move(const InliningMove& move) {
    if (is_taken(move.own_terms) || is_taken(move.call_terms)) return;
    std::vector<uint32_t> terms = move.own_terms;
    terms.insert(terms.end(), move.call_terms.begin(), move.call_terms.end());
    GroupedCause* const added = join(CauseKind::kInlined, terms, move.caller);
    if (!added) return;
    name_call(added->cause, flow_.condensed.graph.edges[move.lost_edges.front()]);
    added->inlined_into = move.caller;
    added->inlined_on = move.into_caller ? 1 : 0;
    const std::vector<SavedCalls> saved = find_saved_calls(source_.joined, flow_, move, single_.whole().whole);
    int64_t told_apart = 0;
    for (const SavedCalls& calls : saved) {
      told_apart += calls.value;
      added->cause.inside.push_back(counted_apart(calls));
    }
    added->cause.delta -= told_apart;
    told_moves_.push_back({&move, sum_of(move.own_terms), sum_of(move.call_terms) - told_apart});
    added->cause.facts = inlined_facts(source_, move, told_moves_.back().own, told_moves_.back().calls);
    for (const SavedCalls& calls : saved) add_saved(move, calls);
  }

  /// The member of a move that takes saved calls out of the calls of the inlined function.
  Cause counted_apart(const SavedCalls& calls) const {
    Cause cause;
    cause.kind = CauseKind::kCalls;
    cause.delta = -calls.value;
    name_call(cause, flow_.condensed.graph.edges[calls.edge]);
    cause.facts = saved_calls_apart_facts(source_, calls);
    return cause;
  }

  void add_saved(const InliningMove& move, const SavedCalls& calls) {
    const FlowEdge& edge = flow_.condensed.graph.edges[calls.edge];
    GroupedCause added;
    added.cause.kind = CauseKind::kCalls;
    added.cause.delta = calls.value;
    name_call(added.cause, edge);
    added.cause.facts = saved_calls_facts(source_, move, calls);
    added.objects = single_.objects_of(move.caller);
    added.within = {move.caller};
    single_.set_place(added.cause, edge.caller);
    causes_.push_back(std::move(added));
  }

  /// `of`: the function that all of its terms are about. Null where they come to nothing.
  Cause* add_sum(const HeadedSum& sum, CauseFacts facts, uint32_t of = GroupedCause::kNoNode) {
    GroupedCause* const added = join(CauseKind::kSum, sum.terms, sum.node);
    if (!added) return nullptr;
    added->cause.function = node_label(source_, sum.node);
    added->cause.facts = std::move(facts);
    added->node = of;
    return &added->cause;
  }

  /// A function's work as a whole is what one call leads to, where there is but one.
  void add_work(const HeadedSum& sum, CauseFacts facts, uint32_t of = GroupedCause::kNoNode,
                std::vector<Remark> remarks = {}) {
    Cause* const cause = add_sum(sum, std::move(facts), of);
    if (!cause) return;
    cause->remarks = std::move(remarks);
    if (flow_.condensed.members[sum.node].size() > 1) return name_entry(*cause, sum.node);
    const FlowEdge* const only = only_call_of(flow_.condensed.graph, sum.node);
    if (only != nullptr) name_call(*cause, *only);
  }

  /// The only call that enters a cycle, by the function that it enters.
  void name_entry(Cause& cause, uint32_t cycle) const {
    const std::vector<uint32_t>& node_of = flow_.condensed.node_of;
    const FlowEdge* only = nullptr;
    for (const FlowEdge& edge : source_.joined.flow.edges) {
      if (node_of[edge.callee] != cycle || node_of[edge.caller] == cycle) continue;
      if (only != nullptr) return;
      only = &edge;
    }
    if (only == nullptr) return;
    cause.caller = source_.joined.functions[only->caller].name;
    cause.callee = source_.joined.functions[only->callee].name;
  }

  /// "self cost of `encode`: 63,412 -> 582,746 per call (37 calls) (+19,215,386), and its calls (+6,756,290)"
  void add_grown(const HeadedSum& sum) {
    const int64_t calls = sum_of(std::span(sum.terms).subspan(1));
    Cause own = single_.cause_of(sum.terms.front());
    own.remarks.push_back({.kind = Remark::Kind::kWithCalls, .delta = own.delta, .other_delta = calls});
    add_work(sum, std::move(own.facts), sum.node, std::move(own.remarks));
  }

  void add_dispatched(const DispatchedCalls& calls) {
    // Inside an allocator the dispatcher is what users know, and the rest is noise.
    if (is_taken(calls.terms) || !groups_.of_node(flow_.condensed.graph.edges[calls.through].caller).empty()) return;
    const FlowEdge &by = flow_.condensed.graph.edges[calls.by], &through = flow_.condensed.graph.edges[calls.through];
    GroupedCause* const added = join(CauseKind::kCalls, calls.terms, through.caller);
    if (!added) return;
    name_call(added->cause, through);
    added->cause.facts = fact::CallsOnBehalf{calls_facts(source_, calls.through), source_.names[by.caller]};
  }

  void add_nested(const NestedCalls& calls) {
    if (is_taken(calls.terms)) return;
    const FlowEdge& outer = flow_.condensed.graph.edges[calls.outer];
    GroupedCause* const added = join(CauseKind::kCalls, calls.terms, outer.caller);
    if (!added) return;
    name_call(added->cause, outer);
    added->cause.facts = fact::CallsBelow{calls_facts(source_, calls.outer), calls_facts(source_, calls.inner)};
  }

  void add_replaced(const ReplacedCalls& calls) {
    const FlowEdge& edge = flow_.condensed.graph.edges[calls.edges[1]];
    GroupedCause* const added = join(CauseKind::kCalls, {calls.terms.begin(), calls.terms.end()}, edge.caller);
    if (!added) return;
    name_call(added->cause, edge);
    added->cause.facts = replaced_call_facts(source_, calls);
    // Whichever side is base, it is a group's where both callees are.
    const std::string_view group = groups_.of_term(flow_.figures.terms[calls.terms[0]]);
    if (group == groups_.of_term(flow_.figures.terms[calls.terms[1]])) added->group = group;
  }

  void add_deeper(const DeeperCluster& cluster) {
    if (is_taken(cluster.terms)) return;
    GroupedCause* const added = join(CauseKind::kCalls, cluster.terms, GroupedCause::kNoNode);
    if (!added) return;
    added->cause.caller = added->cause.callee = deeper_cluster_label(source_, cluster);
    added->cause.facts = deeper_cluster_facts(source_, cluster);
    added->objects = single_.objects_of(cluster.members.front());
  }

  /// A function found under another name is said so even when nothing else changed about it.
  void add_silent_renames() {
    for (uint32_t f = 0; f < source_.joined.functions.size(); ++f) {
      const JoinedFunction& function = source_.joined.functions[f];
      if (single_.has_told_name(f) || function.by != MatchedBy::kEvidence) continue;
      Cause cause;
      cause.kind = CauseKind::kRenamed;
      cause.function = function.name;
      cause.facts = renamed_facts(source_, f, SentenceSource::kNoNode, 0);
      causes_.push_back({std::move(cause), {}, {}});
    }
  }

  void add_rest(int64_t rest) {
    Cause cause;
    cause.kind = CauseKind::kRest;
    cause.delta = rest;
    cause.facts = fact::Rest{};
    causes_.push_back({std::move(cause), {}, {}});
  }

  const OpenedFlow& flow_;
  TermCauses single_;
  const SentenceSource& source_;
  TermGroups groups_;
  std::vector<bool> taken_;  // by term: part of a joined cause
  std::vector<ToldMove> told_moves_;
  std::vector<GroupedCause> causes_;
};

}  // namespace

std::vector<GroupedCause> make_causes(const JoinedGraph& joined, OpenedFlow flow, int64_t delta,
                                      const CauseOpener& open) {
  tell_by_caller(joined, flow, delta);
  return CauseMaker(joined, flow, delta).make(delta, open);
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
