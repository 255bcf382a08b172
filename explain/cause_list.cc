#include "icount/explain/cause_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/cause_places.h"
#include "icount/explain/cause_text.h"
#include "icount/explain/deeper_cluster.h"
#include "icount/explain/headed_sums.h"
#include "icount/explain/inlining.h"
#include "icount/explain/link_time.h"
#include "icount/explain/node_names.h"
#include "icount/explain/optimisation_change.h"
#include "icount/explain/rounding.h"

namespace icount {
namespace {

// One caller's part of a routine's change is told when it is this part of the whole change, and when what a call costs
// changed by that part at least.
constexpr long double kCallersPart = 0.01L, kOtherArguments = 0.05L;
// The group below which the whole program runs; what it calls is told by others.
constexpr std::string_view kLoader = "dynamic loader";
// Functions of groups that lie between a call and what it is worth.
constexpr int kDeepestGroup = 6;

bool matched_silently(MatchedBy by) {
  return by == MatchedBy::kNothing || by == MatchedBy::kName || by == MatchedBy::kPlace;
}

/// The noise group that all members are in; empty where they are not in one.
std::string_view group_of_members(const JoinedGraph& joined, const std::vector<uint32_t>& members) {
  const auto group = [&](uint32_t member) {
    return noise_group_of(joined.functions[member].name, joined.functions[member].object);
  };
  const std::string_view first = group(members.front());
  for (uint32_t member : members)
    if (first.empty() || group(member) != first) return {};
  return first;
}

/// What a library's routine that calls nothing costs is up to its caller's arguments: where one caller's calls changed
/// what they cost the change is told with that caller's calls.
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
    if (std::abs(share.value) < kCallersPart * std::abs(static_cast<long double>(delta)) ||
        std::abs(after - before) < kOtherArguments * std::max(before, after) || !graph.edges_of(node).empty() ||
        group_of_members(joined, flow.condensed.members[node]).empty())
      continue;
    term_of(TermKind::kOwnCost, node).value -= share.value;
    term_of(TermKind::kCalls, share.edge).value += share.value;
    flow.figures.joined_prices[share.edge] = share.own_cost;
  }
}

class CauseMaker {
 public:
  CauseMaker(const JoinedGraph& joined, const OpenedFlow& flow)
      : flow_(flow),
        source_(make_sentence_source(joined, flow)),
        places_(joined),
        said_(joined.functions.size(), false) {}

  std::vector<GroupedCause> make(int64_t delta, const CauseOpener& open) {
    change_ = delta;
    const std::vector<Term>& terms = flow_.figures.terms;
    const int64_t rest = round_terms(delta);
    taken_.assign(terms.size(), false);
    const std::vector<InliningMove> moves = find_inlining_moves(source_.joined, flow_);
    for (const InliningMove& move : moves) add_move(move);
    for (const DeeperCluster& cluster : find_deeper_clusters(flow_)) add_deeper(cluster);
    if (const auto sum = find_longer_work(flow_, taken_, delta)) add_sum(*sum, longer_work_text(source_, *sum));
    for (const HeadedSum& sum : find_longer_loops(flow_, taken_))
      add_sum(sum, longer_loop_text(source_, sum), sum.node);
    for (const HeadedSum& sum : find_shared_callees(flow_, taken_)) add_sum(sum, shared_callee_text(source_, sum));
    for (uint32_t i = 0; i < terms.size(); ++i)
      if (!taken_[i] && (whole_[i] != 0 || inside_.contains(i)))
        causes_.push_back({cause_of(i), group_of(terms[i]), objects_of(terms[i]), node_of(terms[i])});
    if (open) open(flow_, causes_);
    for (const OtherBuild& build : find_other_builds(source_.joined)) add_build(build.objects, other_build_text(build));
    for (const LinkTimeBuild& build : find_link_time_builds(source_.joined, flow_, moves))
      add_build(build.objects, link_time_text(build));
    add_silent_renames();
    if (rest != 0) add_rest(rest);
    return std::move(causes_);
  }

 private:
  /// Rounds all terms to `delta`; own cost of a condensed cluster member by member. Returns what no term carries.
  int64_t round_terms(int64_t delta) {
    struct Piece {
      uint32_t term = 0, member = 0;
    };
    std::vector<Piece> pieces;
    std::vector<long double> values;
    for (uint32_t i = 0; i < flow_.figures.terms.size(); ++i) {
      const Term& term = flow_.figures.terms[i];
      if (!is_cluster(term)) {
        pieces.push_back({i, SentenceSource::kNoNode});
        values.push_back(term.value);
        continue;
      }
      const auto shares = member_terms(source_.joined.flow, flow_, term);
      for (size_t m = 0; m < shares.size(); ++m) {
        pieces.push_back({i, flow_.condensed.members[term.index][m]});
        values.push_back(shares[m]);
      }
    }
    const RoundedTerms rounded = round_to_total(values, delta, by_magnitude(values));
    whole_.assign(flow_.figures.terms.size(), 0);
    for (size_t i = 0; i < pieces.size(); ++i) {
      whole_[pieces[i].term] += rounded.whole[i];
      if (pieces[i].member != SentenceSource::kNoNode && rounded.whole[i] != 0)
        inside_[pieces[i].term].emplace_back(pieces[i].member, rounded.whole[i]);
    }
    return rounded.rest;
  }

  bool is_cluster(const Term& term) const {
    return term.kind == TermKind::kOwnCost && flow_.condensed.members[term.index].size() > 1;
  }

  /// Terms come by kind and number, which do not depend on the sides, so that a stable sort gives a total order.
  static std::vector<uint32_t> by_magnitude(const std::vector<long double>& values) {
    std::vector<uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return std::abs(values[a]) > std::abs(values[b]); });
    return order;
  }

  MatchedBy matched_by(uint32_t node) const {
    const auto& members = flow_.condensed.members[node];
    return members.size() == 1 ? source_.joined.functions[members.front()].by : MatchedBy::kName;
  }

  /// The noise group in which a term happens: that of the function itself, or of the caller. A routine exchanged by
  /// dispatch is a cause, no noise.
  std::string_view group_of(const Term& term) {
    const bool calls = term.kind == TermKind::kCalls;
    if (calls && binds_a_symbol(flow_.condensed.graph.edges[term.index].callee))
      return group_of_node(flow_.condensed.graph.edges[term.index].callee);
    const uint32_t node = calls ? flow_.condensed.graph.edges[term.index].caller : term.index;
    if (term.kind == TermKind::kOwnCost && !matched_silently(matched_by(node))) return {};
    const std::string_view group = group_of_node(node);
    if (calls && !group.empty() && group != kLoader &&
        !is_inside_groups(flow_.condensed.graph.edges[term.index].callee))
      return {};
    return group;
  }

  /// Whose call happens to be the first one of a library's function, and pays for its lazy binding, means nothing.
  bool binds_a_symbol(uint32_t callee) const {
    const auto& members = flow_.condensed.members[callee];
    return members.size() == 1 && source_.joined.functions[members.front()].name.starts_with("_dl_runtime_resolve");
  }

  /// Whether most of what a call is worth lies in groups: pthread_once calls anything.
  bool is_inside_groups(uint32_t node) {
    long double worth = 0, inside = 0;
    for (const SideFigures& side : flow_.figures.sides) {
      worth += side.worth[node];
      inside += worth_in_groups(side, node, kDeepestGroup);
    }
    return inside >= worth / 2;
  }

  long double worth_in_groups(const SideFigures& side, uint32_t node, int depth) {
    if (depth == 0 || group_of_node(node).empty()) return 0;
    long double worth = side.own_cost[node];
    const FlowGraph& graph = flow_.condensed.graph;
    for (uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e)
      if (graph.edges[e].callee != node && side.calls_per_call[e] > 0)
        worth += side.calls_per_call[e] * worth_in_groups(side, graph.edges[e].callee, depth - 1);
    return worth;
  }

  std::string_view group_of_node(uint32_t node) {
    if (groups_.empty()) groups_.resize(flow_.condensed.graph.nodes.size());
    if (!groups_[node]) groups_[node] = group_of_members(source_.joined, flow_.condensed.members[node]);
    return *groups_[node];
  }

  /// The terms of one inlining move as one cause; nothing happens when all of them round to nothing.
  void add_move(const InliningMove& move) {
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

  /// Where one object was built differently and most happens in it, all that changed is its doing.
  void add_build(const std::array<std::string_view, 2>& objects, std::string text) {
    int64_t inside = 0, all = 0;
    for (const GroupedCause& grouped : causes_) {
      const int64_t size = std::abs(grouped.cause.delta);
      all = saturating_add(all, size);
      if (grouped.objects[0] == objects[0] || grouped.objects[1] == objects[1]) inside = saturating_add(inside, size);
    }
    if (causes_.empty() || inside < all / 2) return;
    Cause cause;
    cause.kind = CauseKind::kSum;
    for (GroupedCause& grouped : causes_) {
      cause.delta += grouped.cause.delta;
      cause.inside.push_back(std::move(grouped.cause));
    }
    causes_.clear();
    cause.function = base_of_path(objects[1]);
    cause.text = std::move(text);
    causes_.push_back({std::move(cause), {}, {}});
  }

  static std::string other_build_text(const OtherBuild& build) {
    return fmt::format(
        "`{}` was built differently (options, compiler or version): {} of {} functions have another self cost, {} more "
        "are only in base and {} only in head",
        base_of_path(build.objects[1]), build.changed, build.common, build.alone[0], build.alone[1]);
  }

  static std::string link_time_text(const LinkTimeBuild& build) {
    return fmt::format(
        "`{}` was built with{} link-time optimisation: {} functions are {} inlined into functions of other files",
        base_of_path(build.objects[1]), build.side == 1 ? "" : "out", build.functions,
        build.side == 1 ? "now" : "no longer");
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
    if (std::any_of(cluster.terms.begin(), cluster.terms.end(), [this](uint32_t term) { return taken_[term]; })) return;
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
        if (is_cluster(term)) add_members(cause, index);
        break;
    }
    return cause;
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
    cause.text = renamed ? renamed_text(source_, members.front(), node) : self_cost_text(source_, node);
    if (renamed) said_[members.front()] = true;
    if (!cluster) cause.change_per_call = change_per_call(&SideFigures::own_cost, node);
    set_place(cause, node);
    if (!cluster && leads(cause.delta)) add_changed_lines(cause, node);
  }

  /// Where the function of a node begins; of a cycle, its most expensive one.
  void set_place(Cause& cause, uint32_t node) {
    const SourcePlace place = places_.of_function(source_.leaders[node]);
    cause.file = place.file;
    cause.line = place.line;
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
    for (const auto& [member, delta] : inside_[term]) {
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
      cause.text = renamed_text(source_, f, SentenceSource::kNoNode);
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
  int64_t change_ = 0;          // of the total
  std::vector<bool> said_;      // by function: its other name was told
  std::vector<int64_t> whole_;  // by term: what it comes to
  std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, int64_t>>> inside_;  // by term: members of its cluster
  std::vector<std::optional<std::string_view>> groups_;                             // by node, once asked for
  std::vector<bool> taken_;                                                         // by term: part of a joined cause
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
    cause.text = total_cost_text(joined, joined.functions[node], self);
    const std::string_view group = noise_group_of(joined.functions[node].name, joined.functions[node].object);
    causes.push_back({std::move(cause), renamed ? std::string_view() : group, {}});
  }
  return causes;
}

}  // namespace icount
