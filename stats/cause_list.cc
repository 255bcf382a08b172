#include "stats/cause_list.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "stats/cause_text.h"
#include "stats/inlining.h"
#include "stats/noise_groups.h"
#include "stats/rounding.h"

namespace icount {
namespace {

bool matched_silently(MatchedBy by) { return by == MatchedBy::kNothing || by == MatchedBy::kName || by == MatchedBy::kPlace; }

class CauseMaker {
 public:
  CauseMaker(const JoinedGraph& joined, const OpenedFlow& flow)
      : flow_(flow), source_{joined, flow.condensed, flow.figures}, said_(joined.functions.size(), false) {}

  std::vector<GroupedCause> make(int64_t delta) {
    const std::vector<Term>& terms = flow_.figures.terms;
    std::vector<long double> values;
    for (const Term& term : terms) values.push_back(term.value);
    RoundedTerms rounded = round_to_total(values, delta, order_of(terms));
    whole_ = std::move(rounded.whole);
    taken_.assign(terms.size(), false);
    for (const ClusterFold& fold : cancelling_clusters(flow_)) add_cluster(fold);
    for (const InliningMove& move : find_inlining_moves(source_.joined, flow_)) add_move(move);
    for (uint32_t i = 0; i < terms.size(); ++i)
      if (!taken_[i] && whole_[i] != 0) causes_.push_back({cause_of(i), group_of(terms[i])});
    add_silent_renames();
    if (rounded.rest != 0) add_rest(rounded.rest);
    return std::move(causes_);
  }

 private:
  static std::vector<uint32_t> order_of(const std::vector<Term>& terms) {
    std::vector<uint32_t> order(terms.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    // Terms come by kind and number, which do not depend on the sides, so a stable sort is a total order.
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return std::abs(terms[a].value) > std::abs(terms[b].value); });
    return order;
  }

  MatchedBy matched_by(uint32_t node) const {
    const auto& members = flow_.condensed.members[node];
    return members.size() == 1 ? source_.joined.functions[members.front()].by : MatchedBy::kName;
  }

  /// The noise group in which a term happens: that of the function itself, or of the caller. A routine exchanged by
  /// dispatch is a cause, no noise.
  std::string_view group_of(const Term& term) const {
    const uint32_t node = term.kind == TermKind::kCalls ? flow_.condensed.graph.edges[term.index].caller : term.index;
    if (term.kind == TermKind::kOwnCost && !matched_silently(matched_by(node))) return {};
    const auto group = [&](uint32_t member) {
      const JoinedFunction& function = source_.joined.functions[member];
      return noise_group_of(function.name, function.object);
    };
    const auto& members = flow_.condensed.members[node];
    const std::string_view first = group(members.front());
    for (uint32_t member : members)
      if (first.empty() || group(member) != first) return {};
    return first;
  }

  void add_cluster(const ClusterFold& fold) {
    Cause cause;
    cause.kind = CauseKind::kCluster;
    cause.delta = take(fold.terms, cause);
    if (cause.inside.empty()) return;
    sort_causes(cause.inside);
    cause.function = cluster_label(source_, fold.nodes);
    cause.text = cluster_text(source_, fold.nodes, cause.inside.front().text);
    causes_.push_back({std::move(cause), {}});
  }

  /// The terms of one inlining move as one cause; nothing happens when all of them round to nothing.
  void add_move(const InliningMove& move) {
    const auto is_taken = [this](uint32_t term) { return taken_[term]; };
    if (std::any_of(move.own_terms.begin(), move.own_terms.end(), is_taken) || std::any_of(move.call_terms.begin(), move.call_terms.end(), is_taken)) return;
    Cause cause;
    cause.kind = CauseKind::kInlined;
    const int64_t own = take(move.own_terms, cause), calls = take(move.call_terms, cause);
    if (cause.inside.empty()) return;
    cause.delta = own + calls;
    cause.caller = node_label(source_, move.caller);
    cause.callee = node_label(source_, flow_.condensed.graph.edges[move.lost_edges.front()].callee);
    cause.text = inlined_text(source_, move, own, calls);
    causes_.push_back({std::move(cause), {}});
  }

  int64_t take(const std::vector<uint32_t>& terms, Cause& cause) {
    int64_t sum = 0;
    for (uint32_t term : terms) {
      taken_[term] = true;
      if (whole_[term] == 0) continue;
      cause.inside.push_back(cause_of(term));
      sum += whole_[term];
    }
    return sum;
  }

  Cause cause_of(uint32_t index) {
    const Term& term = flow_.figures.terms[index];
    Cause cause;
    cause.delta = whole_[index];
    switch (term.kind) {
      case TermKind::kCalls: {
        const FlowEdge& edge = flow_.condensed.graph.edges[term.index];
        cause.kind = CauseKind::kCalls;
        cause.caller = node_label(source_, edge.caller);
        cause.callee = node_label(source_, edge.callee);
        cause.text = calls_text(source_, term.index);
        cause.change_per_call = change_per_call(&SideFigures::calls_per_call, term.index, edge.caller);
        break;
      }
      case TermKind::kEntry:
        cause.kind = CauseKind::kEntry;
        cause.function = node_label(source_, term.index);
        cause.text = entry_text(source_, term.index);
        break;
      case TermKind::kOwnCost: fill_own_cost(cause, term.index); break;
    }
    return cause;
  }

  /// Head's figure less base's; nullopt when a side does not call `node`, whose calls the figure is by.
  std::optional<double> change_per_call(std::vector<long double> SideFigures::*figure, uint32_t index, uint32_t node) const {
    const auto& [base, head] = source_.figures.sides;
    if (base.calls[node] == 0 || head.calls[node] == 0) return std::nullopt;
    return static_cast<double>((head.*figure)[index] - (base.*figure)[index]);
  }

  void fill_own_cost(Cause& cause, uint32_t node) {
    cause.function = node_label(source_, node);
    const auto& members = flow_.condensed.members[node];
    const bool cluster = members.size() > 1;
    const bool renamed = !matched_silently(matched_by(node));
    cause.kind = cluster ? CauseKind::kCluster : renamed ? CauseKind::kRenamed : CauseKind::kOwnCost;
    cause.text = renamed ? renamed_text(source_, members.front(), node) : own_cost_text(source_, node);
    if (renamed) said_[members.front()] = true;
    if (!cluster) cause.change_per_call = change_per_call(&SideFigures::own_cost, node, node);
  }

  /// A function found under another name is said so even when nothing else changed about it.
  void add_silent_renames() {
    for (uint32_t f = 0; f < source_.joined.functions.size(); ++f) {
      const JoinedFunction& function = source_.joined.functions[f];
      if (said_[f] || function.by != MatchedBy::kEvidence) continue;
      Cause cause;
      cause.kind = CauseKind::kRenamed;
      cause.function = function.name;
      cause.text = renamed_text(source_, f, TextSource::kNoNode);
      causes_.push_back({std::move(cause), {}});
    }
  }

  void add_rest(int64_t rest) {
    Cause cause;
    cause.kind = CauseKind::kRest;
    cause.delta = rest;
    cause.text = "call counts too large to follow: what the other causes do not carry";
    causes_.push_back({std::move(cause), {}});
  }

  const OpenedFlow& flow_;
  TextSource source_;
  std::vector<bool> said_;      // by function: its other name was told
  std::vector<int64_t> whole_;  // by term: what it comes to
  std::vector<bool> taken_;     // by term: part of a joined cause
  std::vector<GroupedCause> causes_;
};

}  // namespace

std::vector<GroupedCause> make_causes(const JoinedGraph& joined, const OpenedFlow& flow, int64_t delta) {
  return CauseMaker(joined, flow).make(delta);
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
    cause.text = total_cost_text(joined.functions[node], self);
    const std::string_view group = noise_group_of(joined.functions[node].name, joined.functions[node].object);
    causes.push_back({std::move(cause), renamed ? std::string_view() : group});
  }
  return causes;
}

}  // namespace icount
