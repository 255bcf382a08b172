#include "icount/explain/edge_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "icount/base/counted.h"
#include "icount/base/text.h"
#include "icount/explain/allocation_text.h"
#include "icount/explain/quantity_text.h"

namespace icount {
namespace {

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
  const bool once_each = callers == flow.calls[side];
  if (how_often.ends_with(" per call") && once_each) {
    counts = counted(callers, "call");
  } else if (how_often.ends_with(" per call")) {
    const NamesAgain again = names_again(source, edge);
    counts = fmt::format("{} of {}, {} of {}", counted(callers, "call"), again.caller, with_thousands(flow.calls[side]),
                         again.callee);
  }
  const std::string calling = calling_text(source, edge, !counts.empty() && !once_each);
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
  constexpr long double kMostCalls = 1e18L;  // a number of calls has 63 bits
  const long double rate = std::min(base.calls_per_call[edge], head.calls_per_call[edge]);
  long double scale = 100;
  while (rate * scale < 1 && scale < kMostCalls) scale *= 10;
  const auto [before, after] = quantities(base.calls_per_call[edge] * scale, head.calls_per_call[edge] * scale);
  const std::string& again = names_again(source, edge).caller;
  return fmt::format("{} {} {} per {} calls instead of {} ({} of {} instead of {})", source.names[flow.caller],
                     calling_text(source, edge, false), times(after), with_thousands(static_cast<int64_t>(scale)),
                     before, counted(calls_at(source, 1, flow.caller), "call"), again,
                     with_thousands(calls_at(source, 0, flow.caller)));
}

/// As often as before per call of the caller: what the calls cost is another part of what all calls of the callee cost.
std::string as_often_text(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const auto term = std::find_if(source.figures.terms.begin(), source.figures.terms.end(),
                                 [&](const Term& of) { return of.kind == TermKind::kCalls && of.index == edge; });
  const bool costs_more = term != source.figures.terms.end() && term->value > 0;
  const bool as_many = flow.calls[0] == flow.calls[1];
  const std::string counts =
      as_many ? counted(flow.calls[1], "call") + " on both sides"
              : fmt::format("{} instead of {}", counted(flow.calls[1], "call"), with_thousands(flow.calls[0]));
  return fmt::format("calls of {} by {} cost {}{} than before ({})", source.names[flow.callee],
                     source.names[flow.caller], costs_more ? "more" : "less", as_many ? "" : " each", counts);
}

}  // namespace

int64_t calls_at(const SentenceSource& source, size_t side, uint32_t node) {
  return static_cast<int64_t>(source.figures.sides[side].calls[node]);
}

std::string leading_members(const SentenceSource& source, uint32_t edge) {
  const FlowEdge& flow = source.condensed.graph.edges[edge];
  const auto &callers = source.condensed.members[flow.caller], &callees = source.condensed.members[flow.callee];
  if (callers.size() == 1 && callees.size() == 1) return {};
  const LeadingCall& leading = source.leading_calls[edge];
  if (leading.all == 0 || leading.is_all) return {};
  const FlowEdge* most = &source.joined.flow.edges[leading.edge];
  std::string text = "; mostly";
  if (callees.size() > 1) text += " calls of " + source.function_names[most->callee];
  if (callers.size() > 1) text += " by " + source.function_names[most->caller];
  return text;
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
      (flow.calls[1] != flow.calls[0] &&
       (flow.calls[1] > flow.calls[0]) == (head.calls_per_call[edge] > base.calls_per_call[edge]));
  if (source.figures.fixed_calls[edge] || (below_once && counts_go_the_same_way) ||
      (callers[0] == callers[1] && !(is_whole(base.calls_per_call[edge]) && is_whole(head.calls_per_call[edge]))) ||
      (callers[0] == callers[1] && callers[0] == 1))
    return total_calls_text(source, edge);
  if (below_once) return rare_rate_text(source, edge);
  const auto [before, after] = quantities(base.calls_per_call[edge], head.calls_per_call[edge]);
  if (before == after) return as_often_text(source, edge);
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

}  // namespace icount
