#include "icount/report/cause_sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/base/counted.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/names_apart.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/node_names.h"
#include "icount/report/inside_words.h"
#include "icount/report/quantity_text.h"

namespace icount {
namespace {

using namespace fact;

// What is told of the rows of a table: so many names.
constexpr size_t kNamed = 3;
// A callee gained so many times the calls that others have: "far more often".
constexpr int64_t kFar = 10;

/// Parts of a sentence with "; " between them.
using Clauses = std::vector<std::string>;

std::string quoted_name(std::string_view name) { return icount::quoted(name); }

std::string thousands(int64_t value) { return with_thousands(value); }

/// "20 calls", "20 calls instead of 10".
std::string call_counts(const Counts& calls) {
  if (calls[0] == calls[1]) return counted(calls[1], "call");
  return fmt::format("{} instead of {}", counted(calls[1], "call"), thousands(calls[0]));
}

std::pair<std::string, std::string> quantities(const Rates& of) { return icount::quantities(of[0], of[1]); }

/// "1,000 entries", "7,080 -> 6,542 entries".
std::string counts_of(const Rates& times, std::string_view one, std::string_view many) {
  return counts_text(times[0], times[1], one, many);
}

// Self cost.

/// ", but more in the calls that no other cause tells of" where the average over all callers does not move the way of
/// the change: a cause of its own tells of some callers' calls, or the callers make other parts of all calls than
/// before.
std::string_view beside_the_average(const std::string& before, const std::string& after, const SelfFigures& figures) {
  const bool is_said = before != after && (figures.cost[1] > figures.cost[0]) == (figures.delta > 0);
  if (figures.delta == 0 || is_said) return {};
  return figures.delta > 0 ? " on average, but more in the calls that no other cause tells of"
                           : " on average, but less in the calls that no other cause tells of";
}

/// "6 -> 14"; "6" where both round to it.
std::string change_of(const std::string& before, const std::string& after) {
  return before == after ? before : fmt::format("{} -> {}", before, after);
}

std::string figures_text(const SelfFigures& figures) {
  if (figures.in_total)
    return fmt::format("{} -> {} in total ({})", thousands(static_cast<int64_t>(figures.cost[0])),
                       thousands(static_cast<int64_t>(figures.cost[1])), call_counts(figures.calls));
  const auto [before, after] = quantities(figures.cost);
  const std::string_view beside = beside_the_average(before, after, figures);
  if (figures.of_common_calls)
    return fmt::format("{} per call{} ({}, beside those that only one side makes)", change_of(before, after), beside,
                       call_counts(figures.calls));
  if (figures.one_call && beside.empty()) return fmt::format("{} -> {}", before, after);
  return fmt::format("{} per call{}{} ({})", change_of(before, after), figures.of_cycle ? " into the cycle" : "",
                     beside, call_counts(figures.calls));
}

std::string text_of(const SelfCost& cost) {
  return fmt::format("self cost of {}: {}", cost.function, figures_text(cost.figures));
}

std::string text_of(const MemberCost& cost) {
  if (cost.in_total)
    return fmt::format("self cost of {}: {} -> {} in total", cost.function,
                       thousands(static_cast<int64_t>(cost.cost[0])), thousands(static_cast<int64_t>(cost.cost[1])));
  const auto [before, after] = quantities(cost.cost);
  return fmt::format("self cost of {}: {} -> {} per call into the cycle", cost.function, before, after);
}

std::string text_of(const TotalCost& cost) {
  return fmt::format("self cost of {}{}: {} -> {} in total", cost.function,
                     cost.was.empty() ? "" : fmt::format(" (was {})", cost.was), thousands(cost.cost[0]),
                     thousands(cost.cost[1]));
}

std::string text_of(const OwnAllocations& own) {
  const std::string_view verb = own.frees ? "frees" : "allocates";
  const auto [before, after] =
      own.in_total ? std::pair(thousands(own.all[0]), thousands(own.all[1])) : quantities(own.per_call);
  const std::string_view per_call = own.in_total ? "" : " per call";
  if (own.all[1] == 0)
    return fmt::format("{} no longer {} (was {}{}, {})", own.function, verb, times(before), per_call,
                       counted(own.calls[0], "call"));
  const bool one_call = own.calls[0] == 1 && own.calls[1] == 1;
  const std::string counts = one_call ? std::string() : fmt::format(" ({})", call_counts(own.calls));
  if (own.all[0] == 0) return fmt::format("{} now {} {}{}{}", own.function, verb, times(after), per_call, counts);
  return fmt::format("{} {} {}{} instead of {}{}", own.function, verb, times(after), per_call, before, counts);
}

// Calls.

/// "calls `lex`"; of an allocator's entry "allocates with `malloc`", and without its name where `callee` is empty.
std::string calling(AllocatorEntry entry, const std::string& callee) {
  if (entry == AllocatorEntry::kNone) return "calls " + callee;
  const std::string verb = entry == AllocatorEntry::kAllocates ? "allocates" : "frees";
  return callee.empty() ? verb : fmt::format("{} with {}", verb, callee);
}

/// Whether the sentence names the callee elsewhere.
enum class Callee { kNamedHere, kNamedBelow };

std::string calling(const Calls& calls, Callee callee) {
  const bool below = callee == Callee::kNamedBelow && calls.entry != AllocatorEntry::kNone;
  return calling(calls.entry, below ? std::string() : calls.callee);
}

/// A recursion in numbers that mean something: how many calls one call from outside becomes.
std::string recursion_text(const Calls& calls) {
  const auto [before, after] = quantities(calls.for_each_outer);
  const std::string all_before = thousands(calls.callers[0]), all_after = thousands(calls.callers[1]);
  if (calls.calls[0] == 0)
    return fmt::format("{} now calls itself: {} calls per external call ({} calls in total)", calls.caller, after,
                       all_after);
  if (calls.calls[1] == 0)
    return fmt::format("{} no longer calls itself (was {} calls per external call, {} calls in total)", calls.caller,
                       before, all_before);
  return fmt::format("{} calls itself {}: {} calls per external call, was {} ({} calls in total, was {})", calls.caller,
                     calls.for_each_outer[1] > calls.for_each_outer[0] ? "more often" : "less often", after, before,
                     all_after, all_before);
}

/// A call that only one side has: "`f` now calls `g` once per call (...)", "`f` no longer calls `g` (was once per
/// call, ...)".
std::string one_sided_text(const Calls& calls, size_t side) {
  const int64_t callers = calls.callers[side], count = calls.calls[side];
  const long double per_call = calls.per_call[side];
  const bool is_rate = callers != 1 && per_call >= 1, once_each = callers == count;
  const std::string how_often = callers == 1 ? times(thousands(count))
                                : per_call < 1
                                    ? fmt::format("{} in {}", times(thousands(count)), counted(callers, "call"))
                                    : times(icount::quantities(per_call, per_call).first) + " per call";
  std::string counts;
  if (is_rate && once_each)
    counts = counted(callers, "call");
  else if (is_rate)
    counts = fmt::format("{} of {}, {} of {}", counted(callers, "call"), calls.caller_again, thousands(count),
                         calls.callee_again);
  const std::string does = calling(calls, !counts.empty() && !once_each ? Callee::kNamedBelow : Callee::kNamedHere);
  if (side == 0)
    return fmt::format("{} no longer {} (was {}{}{})", calls.caller, does, how_often, counts.empty() ? "" : ", ",
                       counts);
  const std::string text = fmt::format("{} now {} {}", calls.caller, does, how_often);
  return counts.empty() ? text : fmt::format("{} ({})", text, counts);
}

/// Both sides call, but not per call of the caller: in total, or rarely.
std::string total_calls_text(const Calls& calls) {
  const std::string text =
      fmt::format("{} {} {}{} instead of {}", calls.caller, calling(calls, Callee::kNamedHere),
                  times(thousands(calls.calls[1])), calls.in_total ? " in total" : "", thousands(calls.calls[0]));
  const auto [before, after] = calls.callers;
  if (before != after)
    return fmt::format("{} ({} of {} instead of {})", text, counted(after, "call"), calls.caller_again,
                       thousands(before));
  return before == 1 ? text : fmt::format("{} ({} of {})", text, counted(after, "call"), calls.caller_again);
}

/// Fewer than one call per call on either side, and the counts moved the other way than the rate: "`f` calls `g` 33
/// times per 100 calls instead of 27".
std::string rare_rate_text(const Calls& calls) {
  constexpr long double kMostCalls = 1e18L;  // a number of calls has 63 bits
  const long double rate = std::min(calls.per_call[0], calls.per_call[1]);
  long double scale = 100;
  while (rate * scale < 1 && scale < kMostCalls) scale *= 10;
  const auto [before, after] = icount::quantities(calls.per_call[0] * scale, calls.per_call[1] * scale);
  return fmt::format("{} {} {} per {} calls instead of {} ({} of {} instead of {})", calls.caller,
                     calling(calls, Callee::kNamedHere), times(after), thousands(static_cast<int64_t>(scale)), before,
                     counted(calls.callers[1], "call"), calls.caller_again, thousands(calls.callers[0]));
}

/// As often as before per call of the caller: what the calls cost is another part of what all calls of the callee cost.
std::string as_often_text(const Calls& calls) {
  const bool as_many = calls.calls[0] == calls.calls[1];
  const std::string counts = as_many ? counted(calls.calls[1], "call") + " on both sides" : call_counts(calls.calls);
  return fmt::format("calls of {} by {} cost {}{} than before ({})", calls.callee, calls.caller,
                     calls.cost_more ? "more" : "less", as_many ? "" : " each", counts);
}

std::string how_often_text(const Calls& calls) {
  if (calls.of_itself) return recursion_text(calls);
  if (calls.calls[0] == 0 || calls.calls[1] == 0) return one_sided_text(calls, calls.calls[0] == 0 ? 1 : 0);
  const bool same_callers = calls.callers[0] == calls.callers[1];
  if (calls.calls[0] == calls.calls[1] && same_callers) return as_often_text(calls);
  const bool below_once = calls.per_call[0] < 1 || calls.per_call[1] < 1;
  const bool counts_go_the_same_way =
      same_callers || (calls.calls[1] != calls.calls[0] &&
                       (calls.calls[1] > calls.calls[0]) == (calls.per_call[1] > calls.per_call[0]));
  if (calls.in_total || (below_once && counts_go_the_same_way) ||
      (same_callers && !(is_whole(calls.per_call[0]) && is_whole(calls.per_call[1]))) ||
      (same_callers && calls.callers[0] == 1))
    return total_calls_text(calls);
  if (below_once) return rare_rate_text(calls);
  const auto [before, after] = quantities(calls.per_call);
  if (before == after) return as_often_text(calls);
  const int64_t more = calls.calls[1] - calls.calls[0];
  const std::string change = more == 0 ? fmt::format("{} of {}", thousands(calls.calls[1]), calls.callee_again)
                                       : fmt::format("{} {} of {}", thousands(std::abs(more)),
                                                     more > 0 ? "more" : "fewer", calls.callee_again);
  const std::string of_caller = same_callers
                                    ? fmt::format("{} of {}", counted(calls.callers[1], "call"), calls.caller_again)
                                    : fmt::format("{} of {} instead of {}", counted(calls.callers[1], "call"),
                                                  calls.caller_again, thousands(calls.callers[0]));
  return fmt::format("{} {} {} per call instead of {} ({}, {})", calls.caller, calling(calls, Callee::kNamedBelow),
                     times(after), before, of_caller, change);
}

Clauses text_of(const Calls& calls) {
  const bool is_priced = calls.price[0] != 0 || calls.price[1] != 0;
  const auto [before, after] = quantities(calls.price);
  if (is_priced && calls.calls[0] == calls.calls[1])
    return {fmt::format("calls of {} by {} cost {} each instead of {} ({})", calls.callee, calls.caller, after, before,
                        counted(calls.calls[1], "call"))};
  Clauses clauses = {how_often_text(calls)};
  if (!calls.mostly_callee.empty() || !calls.mostly_caller.empty())
    clauses.push_back(fmt::format("mostly{}{}", calls.mostly_callee.empty() ? "" : " calls of " + calls.mostly_callee,
                                  calls.mostly_caller.empty() ? "" : " by " + calls.mostly_caller));
  if (is_priced) clauses.push_back(fmt::format("a call costs {} instead of {}", after, before));
  return clauses;
}

std::string text_of(const fact::DispatchedCalls& calls) {
  return fmt::format("{}, for {}", how_often_text(calls.through), calls.by);
}

Clauses text_of(const fact::NestedCalls& calls) {
  return {how_often_text(calls.outer), "below that " + how_often_text(calls.inner)};
}

std::string text_of(const Entries& entry) {
  const auto [before, after] = entry.entries;
  if (before == 0) return fmt::format("{} is now entered from outside the profile", entry.function);
  if (after == 0) return fmt::format("{} is no longer entered from outside the profile", entry.function);
  return fmt::format("{} is entered from outside the profile {} instead of {}", entry.function, times(thousands(after)),
                     thousands(before));
}

// Names and builds.

/// "`b::f` was `a::f`", names short, but so that they differ.
std::string head_was_base(const Texts& names) {
  const auto& [base_name, head_name] = names;
  if (is_address_name(head_name) || is_address_name(base_name))
    return fmt::format("{} was {}", quoted_name(head_name), quoted_name(base_name));
  const std::string head_called = name_without_parameters(head_name), base_called = name_without_parameters(base_name);
  const bool one_is_cut = short_name(head_name) == head_called || short_name(base_name) == base_called;
  if (head_called == base_called && one_is_cut) return fmt::format("`{}` changed its signature", head_called);
  const auto [head, base] = names_apart(head_name, base_name);
  return fmt::format("`{}` was `{}`", head, base);
}

std::string text_of(const Renamed& renamed) {
  std::string what;
  switch (renamed.by) {
    case RenamedBy::kDispatch:
      what = fmt::format("dispatch changed: {} runs instead of {}", quoted_name(renamed.names[1]),
                         quoted_name(renamed.names[0]));
      break;
    case RenamedBy::kObject:
      what = fmt::format("{} now comes from {} instead of {}", quoted_name(renamed.names[1]),
                         quoted_name(renamed.objects[1]), quoted_name(renamed.objects[0]));
      break;
    case RenamedBy::kEvidence:
      what = fmt::format("{} ({})", head_was_base(renamed.names), renamed.evidence);
  }
  return renamed.costs_otherwise ? fmt::format("{}: self cost {}", what, figures_text(renamed.figures)) : what;
}

std::string text_of(const fact::OtherBuild& build) {
  std::string only;
  for (const auto& [functions, side] : {std::pair(build.alone[0], "base"), {build.alone[1], "head"}})
    if (functions > 0) only += fmt::format(", {} {} only in {}", functions, functions == 1 ? "is" : "are", side);
  return fmt::format("`{}` was built differently ({}): {} of {} functions have another self cost{}", build.object,
                     build.producers.empty() ? "options, compiler or version" : build.producers, build.changed,
                     build.common, only);
}

std::string text_of(const fact::LinkTimeBuild& build) {
  return fmt::format(
      "`{}` was built with{} link-time optimisation: {} functions are {} inlined into functions of other files",
      build.object, build.in_head ? "" : "out", build.functions, build.in_head ? "now" : "no longer");
}

// Inlining.

/// "+ 1,234", "- 1,234".
std::string signed_part(int64_t value) {
  return fmt::format("{} {}", value < 0 ? "-" : "+", thousands(std::abs(value)));
}

std::string other_work_text(const Inlined& inlined) {
  if (inlined.other_work == OtherWork::kNone) return {};
  const std::string_view more = inlined.other_work == OtherWork::kMore ? "more" : "less";
  if (!inlined.callee_is_known) return fmt::format(", and {} of it", more);
  const bool one = inlined.more_callees == 0;
  return fmt::format(" and {} {} {}", inlined.into_caller ? (one ? "does" : "do") : (one ? "costs" : "cost"), more,
                     inlined.into_caller ? "there" : "now");
}

std::string inlining_text(const Inlined& inlined) {
  const std::string callees =
      inlined.more_callees == 0 ? inlined.callee : fmt::format("{} and {} more", inlined.callee, inlined.more_callees);
  if (!inlined.callee_is_known && inlined.into_caller)
    return fmt::format("{} now does the work of {} itself (inlined or merged)", inlined.caller, callees);
  if (!inlined.callee_is_known)
    return fmt::format("{} now calls {} for work that it did itself (split off or no longer inlined)", inlined.caller,
                       callees);
  return fmt::format("{} {} {} inlined into {}{}", callees, inlined.more_callees == 0 ? "is" : "are",
                     inlined.into_caller ? "now" : "no longer",
                     inlined.loop.empty() ? "" : fmt::format("the loop at {} in ", inlined.loop), inlined.caller);
}

std::string text_of(const Inlined& inlined) {
  const std::string beside =
      inlined.rest.empty()
          ? other_work_text(inlined)
          : fmt::format(", which {} {} for the rest", inlined.into_caller ? "now calls" : "called", inlined.rest);
  const int64_t first = inlined.into_caller ? inlined.own : inlined.calls,
                second = inlined.into_caller ? inlined.calls : inlined.own;
  return fmt::format("{}{}: {} {} = {} ({} {} call{} of {})", inlining_text(inlined), beside, with_sign(first),
                     signed_part(second), with_sign(inlined.own + inlined.calls), thousands(inlined.count),
                     inlined.into_caller ? "fewer" : "more", inlined.count == 1 ? "" : "s", inlined.callee_again);
}

std::string text_of(const SharedInlining& inlined) {
  const std::string callers =
      inlined.more_callers == 0
          ? fmt::format("{} and {}", inlined.callers[0], inlined.callers[1])
          : fmt::format("{}, {} and {} more", inlined.callers[0], inlined.callers[1], inlined.more_callers);
  const int64_t first = inlined.into_callers ? inlined.own : inlined.calls,
                second = inlined.into_callers ? inlined.calls : inlined.own;
  return fmt::format("{} is {} inlined into {}: {} {} = {} ({} {} calls of {})", inlined.callee,
                     inlined.into_callers ? "now" : "no longer", callers, with_sign(first), signed_part(second),
                     with_sign(inlined.own + inlined.calls), thousands(inlined.count),
                     inlined.into_callers ? "fewer" : "more", inlined.callee_again);
}

std::string text_of(const fact::SavedCalls& calls) {
  const std::string often = times(thousands(calls.calls));
  const std::string what = calls.into_caller ? fmt::format("no longer calls {} (was {})", calls.callee, often)
                                             : fmt::format("now calls {} {}", calls.callee, often);
  return fmt::format("{}, {} inlined into {}, {}", calls.caller, calls.into_caller ? "now" : "no longer", calls.into,
                     what);
}

std::string text_of(const SavedCallsApart& calls) {
  return fmt::format("told apart: calls of {} by {}", calls.callee, calls.caller);
}

// What takes another's place.

std::string text_of(const AllocatorReplaced& change) {
  return fmt::format("another allocator: {} in place of {}", change.libraries[1], change.libraries[0]);
}

std::string text_of(const ContainerReplaced& change) {
  const std::string more =
      change.more_users == 0 ? "" : " and " + counted(static_cast<int64_t>(change.more_users), "more function");
  return fmt::format("`{}` takes the place of `{}` in {}{}", change.containers[1], change.containers[0], change.user,
                     more);
}

std::string text_of(const SharedCallee& shared) {
  if (!shared.instead_of.empty())
    return fmt::format("{} takes the place of {} in {} functions ({}), most often in {}", shared.function,
                       shared.instead_of, shared.callers, counted(shared.calls, "call"), shared.most);
  if (shared.others > 0)
    return fmt::format("{} is called {}{} often by {} functions ({} instead of {}), most often by {}", shared.function,
                       shared.calls / shared.others >= kFar ? "far " : "", shared.gained ? "more" : "less",
                       shared.callers, counted(shared.gained ? shared.calls : shared.others, "call"),
                       thousands(shared.gained ? shared.others : shared.calls), shared.most);
  return fmt::format("{} is {} by {} functions ({}), most often by {}", shared.function,
                     shared.gained ? "now called" : "no longer called", shared.callers, counted(shared.calls, "call"),
                     shared.most);
}

Clauses text_of(const ReplacedCall& replaced) {
  Clauses clauses = {fmt::format("{} calls {} instead of {} ({})", replaced.caller, replaced.callees[1],
                                 replaced.callees[0], counted(replaced.calls, "call"))};
  const auto [before, after] = quantities(replaced.price);
  if (before != after) clauses.push_back(fmt::format("a call costs {} instead of {}", after, before));
  return clauses;
}

std::string text_of(const Rewritten& rewritten) {
  const auto names = [&](size_t side) {
    return rewritten.more[side] == 0 ? rewritten.callees[side]
                                     : fmt::format("{} and {} more", rewritten.callees[side], rewritten.more[side]);
  };
  return fmt::format("{} calls {} instead of {} ({})", rewritten.function, names(1), names(0),
                     counted(rewritten.calls, "call"));
}

// What grew as a whole.

std::string text_of(const LongerWork& work) {
  return fmt::format("{} does {} times the work: it and all below it cost {} in proportion", work.function,
                     icount::quantities(work.factor, work.factor).first, work.factor > 1 ? "more" : "less");
}

std::string text_of(const LongerLoop& loop) {
  const long double factor = static_cast<long double>(loop.cost[1]) / static_cast<long double>(loop.cost[0]);
  return fmt::format("{} does the same {} times as often: self cost {} -> {}, and {} in proportion", loop.function,
                     icount::quantities(factor, factor).first, thousands(loop.cost[0]), thousands(loop.cost[1]),
                     counted(static_cast<int64_t>(loop.callees), "callee"));
}

std::string_view recursion_change(Recursion recursion) {
  switch (recursion) {
    case Recursion::kBegins:
      return "now calls itself";
    case Recursion::kEnds:
      return "no longer calls itself";
    case Recursion::kMore:
      return "calls itself more often";
    case Recursion::kLess:
      break;
  }
  return "calls itself less often";
}

std::string text_of(const GrownRecursion& grown) {
  const auto& [were, are] = grown.calls;
  if (grown.has_other_changes)
    return fmt::format("{} {}: {} instead of {}; other changes in it are included", grown.function,
                       recursion_change(grown.recursion), counted(are, "call"), thousands(were));
  const auto [before, after] = quantities(grown.cost);
  const std::string_view more = grown.costs_more ? "more" : "less";
  return fmt::format("{} calls itself {} often and costs {} each time: {} instead of {}, self cost {} -> {} per call",
                     grown.function, more, more, counted(are, "call"), thousands(were), before, after);
}

std::string text_of(const GrownCycle& grown) {
  const auto [before, after] = quantities(grown.own);
  std::string text = fmt::format(
      "{}, called as often, does {}: {}calls of {}", grown.function, grown.more ? "more" : "less",
      grown.has_own ? fmt::format("self cost {} -> {} per call, and ", before, after) : std::string(), grown.first);
  if (grown.second.empty()) return text;
  if (grown.more_callees == 0) return text + fmt::format(" and {}", grown.second);
  return text + fmt::format(", {} and {} more", grown.second, grown.more_callees);
}

std::string text_of(const DeeperRecursion& deeper) {
  const std::string who = deeper.others == 1 ? fmt::format("{} and {}", deeper.first, deeper.second)
                                             : fmt::format("{} and {} more", deeper.first, deeper.others);
  const auto [before, after] = quantities(deeper.for_each_outer);
  return fmt::format(
      "{} call each other {}: {} calls per external call, was {} ({} calls in total, was {}); mostly where {} calls {}",
      who, deeper.for_each_outer[1] > deeper.for_each_outer[0] ? "more often" : "less often", after, before,
      thousands(deeper.calls[1]), thousands(deeper.calls[0]), deeper.caller_again, deeper.callee_again);
}

std::string text_of(const SharedWork& work) {
  return fmt::format(
      "{} functions cost {} where both sides call them (calls that only one side makes are listed at their recorded "
      "cost, not at the average); most in {}",
      work.functions, work.more ? "more" : "less", work.most);
}

// Inside a function.

std::string the_loop(const LoopName& name) {
  const std::string in =
      name.inlined.empty() ? name.function : fmt::format("{} (inlined into {})", name.inlined, name.function);
  return fmt::format("the {} in {}", name.loop, in);
}

/// "iteration of the loop at scan.c:9-11 in `scan`" and "10 -> 20 iterations"; of a statement its runs.
std::pair<std::string, std::string> turn_text(Turn turn, const LoopName& loop, const Rates& times) {
  if (turn == Turn::kRun) return {"run of the statement", counts_of(times, "run", "runs")};
  return {"iteration of " + the_loop(loop), counts_of(times, "iteration", "iterations")};
}

std::string_view outside_loops(bool has_loops) { return has_loops ? " outside its loops" : ""; }

std::string text_of(const TurnCost& cost) {
  const auto [what, count] = turn_text(cost.turn, cost.loop, cost.times);
  const auto [base, head] = quantities(cost.cost);
  return fmt::format("one {} costs {} instead of {} ({})", what, head, base, count);
}

std::string text_of(const CodeCost& cost) {
  const auto [base, head] = quantities(cost.cost);
  return fmt::format("the code at {} in {} costs {} instead of {} each time ({})", cost.place, cost.function, head,
                     base, counts_of(cost.times, "time", "times"));
}

std::string per_call_of(bool in_total, const Rates& calls) {
  return in_total ? "in total" : fmt::format("per call ({})", counts_of(calls, "call", "calls"));
}

std::string text_of(const BodyCost& cost) {
  const auto [base, head] = quantities(cost.cost);
  return fmt::format("self cost of {}{}: {} -> {} {}", cost.function, outside_loops(cost.has_loops), base, head,
                     per_call_of(cost.in_total, cost.calls));
}

std::string text_of(const PartCost& cost) {
  const auto [base, head] = quantities(cost.cost);
  const std::string_view outside = cost.is_body ? outside_loops(cost.has_loops) : "";
  std::string per = per_call_of(cost.in_total, cost.times);
  if (!cost.is_body) {
    const auto [what, count] = turn_text(cost.turn, cost.loop, cost.times);
    per = fmt::format("per {} ({})", what, count);
  }
  if (cost.inlined.empty())
    return fmt::format("{} of {}{}: {} -> {} {}", cost.is_body ? "other self cost" : "other code", cost.function,
                       outside, base, head, per);
  const std::string place =
      cost.inlined_line == 0 ? std::string() : fmt::format("{}:{}, ", cost.inlined_file, cost.inlined_line);
  return fmt::format("self cost of {} ({}inlined into {}{}{}): {} -> {} {}", cost.inlined, place, cost.function,
                     cost.call_line == 0 ? "" : fmt::format(" at line {}", cost.call_line), outside, base, head, per);
}

std::string text_of(const LastTest& test) {
  const auto [base, head] = quantities(test.cost);
  return fmt::format("the last test of {} costs {} instead of {} ({})", the_loop(test.loop), head, base,
                     counts_of(test.entries, "entry", "entries"));
}

std::string text_of(const Reshaped& reshaped) {
  const auto& turns = reshaped.iterations;
  const long double factor = std::max(turns[0], turns[1]) / std::min(turns[0], turns[1]);
  const bool whole = std::abs(factor - std::round(factor)) < 0.05L * factor;
  const auto [base, head] = quantities(reshaped.cost);
  const auto [turns_base, turns_head] = quantities(turns);
  const auto [own_base, own_head] = quantities(reshaped.own);
  return fmt::format("{} costs {} instead of {} per entry ({}): {} iterations of {} instead of {} of {}{}",
                     the_loop(reshaped.loop), head, base, counts_of(reshaped.entries, "entry", "entries"), turns_head,
                     own_head, turns_base, own_base,
                     !whole                ? ""
                     : turns[1] < turns[0] ? ", as when it is unrolled or vectorised"
                                           : ", as when it is no longer unrolled or vectorised");
}

std::string text_of(const ReachedCode& code) {
  const auto [base, head] = quantities(code.times);
  return fmt::format("the code at {} in {} is reached {} {} instead of {}, by no recorded way", code.place,
                     code.function, times_text(head), code.in_total ? "in total" : "per call", base);
}

std::string text_of(const Iterations& of) {
  const auto [base, head] = quantities(of.per_entry);
  return fmt::format("{} {} {} per entry instead of {} ({})", the_loop(of.loop),
                     of.dispatches ? "dispatches" : "iterates", times_text(head), base,
                     counts_of(of.entries, "entry", "entries"));
}

/// "each iteration of the loop at lex.cc:19 in `lex`", and what the rate is per.
std::pair<std::string, std::string> who(const Doer& doer, bool in_total) {
  switch (doer.kind) {
    case Doer::Kind::kRun:
      return {"each run of the statement", "run"};
    case Doer::Kind::kIteration:
      return {"each iteration of " + the_loop(doer.loop), "iteration"};
    case Doer::Kind::kLoop:
      return {the_loop(doer.loop), "entry"};
    case Doer::Kind::kLastTest:
      return {"the last test of " + the_loop(doer.loop), "entry"};
    case Doer::Kind::kCode:
      return {fmt::format("the code at {} in {}", doer.place, doer.function), "time"};
    case Doer::Kind::kFunction:
      break;
  }
  return {fmt::format("{}{}", doer.function, outside_loops(doer.has_loops)), in_total ? "program" : "call"};
}

std::string text_of(const InsideCalls& calls) {
  const auto [base, head] = quantities(calls.rate);
  const std::string does = calling(calls.entry, calls.callee);
  const auto [subject, per] = who(calls.doer, calls.in_total);
  if (calls.rate[0] == calls.rate[1])
    return fmt::format("{} {} {} per {}, which costs more or less each time", subject, does, times_text(head), per);
  if (calls.calls[0] == 0) return fmt::format("{} now {}, {} per {}", subject, does, times_text(head), per);
  if (calls.calls[1] == 0) return fmt::format("{} no longer {} (was {} per {})", subject, does, times_text(base), per);
  const int64_t more = calls.calls[1] - calls.calls[0];
  const bool of_turn = calls.doer.kind == Doer::Kind::kRun || calls.doer.kind == Doer::Kind::kIteration;
  return fmt::format("{} {} {} instead of {}{} ({} {})", subject, does, times_text(head),
                     base == "1" || base == "2" ? times_text(base) : base, of_turn ? "" : " per " + per,
                     thousands(std::abs(more)), more >= 0 ? "more" : "fewer");
}

std::string text_of(const LoopEntry& entry) {
  const auto [base, head] = quantities(entry.rate);
  std::string loop = "the " + entry.loop;
  if (!entry.inlined.empty())
    loop += fmt::format(" in {} (inlined{})", entry.inlined,
                        entry.inlined_line == 0 ? std::string() : fmt::format(" at line {}", entry.inlined_line));
  const bool from_body = entry.doer.kind == Doer::Kind::kFunction, from_run = entry.doer.kind == Doer::Kind::kRun;
  const std::string subject = from_body  ? entry.doer.function
                              : from_run ? std::string("a run of the statement")
                                         : "an iteration of " + the_loop(entry.doer.loop);
  const std::string_view per = from_run ? "run" : !from_body ? "iteration" : entry.in_total ? "program" : "call";
  if (entry.entries[0] == 0) return fmt::format("{} now enters {}, {} per {}", subject, loop, times_text(head), per);
  if (entry.entries[1] == 0)
    return fmt::format("{} no longer enters {} (was {} per {})", subject, loop, times_text(base), per);
  return fmt::format("{} enters {} {} per {} instead of {}", subject, loop, times_text(head), per, base);
}

std::string target_text(const Target& target) {
  if (target.is_loop) return "the " + target.place;
  return target.line != 0 ? fmt::format("line {}", target.line) : target.place;
}

std::string text_of(const LeftTo& left) {
  return fmt::format("{} is left to {} {}", the_loop(left.loop), target_text(left.target),
                     share_text(left.rate[0], left.rate[1], "entry"));
}

std::string text_of(const Branch& branch) {
  return fmt::format("the branch at {} in {}{} goes to {} {} ({})", branch.place, branch.function,
                     branch.loop.empty() ? "" : fmt::format(" (in the {})", branch.loop), target_text(branch.target),
                     share_text(branch.rate[0], branch.rate[1], "execution"), counts_of(branch.times, "time", "times"));
}

std::string text_of(const Begins& begins) {
  const bool is_function = begins.doer.kind == Doer::Kind::kFunction;
  return fmt::format(
      "{} begins at {} {}", is_function ? begins.doer.function : "an iteration of " + the_loop(begins.doer.loop),
      target_text(begins.target), share_text(begins.rate[0], begins.rate[1], is_function ? "call" : "iteration"));
}

std::string text_of(const CallsThere& calls) {
  if (calls.more == 0) return fmt::format("calls of {} there", calls.callee);
  return fmt::format("calls of {} there ({} {})", calls.callee, thousands(std::abs(calls.more)),
                     calls.more > 0 ? "more" : "fewer");
}

std::string text_of(const SelfCostThere&) { return "self cost there"; }

// Causes that stand for others.

std::string text_of(const Place& place, const Cause& cause) {
  const bool more = cause.delta > 0;
  const std::string by = place.by == PlaceCalls::kBySeveral
                             ? fmt::format(", called as often ({}),", counted(place.calls, "call"))
                         : place.by == PlaceCalls::kByOne ? fmt::format(", called as often by {},", place.caller)
                                                          : std::string();
  const std::string subject =
      place.by == PlaceCalls::kInEveryPart
          ? fmt::format("{} has {} to do in every part", place.function, more ? "more" : "less")
          : fmt::format("{}{} costs {} with all below it", place.function, by, more ? "more" : "less");
  const Cause& first = cause.inside.front();
  return fmt::format(
      "{}: {} -> {}{}; largest part {}: {}", subject, thousands(place.inclusive[0]), thousands(place.inclusive[1]),
      place.elsewhere == 0 ? "" : fmt::format(" (other causes tell {} of that)", with_sign(place.elsewhere)),
      with_sign(first.delta), cause_sentence(first));
}

std::string text_of(const Group&, const Cause& cause) {
  const Cause& first = cause.inside.front();
  const size_t others = cause.inside.size() - 1;
  return fmt::format("{}: {} ({}), and {} other cause{} ({})", cause.function, cause_sentence(first),
                     with_sign(first.delta), others, others == 1 ? "" : "s", with_sign(cause.delta - first.delta));
}

/// Names of functions or cycles, with what is theirs.
using NamedParts = std::vector<std::pair<std::string, int64_t>>;

/// "`a` (+3), `b` (-2), `c` (+1) and 4 more".
std::string named(const NamedParts& parts) {
  std::string text;
  for (size_t i = 0; i < parts.size() && i < kNamed; ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += fmt::format("{} ({})", quoted_label(parts[i].first), with_sign(parts[i].second));
  }
  if (parts.size() > kNamed)
    text += fmt::format(" and {} more", thousands(static_cast<int64_t>(parts.size() - kNamed)));
  return text;
}

std::string text_of(const AlikeCalls&, const Cause& cause) {
  NamedParts parts;
  for (const Cause& call : cause.inside) parts.emplace_back(call.callee, call.delta);
  return fmt::format("calls of {} functions by {} cost {}: {}", thousands(static_cast<int64_t>(parts.size())),
                     quoted_label(cause.caller), cause.delta > 0 ? "more" : "less", named(parts));
}

/// "34 smaller causes in lexer.cc: `lex` (+300), `hash` (-20), `mix` (+1) and 4 more".
std::string text_of(const SmallerCauses& smaller, const Cause& cause) {
  std::map<std::string, int64_t> by_function;
  int64_t count = 0;
  for (const Cause& one : cause.inside) {
    const std::string& function = one.caller.empty() ? one.function : one.caller;
    if (!function.empty()) by_function[function] += one.delta;
    count += std::holds_alternative<AlikeCalls>(one.facts) ? static_cast<int64_t>(one.inside.size()) : 1;
  }
  NamedParts parts(by_function.begin(), by_function.end());
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::abs(static_cast<double>(a.second)) > std::abs(static_cast<double>(b.second));
  });
  std::string text = fmt::format("{} in {}", counted(count, "smaller cause"), smaller.place);
  if (parts.size() > 1 || (parts.size() == 1 && quoted_label(parts.front().first) != smaller.place))
    text += ": " + named(parts);
  return text;
}

std::string text_of(const Process& process) {
  return fmt::format("process {} is {}", process.key, process.in_head ? "new" : "gone");
}

std::string text_of(const Rest&) { return "call counts exceed 64 bits: what the other causes leave unexplained"; }

std::string text_of(const Said& said) { return said.text; }

// The sentence.

template <typename Fact>
Clauses clauses_of(const Fact& fact, const Cause& cause) {
  if constexpr (requires { text_of(fact, cause); })
    return {text_of(fact, cause)};
  else
    return Clauses{text_of(fact)};
}
Clauses clauses_of(const Calls& calls, const Cause&) { return text_of(calls); }
Clauses clauses_of(const fact::NestedCalls& calls, const Cause&) { return text_of(calls); }
Clauses clauses_of(const ReplacedCall& replaced, const Cause&) { return text_of(replaced); }
Clauses clauses_of(const std::monostate&, const Cause&) { return {""}; }

std::string changed_lines_text(const Remark& lines) {
  if (lines.lines.size() == 1) {
    const double of_line = std::clamp(lines.part * static_cast<double>(lines.delta), -9.2e18, 9.2e18);
    const int64_t whole = std::llround(of_line);
    return fmt::format("{} on line {}:{}", whole == lines.delta ? "all" : with_sign(whole) + " of it", lines.file,
                       lines.lines.front());
  }
  std::string numbers;
  for (size_t i = 0; i < lines.lines.size(); ++i)
    numbers += fmt::format("{}{}", i == 0 ? "" : i + 1 == lines.lines.size() ? " and " : ", ", lines.lines[i]);
  return fmt::format("{:.0f} % of it on lines {}:{}", 100 * std::min(lines.part, 1.0), lines.file, numbers);
}

/// ": line 9 +3, lex.h:12 -1".
std::string line_costs_text(const std::vector<CauseLine>& lines, const Remark& remark) {
  std::string text;
  for (size_t i = 0; i < remark.count; ++i) {
    const CauseLine& line = lines[i];
    const double change = line.head - line.base;
    const std::string place =
        line.file == remark.file ? std::to_string(line.line) : fmt::format("{}:{}", line.file, line.line);
    text += fmt::format("{} {} {}{}", i == 0 ? ": line" : ",", place, change > 0 ? "+" : "-",
                        icount::quantities(std::abs(change), std::abs(change)).first);
  }
  return text;
}

void add_remark(Clauses& clauses, const Remark& remark, const Cause& cause) {
  switch (remark.kind) {
    case Remark::Kind::kInlined: {
      const CauseInlined& inlined = remark.inlined;
      clauses.front() += fmt::format(", in {} (inlined{})", quoted_name(short_name(inlined.name)),
                                     inlined.line == 0 ? std::string() : fmt::format(" at line {}", inlined.line));
      break;
    }
    case Remark::Kind::kChangedLines:
      clauses.push_back(changed_lines_text(remark));
      break;
    case Remark::Kind::kLineCosts:
      clauses.back() += line_costs_text(cause.lines, remark);
      break;
    case Remark::Kind::kMostlyIn:
      clauses.push_back("mostly in " + remark.function);
      break;
    case Remark::Kind::kWithCalls:
      clauses.back() +=
          fmt::format(" ({}), and its calls ({})", with_sign(remark.delta), with_sign(remark.other_delta));
      break;
    case Remark::Kind::kLeading:
      clauses.push_back(cause_sentence(remark.causes.front()));
      break;
    case Remark::Kind::kOfWhich:
      clauses.push_back(
          fmt::format("{} of it: {}", with_sign(remark.causes.front().delta), cause_sentence(remark.causes.front())));
      break;
  }
}

}  // namespace

std::string cause_sentence(const Cause& cause) {
  Clauses clauses = std::visit([&](const auto& fact) { return clauses_of(fact, cause); }, cause.facts);
  for (const Remark& remark : cause.remarks) add_remark(clauses, remark, cause);
  return fmt::format("{}", fmt::join(clauses, "; "));
}

}  // namespace icount
