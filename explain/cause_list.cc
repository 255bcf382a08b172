#include "icount/explain/cause_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "icount/callgraph/name_parts.h"
#include "icount/explain/allocator_change.h"
#include "icount/explain/cause_places.h"
#include "icount/explain/cause_text.h"
#include "icount/explain/container_change.h"
#include "icount/explain/deeper_cluster.h"
#include "icount/explain/edge_text.h"
#include "icount/explain/headed_sum_text.h"
#include "icount/explain/inlining.h"
#include "icount/explain/node_names.h"
#include "icount/explain/proportional_sums.h"
#include "icount/explain/term_groups.h"
#include "icount/explain/whole_objects.h"
#include "icount/explain/whole_terms.h"

namespace icount {
namespace {

class CauseMaker {
 public:
  CauseMaker(const JoinedGraph& joined, const OpenedFlow& flow)
      : flow_(flow),
        source_(make_sentence_source(joined, flow)),
        places_(joined),
        said_(joined.functions.size(), false),
        groups_(joined, flow) {}

  std::vector<GroupedCause> make(int64_t delta, const CauseOpener& open) {
    change_ = delta;
    const std::vector<Term>& terms = flow_.figures.terms;
    terms_ = make_whole_terms(source_.joined, flow_, delta);
    taken_.assign(terms.size(), false);
    if (const auto change = find_allocator_change(source_.joined, flow_, taken_))
      add_replacement(change->terms, "allocator", allocator_change_text(*change));
    for (const ContainerChange& change : find_container_changes(source_.joined, flow_, taken_))
      add_replacement(change.terms, change.containers[1], container_change_text(source_, change), change.users.front());
    const std::vector<InliningMove> moves = find_inlining_moves(source_.joined, flow_);
    for (const InliningMove& move : moves) add_move(move);
    for (const DeeperCluster& cluster : find_deeper_clusters(flow_)) add_deeper(cluster);
    if (const auto sum = find_longer_work(flow_, taken_, delta)) add_sum(*sum, longer_work_text(source_, *sum));
    for (const HeadedSum& sum : find_longer_loops(flow_, taken_))
      add_sum(sum, longer_loop_text(source_, sum), sum.node);
    for (const HeadedSum& sum : find_grown_recursions(flow_, taken_))
      add_sum(sum, grown_recursion_text(source_, sum), sum.node);
    for (const DispatchedCalls& calls : find_dispatched_calls(flow_, taken_)) add_dispatched(calls);
    for (const HeadedSum& sum : find_shared_callees(flow_, taken_)) add_sum(sum, shared_callee_text(source_, sum));
    for (uint32_t i = 0; i < terms.size(); ++i)
      if (!taken_[i] && (terms_.whole[i] != 0 || terms_.inside.contains(i)))
        causes_.push_back({cause_of(i), groups_.of_term(terms[i]), objects_of(terms[i]), node_of(terms[i])});
    if (open) open(flow_, causes_);
    join_other_builds(source_.joined, flow_, moves, causes_);
    add_silent_renames();
    if (terms_.rest != 0) add_rest(terms_.rest);
    return std::move(causes_);
  }

 private:
  MatchedBy matched_by(uint32_t node) const {
    const auto& members = flow_.condensed.members[node];
    return members.size() == 1 ? source_.joined.functions[members.front()].by : MatchedBy::kName;
  }

  bool is_taken(const std::vector<uint32_t>& terms) const {
    return std::any_of(terms.begin(), terms.end(), [this](uint32_t term) { return taken_[term]; });
  }

  /// What took another's place: `what` is head's. `user`: the function that exchanged them, where that is one.
  void add_replacement(const std::vector<uint32_t>& terms, std::string_view what, std::string text,
                       uint32_t user = GroupedCause::kNoNode) {
    Cause cause;
    cause.kind = CauseKind::kSum;
    cause.delta = take(terms, cause);
    if (cause.inside.empty()) return;
    cause.function = what;
    cause.text = std::move(text);
    if (user != GroupedCause::kNoNode) set_place(cause, user);
    causes_.push_back({std::move(cause), {}, {}});
  }

  /// The terms of one inlining move as one cause; nothing happens when all of them round to nothing.
  void add_move(const InliningMove& move) {
    if (is_taken(move.own_terms) || is_taken(move.call_terms)) return;
    Cause cause;
    cause.kind = CauseKind::kInlined;
    const int64_t own = take(move.own_terms, cause), calls = take(move.call_terms, cause);
    if (cause.inside.empty()) return;
    cause.delta = own + calls;
    cause.caller = node_label(source_, move.caller);
    cause.callee = node_label(source_, flow_.condensed.graph.edges[move.lost_edges.front()].callee);
    cause.text = inlined_text(source_, move, own, calls);
    set_place(cause, move.caller);
    causes_.push_back({std::move(cause), {}, objects_of(move.caller)});
    causes_.back().inlined_into = move.caller;
    causes_.back().inlined_on = move.into_caller ? 1 : 0;
  }

  /// `of`: the function that all of its terms are about.
  void add_sum(const HeadedSum& sum, std::string text, uint32_t of = GroupedCause::kNoNode) {
    Cause cause;
    cause.kind = CauseKind::kSum;
    cause.delta = take(sum.terms, cause);
    if (cause.inside.empty()) return;
    cause.function = node_label(source_, sum.node);
    cause.text = std::move(text);
    set_place(cause, sum.node);
    causes_.push_back({std::move(cause), {}, objects_of(sum.node), of});
  }

  void add_dispatched(const DispatchedCalls& calls) {
    if (is_taken(calls.terms)) return;
    Cause cause;
    cause.kind = CauseKind::kCalls;
    cause.delta = take(calls.terms, cause);
    if (cause.inside.empty()) return;
    const FlowEdge &by = flow_.condensed.graph.edges[calls.by], &through = flow_.condensed.graph.edges[calls.through];
    cause.caller = node_label(source_, through.caller);
    cause.callee = node_label(source_, through.callee);
    cause.text = fmt::format("{}, for {}", edge_text(source_, calls.through), source_.names[by.caller]);
    set_place(cause, through.caller);
    causes_.push_back({std::move(cause), {}, objects_of(through.caller)});
  }

  /// The function of whose own cost or calls a term tells.
  uint32_t node_of(const Term& term) const {
    switch (term.kind) {
      case TermKind::kOwnCost:
        return term.index;
      case TermKind::kCalls:
        return flow_.condensed.graph.edges[term.index].caller;
      case TermKind::kEntry:
        break;
    }
    return GroupedCause::kNoNode;
  }

  std::array<std::string_view, 2> objects_of(uint32_t node) const {
    std::array<std::string_view, 2> objects;
    const JoinedFunction& function = source_.joined.functions[flow_.condensed.members[node].front()];
    for (size_t side = 0; side < 2; ++side)
      if (function.folded[side] != kNoFunction)
        objects[side] = source_.joined.sides[side]->functions[function.folded[side]].object;
    return objects;
  }

  std::array<std::string_view, 2> objects_of(const Term& term) const {
    return objects_of(term.kind == TermKind::kCalls ? flow_.condensed.graph.edges[term.index].caller : term.index);
  }

  void add_deeper(const DeeperCluster& cluster) {
    if (is_taken(cluster.terms)) return;
    Cause cause;
    cause.kind = CauseKind::kCalls;
    cause.delta = take(cluster.terms, cause);
    if (cause.inside.empty()) return;
    cause.caller = cause.callee = deeper_cluster_label(source_, cluster);
    cause.text = deeper_cluster_text(source_, cluster);
    causes_.push_back({std::move(cause), {}, objects_of(cluster.members.front())});
  }

  int64_t take(const std::vector<uint32_t>& terms, Cause& cause) {
    int64_t sum = 0;
    for (uint32_t term : terms) {
      taken_[term] = true;
      if (terms_.whole[term] == 0) continue;
      cause.inside.push_back(cause_of(term));
      sum += terms_.whole[term];
    }
    return sum;
  }

  Cause cause_of(uint32_t index) {
    const Term& term = flow_.figures.terms[index];
    Cause cause;
    cause.delta = terms_.whole[index];
    switch (term.kind) {
      case TermKind::kCalls: {
        const FlowEdge& edge = flow_.condensed.graph.edges[term.index];
        cause.kind = CauseKind::kCalls;
        cause.caller = node_label(source_, edge.caller);
        cause.callee = node_label(source_, edge.callee);
        if (const LeadingCall& leading = source_.leading_calls[term.index]; leading.is_all)
          name_members(cause, edge, source_.joined.flow.edges[leading.edge], term.index);
        else
          cause.text = calls_text(source_, term.index);
        cause.change_per_call = change_per_call(&SideFigures::calls_per_call, term.index);
        set_place(cause, edge.caller);
        break;
      }
      case TermKind::kEntry:
        cause.kind = CauseKind::kEntry;
        cause.function = node_label(source_, term.index);
        cause.text = entry_text(source_, term.index);
        set_place(cause, term.index);
        break;
      case TermKind::kOwnCost:
        fill_own_cost(cause, term.index);
        if (is_of_cluster(flow_, term)) add_members(cause, index);
        break;
    }
    return cause;
  }

  /// Calls from or to a cycle that are nearly all between the same two functions are told by these.
  void name_members(Cause& cause, const FlowEdge& edge, const FlowEdge& call, uint32_t number) {
    std::array<std::pair<uint32_t, std::string>, 2> whole;  // what the nodes are called otherwise
    for (const auto& [node, member, label, at] : {std::tuple(edge.caller, call.caller, &cause.caller, 0),
                                                  std::tuple(edge.callee, call.callee, &cause.callee, 1)}) {
      whole[static_cast<size_t>(at)] = {node, source_.names[node]};
      const size_t members = flow_.condensed.members[node].size();
      if (members == 1) continue;
      *label = source_.joined.functions[member].name;
      source_.names[node] = name_in_cycle(source_.function_names[member], members);
    }
    cause.text = calls_text(source_, number);
    for (auto& [node, name] : whole) source_.names[node] = std::move(name);
  }

  /// Head's figure less base's. What only one side calls has the other's figures, and so no term and no cause.
  double change_per_call(std::vector<long double> SideFigures::*figure, uint32_t index) const {
    const auto& [base, head] = source_.figures.sides;
    return static_cast<double>((head.*figure)[index] - (base.*figure)[index]);
  }

  void fill_own_cost(Cause& cause, uint32_t node) {
    cause.function = node_label(source_, node);
    const auto& members = flow_.condensed.members[node];
    const bool cluster = members.size() > 1;
    const bool renamed = !matched_silently(matched_by(node));
    cause.kind = cluster ? CauseKind::kCluster : renamed ? CauseKind::kRenamed : CauseKind::kOwnCost;
    cause.text = renamed ? renamed_text(source_, members.front(), node, cause.delta)
                         : self_cost_text(source_, node, cause.delta);
    if (renamed) said_[members.front()] = true;
    if (!cluster) cause.change_per_call = change_per_call(&SideFigures::own_cost, node);
    set_place(cause, node);
    if (!cluster && leads(cause.delta)) add_changed_lines(cause, node);
  }

  /// Where the function of a node begins, and what it is a part of; of a cycle, its most expensive one.
  void set_place(Cause& cause, uint32_t node) {
    const SourcePlace place = places_.of_function(source_.leaders[node]);
    cause.file = place.file;
    cause.line = place.line;
    const auto objects = objects_of(node);
    cause.object = objects[1].empty() ? objects[0] : objects[1];
    if (flow_.condensed.members[node].size() > 1) cause.cycle = node_label(source_, node);
  }

  /// Lines are looked at only where the cause is a hundredth of the change or more: there are thousands of causes.
  bool leads(int64_t delta) const {
    return 100 * std::abs(static_cast<long double>(delta)) >= std::abs(static_cast<long double>(change_));
  }

  /// The line or the few lines that carry the change, where there are such.
  void add_changed_lines(Cause& cause, uint32_t node) {
    const auto& [base, head] = flow_.figures.sides;
    const bool in_total = flow_.figures.fixed_self[node] || base.calls[node] == 0 || head.calls[node] == 0;
    const std::array<long double, 2> scale = {in_total ? 1 : 1 / base.calls[node], in_total ? 1 : 1 / head.calls[node]};
    const auto lines = places_.changed_lines(flow_.condensed.members[node].front(), scale);
    if (!lines) return;
    cause.text += changed_lines_text(*lines, cause.delta);
    cause.line = lines->lines.front();
    if (base_of_path(cause.file) != lines->file) cause.file = lines->file;
  }

  /// What each member of a condensed cluster contributes.
  void add_members(Cause& cause, uint32_t term) {
    const uint32_t node = flow_.figures.terms[term].index;
    for (const auto& [member, delta] : terms_.inside[term]) {
      Cause share;
      share.kind = CauseKind::kOwnCost;
      share.function = source_.joined.functions[member].name;
      share.delta = delta;
      share.text = member_text(source_, node, member);
      cause.inside.push_back(std::move(share));
    }
    sort_causes(cause.inside);
    if (!cause.inside.empty())
      cause.text += fmt::format("; mostly in {}", quoted(source_.joined, cause.inside.front().function));
  }

  /// A function found under another name is said so even when nothing else changed about it.
  void add_silent_renames() {
    for (uint32_t f = 0; f < source_.joined.functions.size(); ++f) {
      const JoinedFunction& function = source_.joined.functions[f];
      if (said_[f] || function.by != MatchedBy::kEvidence) continue;
      Cause cause;
      cause.kind = CauseKind::kRenamed;
      cause.function = function.name;
      cause.text = renamed_text(source_, f, SentenceSource::kNoNode, 0);
      causes_.push_back({std::move(cause), {}, {}});
    }
  }

  void add_rest(int64_t rest) {
    Cause cause;
    cause.kind = CauseKind::kRest;
    cause.delta = rest;
    cause.text = "call counts exceed 64 bits: what the other causes leave unexplained";
    causes_.push_back({std::move(cause), {}, {}});
  }

  const OpenedFlow& flow_;
  SentenceSource source_;
  CausePlaces places_;
  int64_t change_ = 0;      // of the total
  std::vector<bool> said_;  // by function: its other name was told
  WholeTerms terms_;
  TermGroups groups_;
  std::vector<bool> taken_;  // by term: part of a joined cause
  std::vector<GroupedCause> causes_;
};

}  // namespace

std::vector<GroupedCause> make_causes(const JoinedGraph& joined, OpenedFlow flow, int64_t delta,
                                      const CauseOpener& open) {
  tell_by_caller(joined, flow, delta);
  return CauseMaker(joined, flow).make(delta, open);
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
    cause.text = total_cost_text(joined, joined.functions[node], self);
    const std::string_view group = noise_group_of(joined, joined.functions[node]);
    causes.push_back({std::move(cause), renamed ? std::string_view() : group, {}});
  }
  return causes;
}

}  // namespace icount
