#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/claims/relations.h"
#include "icount/explain/claims/term_causes.h"
#include "icount/explain/weights.h"

namespace icount {

long double InliningTrace::own_gain(uint32_t caller, size_t from) const {
  if (!flow_.figures.fixed_self[caller]) return side(1 - from).own_cost[caller] - side(from).own_cost[caller];
  const BothSides& self = graph_.nodes[caller].self;
  return static_cast<long double>(self[1 - from] - self[from]) * 2 / (side(0).calls[caller] + side(1).calls[caller]);
}

Trace InliningTrace::look_for(uint32_t caller, uint32_t callee, size_t from, long double times) {
  const uint32_t inner = folded(callee, from);
  if (inner == kNoFunction || folded(caller, 0) == kNoFunction || folded(caller, 1) == kNoFunction)
    return Trace::kUnknown;
  const long double body = times * side(from).own_cost[callee];
  const std::string_view name = joined_.sides[from]->functions[inner].name;
  const auto there = inlined_cost(caller, name, 1 - from), here = inlined_cost(caller, name, from);
  if (there && here) {
    if (*there - *here > body * kSame) return Trace::kSeen;
    if (side(from).own_cost[callee] > kCallOverhead) return Trace::kElsewhere;
  }
  const std::vector<LineCost> lines = lines_.of(from).lines_of(inner);
  if (lines.empty() || !lines_.of(1 - from).has_lines()) return Trace::kUnknown;
  const Body whole{base_of_path(joined_.sides[from]->functions[inner].file), body, times / side(from).calls[callee]};
  return trace_in_lines(caller, lines, from, whole);
}

std::optional<long double> InliningTrace::inlined_cost(uint32_t caller, std::string_view callee, size_t s) {
  const FoldedGraph& graph = *joined_.sides[s];
  const ProfileCode* const code = graph.graph->code.get();
  if (!code || code->objects.empty() || code->events != graph.graph->event_count() || side(s).calls[caller] <= 0)
    return std::nullopt;
  const uint32_t function = folded(caller, s);
  if (!inlined_names_[s]) inlined_names_[s].emplace(*code);
  const std::vector<bool> inside = inlined_names_[s]->inside(callee);
  int64_t cost = 0;
  bool known = false;
  for (const FunctionCode& piece : code->functions) {
    if (graph.folded_of[piece.function] != function) continue;
    const CodeObject* const object = find_object(*code, graph.graph->object(piece.function));
    if (!object || !object->has_names) return std::nullopt;
    known = true;
    for (size_t r = 0; r < piece.rows.size(); ++r)
      if (inside[piece.rows[r].inlined]) cost = saturating_add(cost, piece.self[r * code->events + graph.event]);
  }
  if (!known) return std::nullopt;
  return static_cast<long double>(cost) / side(s).calls[caller];
}

bool InliningTrace::gain_fits(uint32_t caller, size_t from, long double body) const {
  const long double gain = own_gain(caller, from);
  return gain >= body * kLeastBody && gain <= body * kMostBody;
}

/// Lines of the callee's file that the caller did not have before are proof, and so is much code on new lines of other
/// files. Lines that both had anyway (of a template used by both) count only when the caller's own cost grew with them.
Trace InliningTrace::trace_in_lines(uint32_t caller, const std::vector<LineCost>& lines, size_t from,
                                    const Body& body) {
  long double fresh = 0, fresh_in_file = 0, grown = 0, grown_in_file = 0, in_file = 0;
  for (const LineCost& line : lines) {
    // A line costs inside the caller about what it did in the callee; what is more belongs to other code on that line.
    const long double share = body.part * static_cast<long double>(line.cost);
    const long double growth = std::clamp(growth_on_line(caller, line, from), 0.0L, kMostBody * share);
    grown += growth;
    if (line.file == body.file) {
      in_file += share;
      grown_in_file += growth;
    }
    if (cost_at(caller, line, from) > 0) continue;
    fresh += growth;
    if (line.file == body.file) fresh_in_file += growth;
  }
  const bool seen = fresh_in_file > body.cost * kSame || fresh >= body.cost * kLeastBody ||
                    (grown >= body.cost * kLeastBody && gain_fits(caller, from, body.cost));
  if (seen) return Trace::kSeen;
  const bool other_file = body.file != base_of_path(joined_.sides[from]->functions[folded(caller, from)].file);
  return other_file && grown_in_file == 0 && in_file >= body.cost * kLeastBody ? Trace::kElsewhere : Trace::kNotSeen;
}

/// How much more a call of the caller costs on that line of the callee, on the side that does not call it.
long double InliningTrace::growth_on_line(uint32_t caller, const LineCost& line, size_t from) {
  const uint64_t there = line.line + static_cast<uint64_t>(lines_.shifts().of(line.file, line.line, from));
  return cost_at(caller, {line.file, there, 0}, 1 - from) / side(1 - from).calls[caller] -
         cost_at(caller, line, from) / side(from).calls[caller];
}

long double InliningTrace::cost_at(uint32_t caller, const LineCost& line, size_t s) {
  if (lines_caller_[s] != caller) {
    lines_caller_[s] = caller;
    caller_lines_[s] = lines_.of(s).lines_of(folded(caller, s));
  }
  const auto at = std::lower_bound(
      caller_lines_[s].begin(), caller_lines_[s].end(), line,
      [](const LineCost& a, const LineCost& b) { return std::tie(a.file, a.line) < std::tie(b.file, b.line); });
  return at != caller_lines_[s].end() && at->file == line.file && at->line == line.line
             ? static_cast<long double>(at->cost)
             : 0;
}

std::string_view InliningTrace::object_of(uint32_t node, size_t s) const {
  const uint32_t function = folded(node, s);
  return function == kNoFunction ? std::string_view() : joined_.sides[s]->functions[function].object;
}

uint32_t InliningTrace::folded(uint32_t node, size_t s) const {
  const auto& members = flow_.condensed.members[node];
  return members.size() == 1 ? joined_.functions[members.front()].folded[s] : kNoFunction;
}

namespace {

constexpr int kDeepest = 6;  // functions inlined into each other
constexpr uint32_t kNoTerm = std::numeric_limits<uint32_t>::max();

// New calls below this worth per call (lazy binding, a rare error path) do not mean that a function was rewritten.
constexpr long double kNewCall = 1;

/// An edge that one side has not, with what would move if the callee had been inlined.
struct LostCall {
  uint32_t edge = 0;
  long double lost = 0;  ///< calls per call of the caller
  long double body = 0;  ///< self cost per call of the caller that should turn up inside it
  Trace trace = Trace::kUnknown;
  bool same_object = false;    ///< of caller and callee; code of another library is not inlined by the compiler alone
  bool small = false;          ///< the callee is of the size that compilers inline unasked
  long double worth = 0;       ///< of the lost calls with all below them, per call of the caller
  long double taken_over = 0;  ///< worth of the callee's callees that the caller now calls itself, per call
  bool vanishes = false;       ///< the other side inlines small functions throughout
  bool gone = false;           ///< nobody calls the callee any more
  std::vector<uint32_t> gained_edges;
};

class InliningSearch {
 public:
  InliningSearch(const JoinedGraph& joined, const OpenedFlow& flow)
      : trace_(joined, flow),
        optimised_(find_optimisation_changes(joined)),
        flow_(flow),
        graph_(flow.condensed.graph),
        own_term_(graph_.nodes.size(), kNoTerm),
        edge_term_(graph_.edges.size(), kNoTerm) {
    const auto& terms = flow.figures.terms;
    for (uint32_t i = 0; i < terms.size(); ++i) {
      if (terms[i].kind == TermKind::kOwnCost) own_term_[terms[i].index] = i;
      if (terms[i].kind == TermKind::kCalls) edge_term_[terms[i].index] = i;
    }
  }

  std::vector<InliningMove> find() {
    for (uint32_t node = 0; node < graph_.nodes.size(); ++node) look_at(node);
    return std::move(moves_);
  }

 private:
  const SideFigures& side(size_t s) const { return flow_.figures.sides[s]; }

  /// Both directions; the one that moves more wins, since the caller's own cost can't be told apart. Of equals it is
  /// the one of the first call, in the order of nodes, which is the same whichever side is base.
  void look_at(uint32_t caller) {
    if (flow_.condensed.members[caller].size() > 1) return;
    InliningMove best;
    long double best_weight = 0;
    for (size_t caller_side = 0; caller_side < 2; ++caller_side) {
      long double weight = 0;
      InliningMove move = look_one_way(caller, caller_side, weight);
      const bool is_first = weight == best_weight && weight > 0 && move.lost_edges < best.lost_edges;
      if (weight > best_weight || is_first) {
        best = std::move(move);
        best_weight = weight;
      }
    }
    if (best_weight > 0) moves_.push_back(std::move(best));
  }

  /// `from` is the side on which the calls are made, the other one is where the code would be inside the caller.
  InliningMove look_one_way(uint32_t caller, size_t from, long double& weight) {
    std::vector<LostCall> lost = lost_calls(caller, from);
    if (lost.empty()) return {};
    keep_likely(caller, from, lost);
    if (lost.empty()) return {};
    const bool seen =
        std::any_of(lost.begin(), lost.end(), [](const LostCall& call) { return call.trace == Trace::kSeen; });
    std::stable_sort(lost.begin(), lost.end(), [](const LostCall& a, const LostCall& b) { return a.body > b.body; });
    InliningMove move;
    move.caller = caller;
    move.into_caller = from == 0;
    move.callee_is_known = lost.front().trace == Trace::kSeen || !lost.front().gone;
    if (own_term_[caller] != kNoTerm) move.own_terms.push_back(own_term_[caller]);
    for (const LostCall& call : lost) {
      weight += call.body;
      move.lost_edges.push_back(call.edge);
      move.call_terms.push_back(edge_term_[call.edge]);
      for (uint32_t edge : call.gained_edges)
        if (edge_term_[edge] != kNoTerm &&
            std::find(move.own_terms.begin(), move.own_terms.end(), edge_term_[edge]) == move.own_terms.end())
          move.own_terms.push_back(edge_term_[edge]);
      add_calls_of_rest(move, caller, from, call);
    }
    if (!leaves_little(caller, from, lost) && !balances(move, seen)) weight = 0;
    return move;
  }

  /// Where a callee's code was seen inside the caller, and nearly all that its calls cost is in as many calls of a
  /// function that is new: the part of it that was not inlined, under a name of its own.
  void add_calls_of_rest(InliningMove& move, uint32_t caller, size_t from, const LostCall& lost) const {
    if (lost.trace != Trace::kSeen) return;
    const long double value = flow_.figures.terms[edge_term_[lost.edge]].value;
    for (uint32_t e = graph_.first_edge[caller]; e < graph_.first_edge[caller + 1]; ++e) {
      const uint32_t callee = graph_.edges[e].callee, term = edge_term_[e];
      const bool is_new = graph_.edges[e].calls[from] == 0 && side(from).calls[callee] == 0 && term != kNoTerm;
      if (!is_new || trace_.object_of(callee, 1 - from) != trace_.object_of(lost_callee(lost), from)) continue;
      const long double calls = side(1 - from).calls_per_call[e], other = flow_.figures.terms[term].value;
      const bool as_many = calls >= kNearlyAll * lost.lost && calls <= kGrew * lost.lost;
      const bool as_dear = other * value < 0 && std::abs(other + value) <= kLeastBody * std::abs(value);
      if (as_many && as_dear && std::find(move.own_terms.begin(), move.own_terms.end(), term) == move.own_terms.end()) {
        move.own_terms.push_back(term);
        move.rest_edge = e;
      }
    }
  }

  uint32_t lost_callee(const LostCall& lost) const { return graph_.edges[lost.edge].callee; }

  /// Only small callees that nobody calls any more, or whose calls the caller makes itself, may vanish without a trace,
  /// overhead and all; of a body that costs more than a call does a part must show.
  bool leaves_little(uint32_t caller, size_t from, const std::vector<LostCall>& lost) const {
    const long double gain = trace_.own_gain(caller, from);
    long double must_show = 0, taken_over = 0, worth = 0;
    bool all_vanish = true;
    for (const LostCall& call : lost) {
      const bool may_vanish = call.taken_over > 0 ? call.body <= call.lost * kSmallBody : call.small && call.gone;
      if (!may_vanish) return false;
      all_vanish = all_vanish && call.vanishes;
      must_show += kLeastBody * call.body - kCallOverhead * call.lost;
      taken_over += call.taken_over;
      worth += call.worth;
    }
    if (taken_over > 0 && (gain <= -taken_over || gain * kLeastBody > worth)) return false;
    return all_vanish || gain >= must_show;
  }

  /// Moving code costs about what it did before: what the caller gained makes up for a good part of the lost calls, and
  /// even with proof by lines the two do not go the same way.
  bool balances(const InliningMove& move, bool seen) const {
    const auto sum = [&](const std::vector<uint32_t>& terms) {
      long double total = 0;
      for (uint32_t term : terms) total += flow_.figures.terms[term].value;
      return total;
    };
    const long double own = sum(move.own_terms), calls = sum(move.call_terms);
    if (own * calls >= 0) return false;
    return seen || (std::abs(own) >= kLeastBody * std::abs(calls) && std::abs(own) * kLeastBody <= std::abs(calls));
  }

  /// A compiler that inlines whatever is small leaves of much of it not a single line.
  bool is_optimised_more(uint32_t caller, size_t from) const {
    return std::any_of(optimised_.begin(), optimised_.end(), [&](const OptimisationChange& change) {
      return change.less == from && change.objects[from] == trace_.object_of(caller, from);
    });
  }

  std::vector<LostCall> lost_calls(uint32_t caller, size_t from) {
    std::vector<LostCall> lost;
    for (uint32_t e = graph_.first_edge[caller]; e < graph_.first_edge[caller + 1]; ++e) {
      const long double before = side(from).calls_per_call[e], after = side(1 - from).calls_per_call[e];
      const uint32_t callee = graph_.edges[e].callee;
      if (callee == caller || edge_term_[e] == kNoTerm || before == 0 || after > 0) continue;
      LostCall call;
      call.edge = e;
      call.lost = before - after;
      call.gone = side(1 - from).calls[callee] == 0;
      add_body(call, caller, callee, call.lost, from, 0);
      call.trace = trace_.look_for(caller, callee, from, call.lost);
      call.worth = call.lost * side(from).worth[callee];
      call.same_object = trace_.object_of(caller, from) == trace_.object_of(callee, from);
      call.small = side(from).own_cost[callee] <= kSmallBody && call.worth <= call.lost * 2 * kSmallBody;
      if (call.small && call.gone && call.same_object && is_optimised_more(caller, from)) {
        call.trace = Trace::kSeen;
        call.vanishes = true;
      } else if (call.trace == Trace::kSeen) {
        add_further_calls(call, caller, callee, from);
      }
      lost.push_back(std::move(call));
    }
    return lost;
  }

  /// Self cost of `times` calls of `inlined`, and of what must have been inlined with it: callees that the caller does
  /// not call instead and that this side no longer calls from there.
  void add_body(LostCall& call, uint32_t caller, uint32_t inlined, long double times, size_t from, int depth) {
    call.body += times * side(from).own_cost[inlined];
    if (depth == kDeepest) return;
    for (uint32_t e = graph_.first_edge[inlined]; e < graph_.first_edge[inlined + 1]; ++e) {
      const long double expected = times * side(from).calls_per_call[e];
      const uint32_t callee = graph_.edges[e].callee;
      if (expected == 0) continue;
      const uint32_t own_edge = graph_.edge_between(caller, callee);
      const long double gained = own_edge == FlowGraph::kNoEdge
                                     ? 0
                                     : side(1 - from).calls_per_call[own_edge] - side(from).calls_per_call[own_edge];
      if (own_edge != FlowGraph::kNoEdge && gained >= expected * kNearlyAll && gained <= expected * kGrew) {
        call.taken_over += expected * side(from).worth[callee];
        call.gained_edges.push_back(own_edge);
      } else if (side(1 - from).calls[callee] == 0) {
        add_body(call, caller, callee, expected, from, depth + 1);
      }
    }
  }

  /// Inlined code that does so many times what it did makes so many times its calls, too, to a factor; they are its
  /// own where the caller made none before.
  void add_further_calls(LostCall& call, uint32_t caller, uint32_t inlined, size_t from) const {
    const long double times = trace_.own_gain(caller, from) / call.body;
    if (!(times > kMostBody)) return;
    for (uint32_t e = graph_.first_edge[inlined]; e < graph_.first_edge[inlined + 1]; ++e) {
      const uint32_t own_edge = graph_.edge_between(caller, graph_.edges[e].callee);
      if (own_edge == FlowGraph::kNoEdge || graph_.edges[own_edge].calls[from] > 0) continue;
      const long double expected = call.lost * side(from).calls_per_call[e],
                        made = side(1 - from).calls_per_call[own_edge];
      if (made > kMostBody * expected && made * kMuchMore >= times * expected && made <= kMuchMore * times * expected)
        call.gained_edges.push_back(own_edge);
    }
  }

  /// Calls whose callee was seen inside the caller stay, and those whose callees the caller now calls itself. The
  /// others stay together, when the growth of the caller's own cost that is left for them fits their bodies. A caller
  /// that now calls something else instead has been rewritten; its own cost then proves nothing.
  void keep_likely(uint32_t caller, size_t from, std::vector<LostCall>& lost) const {
    const long double gain = trace_.own_gain(caller, from);
    const bool rewritten = makes_new_calls(caller, from, lost);
    const auto certain = [&](const LostCall& call) {
      return call.trace == Trace::kSeen || (call.same_object && !rewritten && call.taken_over > kHalf * call.worth &&
                                            gain >= -call.lost * kCallOverhead);
    };
    const bool seen_one =
        std::any_of(lost.begin(), lost.end(), [](const auto& call) { return call.trace == Trace::kSeen; });
    // What was inlined may have more to do there; what else is gone then went with it.
    const auto may_go_along = [&](const LostCall& call) { return seen_one && call.gone && call.same_object; };
    std::erase_if(lost, [&](const LostCall& call) {
      return !certain(call) && (call.trace == Trace::kElsewhere || (rewritten && !may_go_along(call)) ||
                                !call.same_object || (!call.gone && call.taken_over == 0));
    });
    long double seen = 0, open = 0, shrink = 0, overhead = 0;
    bool all_small = true;
    for (const LostCall& call : lost) {
      (certain(call) ? seen : open) += call.body;
      if (certain(call)) continue;
      shrink += call.lost * kBareCall;
      overhead += call.lost * kCallOverhead;
      all_small = all_small && call.small && call.trace == Trace::kUnknown;
    }
    const long double left = gain - std::min(seen, std::max(0.0L, gain));
    const bool fits = left >= kLeastBody * open && left <= kMostBody * open;
    // Without lines a small callee that is gone may have vanished in the caller's code, overhead and all; what is left
    // of a body that costs more than a call does must show.
    const bool vanished =
        all_small && gain != 0 && left >= std::max(-shrink, kLeastBody * open - overhead) && left <= kMostBody * open;
    const bool does_more = seen > 0 && left > kMostBody * open;
    std::erase_if(lost, [&](const LostCall& call) {
      return !certain(call) && !(fits && !rewritten) && !(vanished && !rewritten) && !(does_more && may_go_along(call));
    });
  }

  /// Whether the side without the lost calls has calls that the other has not and that no lost callee made before.
  bool makes_new_calls(uint32_t caller, size_t from, const std::vector<LostCall>& lost) const {
    for (uint32_t e = graph_.first_edge[caller]; e < graph_.first_edge[caller + 1]; ++e) {
      if (graph_.edges[e].calls[from] > 0 || graph_.edges[e].calls[1 - from] == 0) continue;
      const auto took_over = [&](const LostCall& call) {
        return std::find(call.gained_edges.begin(), call.gained_edges.end(), e) != call.gained_edges.end();
      };
      const bool matters = side(1 - from).calls_per_call[e] * side(1 - from).worth[graph_.edges[e].callee] > kNewCall;
      if (matters && std::none_of(lost.begin(), lost.end(), took_over)) return true;
    }
    return false;
  }

  InliningTrace trace_;
  std::vector<OptimisationChange> optimised_;
  const OpenedFlow& flow_;
  const FlowGraph& graph_;
  std::vector<uint32_t> own_term_, edge_term_;
  std::vector<InliningMove> moves_;
};

}  // namespace

std::vector<InliningMove> find_inlining_moves(const JoinedGraph& joined, const OpenedFlow& flow) {
  return InliningSearch(joined, flow).find();
}

namespace {

class SavedCallsSearch {
 public:
  SavedCallsSearch(const JoinedGraph& joined, const OpenedFlow& flow, const InliningMove& move,
                   const std::vector<int64_t>& values)
      : trace_(joined, flow), flow_(flow), graph_(flow.condensed.graph), move_(move), values_(values) {}

  std::vector<SavedCalls> find() {
    for (size_t i = 0; i < move_.lost_edges.size(); ++i) {
      const FlowEdge& lost = graph_.edges[move_.lost_edges[i]];
      term_ = move_.call_terms[i];
      cost_ = static_cast<long double>(lost.inclusive[from_]);
      if (cost_ > 0) look_into(lost.callee, share_of(lost, 1), 0);
    }
    std::stable_sort(saved_.begin(), saved_.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.value) > std::abs(b.value); });
    return std::move(saved_);
  }

 private:
  const SideFigures& side() const { return flow_.figures.sides[from_]; }

  /// What part of the callee's calls the edge's are, where `of_edge` of these are looked at.
  long double share_of(const FlowEdge& edge, long double of_edge) const {
    const long double calls = side().calls[edge.callee];
    return calls > 0 ? std::min(1.0L, of_edge * static_cast<long double>(edge.calls[from_]) / calls) : 0;
  }

  /// `share`: of all calls of `inlined`, those that are looked at.
  void look_into(uint32_t inlined, long double share, int depth) {
    for (uint32_t e = graph_.first_edge[inlined]; e < graph_.first_edge[inlined + 1]; ++e) {
      const FlowEdge& edge = graph_.edges[e];
      if (edge.calls[from_] == 0 || edge.callee == inlined || edge.callee == move_.caller) continue;
      const bool is_gone = flow_.figures.sides[1 - from_].calls[edge.callee] == 0;
      if (is_gone && depth < kDeepest) look_into(edge.callee, share_of(edge, share), depth + 1);
      const long double calls = share * static_cast<long double>(edge.calls[from_]);
      if (is_gone || takes_over(edge.callee, calls)) continue;
      if (trace_.object_of(edge.callee, from_) == trace_.object_of(move_.caller, from_)) continue;
      const long double part = std::min(1.0L, share * static_cast<long double>(edge.inclusive[from_]) / cost_);
      const auto value = static_cast<int64_t>(std::llround(static_cast<long double>(values_[term_]) * part));
      if (value != 0) saved_.push_back({e, term_, static_cast<int64_t>(std::llround(calls)), value});
    }
  }

  /// Whether the caller makes a part of these calls of `callee` itself where the code is inside it.
  bool takes_over(uint32_t callee, long double calls) const {
    const auto& [base, head] = flow_.figures.sides;
    const uint32_t e = graph_.edge_between(move_.caller, callee);
    if (e == FlowGraph::kNoEdge) return false;
    const long double more = (head.calls_per_call[e] - base.calls_per_call[e]) * (from_ == 0 ? 1 : -1);
    return more * side().calls[move_.caller] > kPart * calls;
  }

  InliningTrace trace_;
  const OpenedFlow& flow_;
  const FlowGraph& graph_;
  const InliningMove& move_;
  const std::vector<int64_t>& values_;
  const size_t from_ = move_.into_caller ? 0 : 1;  ///< the side on which the calls are made
  uint32_t term_ = 0;
  long double cost_ = 0;  ///< of the term's calls, with all below them, as recorded
  std::vector<SavedCalls> saved_;
};

}  // namespace

std::vector<SavedCalls> find_saved_calls(const JoinedGraph& joined, const OpenedFlow& flow, const InliningMove& move,
                                         const std::vector<int64_t>& values) {
  if (!move.callee_is_known) return {};
  long double net = 0;
  for (const std::vector<uint32_t>* terms : {&move.own_terms, &move.call_terms})
    for (const uint32_t term : *terms) net += static_cast<long double>(values[term]);
  if (net == 0) return {};  // no way that the calls could go
  std::vector<SavedCalls> saved = SavedCallsSearch(joined, flow, move, values).find();
  std::erase_if(saved, [&](const SavedCalls& calls) {
    return static_cast<long double>(calls.value) * (net > 0 ? 1 : -1) < kMatters * std::abs(net);
  });
  return saved;
}

namespace {

// Inlining alone costs about what the calls did, or a part of it. What costs that much more inside the caller than its
// calls did does more there, and what costs so many times less does less, unless a call cost no more than that:
// little is left of a small function.

/// Of what moved and also does more or less than before. `count`: calls of the first callee.
fact::OtherWork other_work(const InliningMove& move, int64_t own, int64_t calls, int64_t count) {
  const long double inside = std::abs(static_cast<long double>(own)),
                    outside = std::abs(static_cast<long double>(calls));
  const bool more_inside = inside > kMostBody * outside,
             far_less =
                 inside > 0 && outside > kFixed * inside && outside > kSmallBody * static_cast<long double>(count);
  if ((own > 0) != move.into_caller || (calls < 0) != move.into_caller || !(more_inside || far_less))
    return fact::OtherWork::kNone;
  return more_inside == move.into_caller ? fact::OtherWork::kMore : fact::OtherWork::kLess;
}

// Callers named in the sentence.
constexpr size_t kNamed = 2;

/// A move with its claim, and what its own terms and its calls' terms come to in that.
struct MoveClaim {
  const InliningMove* move = nullptr;
  int64_t own = 0, calls = 0;
  Claim claim;

  int64_t delta() const { return own + calls; }
};

const FlowEdge& first_edge(const ClaimSource& source, const MoveClaim& made) {
  return source.graph().edges[made.move->lost_edges.front()];
}

/// The terms of one move; what the inlined code no longer calls is told apart.
MoveClaim make_claim(const ClaimSource& source, const InliningMove& move) {
  MoveClaim made{.move = &move};
  Claim& claim = made.claim;
  claim.kind = CauseKind::kInlined;
  claim.terms = move.own_terms;
  claim.terms.insert(claim.terms.end(), move.call_terms.begin(), move.call_terms.end());
  claim.place = claim.inlined_into = move.caller;
  claim.call = move.lost_edges.front();
  claim.inlined_on = move.into_caller ? 1 : 0;
  name_call(source, first_edge(source, made), claim);
  made.own = source.sum_of(move.own_terms);
  made.calls = source.sum_of(move.call_terms);
  for (const SavedCalls& calls : find_saved_calls(source.joined(), source.flow, move, source.whole)) {
    const FlowEdge& edge = source.graph().edges[calls.edge];
    const std::string &caller = source.names.names[edge.caller], &callee = source.names.names[edge.callee];
    claim.apart.push_back(
        {calls.edge, calls.value,
         fact::CallsSaved{caller, callee, source.names.names[move.caller], move.into_caller, calls.calls},
         fact::SavedCallsApart{caller, callee}});
    made.calls -= calls.value;
  }
  claim.facts = inlined_facts(source.names, move, made.own, made.calls);
  return made;
}

bool are_one(const std::vector<MoveClaim>& moves) {
  double sum = 0, largest = 0;
  for (const MoveClaim& made : moves) {
    sum += static_cast<double>(made.delta());
    largest = std::max(largest, std::abs(static_cast<double>(made.delta())));
  }
  return moves.size() > 1 && largest < kNearlyAll * std::abs(sum);
}

/// One function that is inlined into several callers, or no longer is.
Claim shared_claim(const ClaimSource& source, std::vector<MoveClaim> moves) {
  const uint32_t callee = first_edge(source, moves.front()).callee;
  fact::SharedInlining facts{.callee = source.names.names[callee],
                             .more_callers = moves.size() - kNamed,
                             .into_callers = moves.front().move->into_caller};
  std::stable_sort(moves.begin(), moves.end(),
                   [](const MoveClaim& a, const MoveClaim& b) { return std::abs(a.delta()) > std::abs(b.delta()); });
  Claim claim{
      .place = callee, .call = moves.front().move->lost_edges.front(), .function = node_label(source.names, callee)};
  for (MoveClaim& made : moves) {
    const FlowEdge& edge = first_edge(source, made);
    if (facts.callers.size() < kNamed) facts.callers.push_back(source.names.names[made.move->caller]);
    facts.own += made.own;
    facts.calls += made.calls;
    facts.count += std::abs(edge.calls[1] - edge.calls[0]);
    claim.members.push_back(std::move(made.claim));
  }
  claim.facts = std::move(facts);
  return claim;
}

}  // namespace

fact::Inlined inlined_facts(const SentenceSource& source, const InliningMove& move, int64_t own, int64_t calls) {
  const FlowEdge& first = source.condensed.graph.edges[move.lost_edges.front()];
  fact::Inlined facts{.caller = source.names[move.caller],
                      .callee = source.names[first.callee],
                      .into_caller = move.into_caller,
                      .callee_is_known = move.callee_is_known,
                      .more_callees = move.lost_edges.size() - 1,
                      .own = own,
                      .calls = calls,
                      .count = std::abs(first.calls[1] - first.calls[0])};
  if (move.rest_edge)
    facts.rest = source.names[source.condensed.graph.edges[*move.rest_edge].callee];
  else
    facts.other_work = other_work(move, own, calls, facts.count);
  return facts;
}

std::vector<Claim> inlining_claims(const ClaimSource& source, const Taken& taken) {
  const auto is_free = [&](const std::vector<uint32_t>& terms) {
    return std::none_of(terms.begin(), terms.end(), [&](uint32_t term) { return taken[term]; });
  };
  std::vector<Claim> claims;
  std::map<std::pair<uint32_t, bool>, std::vector<MoveClaim>> by_callee;
  for (const InliningMove& move : source.moves) {
    if (!is_free(move.own_terms) || !is_free(move.call_terms)) continue;
    MoveClaim made = make_claim(source, move);
    if (move.lost_edges.size() == 1)
      by_callee[{first_edge(source, made).callee, move.into_caller}].push_back(std::move(made));
    else
      claims.push_back(std::move(made.claim));
  }
  for (auto& [key, moves] : by_callee) {
    if (are_one(moves)) {
      claims.push_back(shared_claim(source, std::move(moves)));
    } else {
      for (MoveClaim& made : moves) claims.push_back(std::move(made.claim));
    }
  }
  return claims;
}

}  // namespace icount
