#include "icount/report/cause_sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/callgraph/distinct_names.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/match/node_names.h"
#include "icount/report/quantity_text.h"

namespace icount {
namespace {

using namespace fact;

// What is told of the rows of a table: so many names.
constexpr size_t kNamed = 3;
// So many parts of a cause have a line each.
constexpr size_t kListed = 5;

/// Parts of a sentence with "; " between them.
using Clauses = std::vector<std::string>;

std::string quoted_name(std::string_view name) { return icount::quoted(name); }

std::string thousands(int64_t value) { return with_thousands(value); }

/// "20 calls", "20 calls, was 10".
std::string call_counts(const Counts& calls) {
  if (calls[0] == calls[1]) return counted(calls[1], "call");
  return fmt::format("{}, was {}", counted(calls[1], "call"), thousands(calls[0]));
}

/// "20 calls common to both"; "20 calls" where they are all.
std::string some_of(int64_t calls, int64_t all) {
  return counted(calls, "call") + (calls >= all ? "" : " common to both");
}

std::pair<std::string, std::string> quantities(const Rates& of) { return icount::quantities(of[0], of[1]); }

/// "14, was 6"; "6" where both round to it.
std::string was(const std::string& before, const std::string& after) {
  return before == after ? after : fmt::format("{}, was {}", after, before);
}

/// "14 per call, was 6"; "14 per call, nothing before".
std::string was_per(const Rates& of, std::string_view per) {
  const auto [before, after] = quantities(of);
  const auto each = [&](const std::string& cost) { return per.empty() ? cost : fmt::format("{} {}", cost, per); };
  if (before == after) return each(after);
  if (of[0] == 0) return each(after) + ", nothing before";
  return of[1] == 0 ? "nothing, was " + each(before) : fmt::format("{}, was {}", each(after), before);
}

/// "1,000 entries", "6,542 entries, was 7,080".
std::string counts_of(const Rates& times, std::string_view one, std::string_view many) {
  return counts_text(times[0], times[1], one, many);
}

/// "`f` ", in front of what it does. Nothing where the reader knows whom the sentence is about (without_function
/// below).
std::string subject(const std::string& name) { return name.empty() ? name : name + " "; }

/// " in `f`", of a place in it.
std::string in_function(const std::string& name) { return name.empty() ? name : " in " + name; }

/// " and one other function", " and 3 other functions".
std::string and_others(size_t others) {
  return others == 1 ? " and one other function" : fmt::format(" and {} other functions", others);
}

/// Of a cause of calls: who makes them, of whom and how often.
struct CallFigures {
  std::string caller, callee;
  Counts calls{};
};
std::optional<CallFigures> call_figures(const Cause& cause);

// Self cost.

/// Whether figures in a sentence give about the change that stands in front of it.
bool gives(long double figures, int64_t delta) {
  constexpr long double kAbout = 2;
  const auto change = static_cast<long double>(delta);
  return figures * change > 0 && std::abs(figures) <= kAbout * std::abs(change) &&
         std::abs(change) <= kAbout * std::abs(figures);
}

/// "itself costs 14 per call, was 6 (35,220 calls)".
std::string figures_text(const SelfFigures& figures) {
  const auto [before, after] = quantities(figures.cost);
  if (figures.cost == Rates{})
    return fmt::format("itself costs {} ({})", figures.delta < 0 ? "less" : "more", call_counts(figures.calls));
  if (figures.in_total)
    return fmt::format("itself costs {} ({})", was_per(figures.cost, "in total"), call_counts(figures.calls));
  if (figures.one_call) return "itself costs " + was(before, after);
  const std::string_view per = figures.of_cycle ? "per call from outside" : "per call";
  // Where the average over all callers moves another way than the cost does, the number of calls or another part of
  // the callers is the reason.
  const bool average_says_it = before != after && (figures.cost[1] > figures.cost[0]) == (figures.delta > 0);
  // Neither moves as the cost does: other rows, which price some calls apart, say more or less than all of it.
  const bool calls_say_it = (figures.calls[1] > figures.calls[0]) == (figures.delta > 0);
  const bool is_remainder = figures.calls[0] == figures.calls[1]
                                ? figures.are_other_calls
                                : figures.delta != 0 && !average_says_it && !calls_say_it;
  if (is_remainder)
    return fmt::format("itself costs {} ({}): the remainder of what other rows say of its calls",
                       was_per(figures.cost, "per call on average"), call_counts(figures.calls));
  if (figures.delta != 0 && (figures.are_other_calls || !average_says_it) && figures.calls[0] != figures.calls[1])
    return fmt::format("is called {}, was {} ({})", times(thousands(figures.calls[1])), thousands(figures.calls[0]),
                       was_per(figures.cost, "of its own on average"));
  const auto of_calls = [&](long double base, long double head) {
    return gives(head * figures.cost[1] - base * figures.cost[0], figures.delta);
  };
  const auto [base, head] = figures.calls;
  const int64_t fewest = std::min(base, head);
  std::string calls = call_counts(figures.calls);
  if (figures.of_common_calls)
    calls = some_of(head, figures.all_calls);
  else if (!of_calls(static_cast<long double>(base), static_cast<long double>(head)) &&
           of_calls(static_cast<long double>(fewest), static_cast<long double>(fewest)))
    calls = some_of(fewest, std::max(base, head));
  return fmt::format("itself costs {} ({})", was_per(figures.cost, per), calls);
}

std::string text_of(const SelfCost& cost) {
  const std::string text = subject(cost.function) + figures_text(cost.figures);
  if (cost.lines_run == 0) return text;
  const double times = cost.lines_run > 1 ? cost.lines_run : 1 / cost.lines_run;
  return fmt::format("{}: most likely the same lines run about {:.0f} times {} often", text, times,
                     cost.lines_run > 1 ? "as" : "less");
}

std::string text_of(const MemberCost& cost) {
  if (cost.cost == Rates{}) return subject(cost.function) + "itself";
  return fmt::format("{}itself costs {}", subject(cost.function),
                     was_per(cost.cost, cost.in_total ? "in total" : "per call from outside"));
}

std::string text_of(const TotalCost& cost) {
  return fmt::format("{}{} itself costs {} in total, was {}", cost.function,
                     cost.was.empty() ? "" : fmt::format(" (was {})", cost.was), thousands(cost.cost[1]),
                     thousands(cost.cost[0]));
}

std::string text_of(const OwnAllocations& own) {
  const std::string_view verb = own.frees ? "frees" : "allocates";
  const std::string calls =
      own.calls[0] == 1 && own.calls[1] == 1 ? std::string() : fmt::format(" ({})", call_counts(own.calls));
  if (own.all[1] == 0) return fmt::format("{} no longer {} (was {})", own.function, verb, times(thousands(own.all[0])));
  if (own.all[0] == 0) return fmt::format("{} now {} {}{}", own.function, verb, times(thousands(own.all[1])), calls);
  return fmt::format("{} {} {}, was {}{}", own.function, verb, times(thousands(own.all[1])), thousands(own.all[0]),
                     calls);
}

// Calls.

/// "calls `lex`"; of an allocator's entry "allocates with `malloc`".
std::string calling(AllocatorEntry entry, const std::string& callee) {
  if (entry == AllocatorEntry::kNone) return "calls " + callee;
  return fmt::format("{} with {}", entry == AllocatorEntry::kAllocates ? "allocates" : "frees", callee);
}

/// "at 259 each": what one of so many more (or fewer) costs. Empty where the change goes the other way.
std::string price_text(long double more, int64_t delta) {
  const long double each = more == 0 ? 0 : static_cast<long double>(delta) / more;
  return each <= 0 ? std::string() : fmt::format("at {} each", icount::quantities(each, each).first);
}

/// The same of calls that came or went; empty of a single one, whose price is the whole change.
std::string each_text(const Counts& calls, int64_t delta) {
  return std::abs(calls[1] - calls[0]) < 2 ? std::string() : price_text(calls[1] - calls[0], delta);
}

/// "(20 calls of `f`, 259 each)"; empty where neither is there.
std::string in_brackets(const std::vector<std::string>& parts) {
  std::vector<std::string> said;
  for (const std::string& part : parts)
    if (!part.empty()) said.push_back(part);
  return said.empty() ? std::string() : fmt::format(" ({})", fmt::join(said, ", "));
}

/// ", at 259 each"; nothing where that is not known.
std::string comma(const std::string& text) { return text.empty() ? text : ", " + text; }

/// "20 times, at 259 each" of calls that are new, "(20 calls at 259 each)" of those that are gone.
std::string one_sided_text(const Counts& calls, const std::string& each) {
  if (calls[0] == 0) return times(thousands(calls[1])) + comma(each);
  return fmt::format("({}{}{})", counted(calls[0], "call"), each.empty() ? "" : " ", each);
}

/// A recursion in numbers that mean something: how many calls one call from outside becomes.
std::string recursion_text(const Calls& calls) {
  const auto [before, after] = quantities(calls.for_each_outer);
  const std::string all_before = thousands(calls.callers[0]), all_after = thousands(calls.callers[1]);
  const std::string who = subject(calls.caller);
  if (calls.calls[0] == 0)
    return fmt::format("{}is now recursive: {} calls for each call from outside ({} in all)", who, after, all_after);
  if (calls.calls[1] == 0)
    return fmt::format("{}is no longer recursive (was {} in all for {} from outside)", who,
                       counted(calls.callers[0], "call"),
                       thousands(std::llround(static_cast<long double>(calls.callers[0]) / calls.for_each_outer[0])));
  return fmt::format("{}recurses {}: {} calls for each call from outside, was {} ({} in all, was {})", who,
                     calls.for_each_outer[1] > calls.for_each_outer[0] ? "more" : "less", after, before, all_after,
                     all_before);
}

/// As often as before: what the calls cost is another part of what all calls of the callee cost.
std::string as_often_text(const Calls& calls) {
  return fmt::format("{} costs {} when {} calls it ({})", calls.callee, calls.cost_more ? "more" : "less",
                     calls.caller.empty() ? "this function" : calls.caller, call_counts(calls.calls));
}

/// "in 14 % of its calls, was 3 %", "2.4 times per call, was 1.5".
std::string rate_text(const Rates& rate, std::string_view per, std::string_view of_all) {
  const bool is_share = std::max(rate[0], rate[1]) <= 1;
  const auto [before, after] = is_share ? quantities({100 * rate[0], 100 * rate[1]}) : quantities(rate);
  if (is_share) return fmt::format("in {} % of {}, was {} %", after, of_all, before);
  return fmt::format("{} per {}, was {}", times_text(after), per, before);
}

constexpr long double kFew = 10;  // calls more or fewer: a part of one is nothing that anybody has seen

/// "calls `g` about 2,190 more times, at 316 each (in 14 % of its calls, was 3 %)": what another rate comes to in as
/// many calls. Without a price "calls `g` in 14 % of its calls, was 3 % (20 calls, was 5)".
std::string rated_text(const std::string& does, const std::string& rate, long double more, const std::string& price,
                       const Counts& calls) {
  const bool rounds_to_none = std::abs(more) < 0.5L;
  if (price.empty() || rounds_to_none || (std::abs(more) < kFew && calls[0] != calls[1]))
    return fmt::format("{} {} ({})", does, rate, call_counts(calls));
  return fmt::format("{} about {} {} times, {} ({})", does, thousands(std::llround(std::abs(more))),
                     more > 0 ? "more" : "fewer", price, rate);
}

std::string how_often_text(const Calls& calls, int64_t delta) {
  if (calls.of_itself) return recursion_text(calls);
  // Where the caller is called another number of times, some of the calls are another cause's.
  const bool all_are_its_own =
      calls.in_total || calls.callers[0] == calls.callers[1] || calls.calls[0] == 0 || calls.calls[1] == 0;
  const std::string does = calling(calls.entry, calls.callee),
                    each = all_are_its_own ? each_text(calls.calls, delta) : std::string();
  if (calls.calls[0] == 0 || calls.calls[1] == 0)
    return fmt::format("{}{} {} {}", subject(calls.caller), calls.calls[0] == 0 ? "now" : "no longer", does,
                       one_sided_text(calls.calls, each));
  if (calls.calls[0] == calls.calls[1] && calls.callers[0] == calls.callers[1]) return as_often_text(calls);
  const auto [before, after] = quantities(calls.per_call);
  if (before == after && !calls.in_total && each.empty()) return as_often_text(calls);
  if (delta != 0 && (delta > 0) != (calls.calls[1] > calls.calls[0]) && calls.callers[0] == calls.callers[1])
    return as_often_text(calls);
  if (calls.callers[0] == calls.callers[1] || (calls.in_total && calls.calls[0] != calls.calls[1]))
    return fmt::format("{}{} {}, was {}{}", subject(calls.caller), does, times(thousands(calls.calls[1])),
                       thousands(calls.calls[0]), comma(each));
  const long double more = (calls.per_call[1] - calls.per_call[0]) * calls.common,
                    in_all = static_cast<long double>(calls.calls[1] - calls.calls[0]);
  constexpr long double kAbout = 0.2L,  // so near, the numbers of calls say what the rate does
      kRare = 0.001L;                   // a share of that says less than the numbers
  const bool are_all = std::abs(in_all - more) < kAbout * std::abs(in_all);
  const bool is_rare = std::min(calls.per_call[0], calls.per_call[1]) < kRare;
  if (in_all * more > 0 && (are_all || is_rare || std::abs(more) < kFew))
    return fmt::format("{}{} {}, was {}{}", subject(calls.caller), does, times(thousands(calls.calls[1])),
                       thousands(calls.calls[0]), are_all ? comma(each_text(calls.calls, delta)) : "");
  return rated_text(subject(calls.caller) + does, rate_text(calls.per_call, "call", "its calls"), more,
                    price_text(more, delta), calls.calls);
}

/// Of calls with a recorded price on both sides: by all of them where these figures give the change, else by those
/// that both sides make (the others came with other causes). Nothing where neither gives it.
std::optional<Clauses> priced_text(const Calls& calls, int64_t delta) {
  const auto cost = [&](size_t side, long double count) { return count * calls.price[side]; };
  const auto of_calls = [&](size_t side) { return static_cast<long double>(calls.calls[side]); };
  const bool as_many = calls.calls[0] == calls.calls[1];
  const std::string by = calls.caller.empty() ? "" : fmt::format(", called by {},", calls.caller);
  if (delta == 0 || gives(cost(1, of_calls(1)) - cost(0, of_calls(0)), delta)) {
    if (as_many)
      return Clauses{fmt::format("{}{} costs {} ({})", calls.callee, by, was_per(calls.price, "per call"),
                                 counted(calls.calls[1], "call"))};
    return Clauses{how_often_text(calls, 0), "each costs " + was_per(calls.price, "")};
  }
  const auto in_common = [&](size_t side) { return cost(side, calls.common * calls.per_call[side]); };
  if (!gives(in_common(1) - in_common(0), delta)) return std::nullopt;
  const auto [before, after] = quantities(calls.per_call);
  if (before == after)
    return Clauses{fmt::format("{}{} costs {} ({} common to both)", calls.callee, by, was_per(calls.price, "per call"),
                               counted(std::llround(calls.common * calls.per_call[1]), "call"))};
  return Clauses{
      fmt::format("{}{} {}", subject(calls.caller), calling(calls.entry, calls.callee),
                  rate_text(calls.per_call, "call", "its calls")),
      fmt::format("each costs {} (for {}{})", was_per(calls.price, ""), counted(std::llround(calls.common), "call"),
                  calls.caller.empty() ? "" : " of " + calls.caller)};
}

Clauses text_of(const Calls& calls, int64_t delta) {
  std::optional<Clauses> priced;
  if (calls.price[0] != 0 || calls.price[1] != 0) priced = priced_text(calls, delta);
  Clauses clauses = priced ? std::move(*priced) : Clauses{how_often_text(calls, delta)};
  if (!calls.mostly_callee.empty() || !calls.mostly_caller.empty())
    clauses.push_back(fmt::format("mostly{}{}", calls.mostly_callee.empty() ? "" : " calls of " + calls.mostly_callee,
                                  calls.mostly_caller.empty() ? "" : " by " + calls.mostly_caller));
  return clauses;
}

std::string text_of(const fact::CallsOnBehalf& calls, const Cause& cause) {
  const Calls& of = calls.through;
  const std::string each = each_text(of.calls, cause.delta), by = calls.by.empty() ? "" : ", for " + calls.by;
  if (of.calls[0] == 0 || of.calls[1] == 0)
    return fmt::format("{}{} {} {}{}", subject(of.caller), of.calls[0] == 0 ? "now calls" : "no longer calls",
                       of.callee, one_sided_text(of.calls, each), by);
  return fmt::format("{}calls {} {}, was {}{}{}", subject(of.caller), of.callee, times(thousands(of.calls[1])),
                     thousands(of.calls[0]), comma(each), by);
}

std::string text_of(const Entries& entry) {
  const auto [before, after] = entry.entries;
  if (before == 0) return fmt::format("{} is now called from outside the profile", entry.function);
  if (after == 0) return fmt::format("{} is no longer called from outside the profile", entry.function);
  return fmt::format("{} is called from outside the profile {}, was {}", entry.function, times(thousands(after)),
                     thousands(before));
}

// Names and builds.

/// What head's function is called, and what base's was: names short, but so that they differ.
struct OldName {
  std::string now, before;
  bool signature_alone = false;  ///< the names differ in nothing else
};

OldName names_of(const Texts& names) {
  const auto& [base_name, head_name] = names;
  if (is_address_name(head_name) || is_address_name(base_name)) return {quoted_name(head_name), quoted_name(base_name)};
  const std::string head_called = name_without_parameters(head_name), base_called = name_without_parameters(base_name);
  const bool one_is_cut = short_name(head_name) == head_called || short_name(base_name) == base_called;
  if (head_called == base_called && one_is_cut) return {fmt::format("`{}`", head_called), {}, true};
  const auto [head, base] = names_apart(head_name, base_name);
  return {fmt::format("`{}`", head), fmt::format("`{}`", base)};
}

Clauses text_of(const Renamed& renamed) {
  std::string name = quoted_name(renamed.names[1]), what;
  switch (renamed.by) {
    case RenamedBy::kDispatch:  // by the whole names: short ones are the routine's
      name = fmt::format("`{}`", renamed.names[1]);
      what = fmt::format("runs in place of `{}`, as the processor's features are others", renamed.names[0]);
      break;
    case RenamedBy::kObject:
      what = fmt::format("comes from {}, was {}", quoted_name(renamed.objects[1]), quoted_name(renamed.objects[0]));
      break;
    case RenamedBy::kEvidence: {
      const OldName of = names_of(renamed.names);
      name = of.now;
      what = of.signature_alone ? std::string("its signature changed")
                                : fmt::format("was {} ({})", of.before, renamed.evidence);
    }
  }
  if (!renamed.costs_otherwise)
    return {renamed.by == RenamedBy::kEvidence && what.starts_with("its") ? fmt::format("{}: {}", name, what)
                                                                          : fmt::format("{} {}", name, what)};
  return {fmt::format("{} {}", name, figures_text(renamed.figures)), what.starts_with("its") ? what : "it " + what};
}

std::string_view guess_text(const fact::Rebuilt& build) {
  switch (build.guess) {
    case fact::BuildGuess::kAssertions:
      return build.guess_in_head ? "probably with assertions, without -DNDEBUG"
                                 : "probably without assertions, with -DNDEBUG";
    case fact::BuildGuess::kStackProtection:
      return build.guess_in_head ? "probably with -fstack-protector" : "probably without -fstack-protector";
    case fact::BuildGuess::kNoOptimisation:
      return build.guess_in_head ? "probably without optimisation" : "probably with optimisation, was without";
    case fact::BuildGuess::kNone:
      break;
  }
  return "options, compiler or version";
}

std::string text_of(const fact::Rebuilt& build) {
  std::string only;
  for (const auto& [functions, side] : {std::pair(build.alone[0], "base"), {build.alone[1], "head"}})
    if (functions > 0) only += fmt::format("; {} {} only in {}", functions, functions == 1 ? "exists" : "exist", side);
  return fmt::format("`{}` was built differently ({}): {} of the {} functions in both builds changed in cost{}",
                     build.object, build.producers.empty() ? guess_text(build) : build.producers, build.changed,
                     build.common, only);
}

std::string text_of(const fact::LinkTime& build) {
  return fmt::format("`{}` {} link-time optimisation: {} functions are {} inlined into other files' functions",
                     build.object, build.in_head ? "is now built with" : "is no longer built with", build.functions,
                     build.in_head ? "now" : "no longer");
}

// Inlining.

/// "(16,400 calls, +133 each)": what a call costs more or less for it.
std::string net_text(int64_t own, int64_t calls, int64_t count) {
  const long double each = (static_cast<long double>(own) + static_cast<long double>(calls)) /
                           static_cast<long double>(std::max<int64_t>(count, 1));
  if (count < 2) return fmt::format(" ({})", counted(count, "call"));
  return fmt::format(" ({}, {}{} each)", counted(count, "call"), each > 0 ? "+" : "",
                     icount::quantities(each, each).first);
}

std::string callees_of(const Inlined& inlined) {
  return inlined.more_callees == 0 ? inlined.callee : inlined.callee + and_others(inlined.more_callees);
}

/// "`g` is now inlined", "`g` and one other function are no longer inlined".
std::string inlined_now(const Inlined& inlined) {
  return fmt::format("{} {} {} inlined", callees_of(inlined), inlined.more_callees == 0 ? "is" : "are",
                     inlined.into_caller ? "now" : "no longer");
}

/// "`f`", "the loop at a.c:3 in `f`"; empty where neither is named.
std::string where_inlined(const Inlined& inlined) {
  if (inlined.loop.empty()) return inlined.caller;
  return fmt::format("the loop at {}{}{}", inlined.loop, inlined.caller.empty() ? "" : " in ", inlined.caller);
}

/// What a call costs more, own code and calls together.
template <typename Fact>
long double net_of_each(const Fact& inlined) {
  return (static_cast<long double>(inlined.own) + static_cast<long double>(inlined.calls)) /
         static_cast<long double>(std::max<int64_t>(inlined.count, 1));
}

/// "`f` costs 1,000 more per call (20 calls); `g` is no longer inlined into it": the inlining is not what it costs.
std::string other_work_text(const Inlined& inlined) {
  const long double each = net_of_each(inlined);
  const std::string where = where_inlined(inlined);
  if (inlined.other_work == OtherWork::kOfChangedLines && inlined.callee_is_known && inlined.more_callees == 0)
    return fmt::format("{} costs {} {}{}, and is {} inlined{}", inlined.callee,
                       icount::quantities(std::abs(each), 0).first, each > 0 ? "more" : "less",
                       inlined.count < 2 ? "" : fmt::format(" per call ({})", counted(inlined.count, "call")),
                       inlined.into_caller ? "now" : "no longer", where.empty() ? "" : " into " + where);
  const std::string beside =
      inlined.callee_is_known
          ? inlined_now(inlined) + " into it"
          : fmt::format("it {} {}", inlined.into_caller ? "no longer calls" : "now calls", callees_of(inlined));
  return fmt::format("{} costs {} {}{}; {}", where.empty() ? "this function" : where,
                     icount::quantities(std::abs(each), 0).first, each > 0 ? "more" : "less",
                     inlined.count < 2 ? "" : fmt::format(" per call ({})", counted(inlined.count, "call")), beside);
}

std::string inlining_text(const Inlined& inlined) {
  if (!inlined.callee_is_known && inlined.into_caller)
    return fmt::format("{}now does the work of {} itself, inlined or merged", subject(inlined.caller),
                       callees_of(inlined));
  if (!inlined.callee_is_known)
    return fmt::format("{}now calls {} for work that it did itself", subject(inlined.caller), callees_of(inlined));
  const std::string where = where_inlined(inlined);
  return inlined_now(inlined) + (where.empty() ? "" : " into " + where);
}

std::string text_of(const Inlined& inlined) {
  if (inlined.other_work != OtherWork::kNone && inlined.rest.empty()) return other_work_text(inlined);
  const std::string beside =
      inlined.rest.empty()
          ? std::string()
          : fmt::format(", which {} {} for the rest", inlined.into_caller ? "now calls" : "called", inlined.rest);
  return inlining_text(inlined) + beside + net_text(inlined.own, inlined.calls, inlined.count);
}

std::string text_of(const SharedInlining& inlined) {
  const std::string callers =
      inlined.more_callers == 0
          ? fmt::format("{} and {}", inlined.callers[0], inlined.callers[1])
          : fmt::format("{}, {}{}", inlined.callers[0], inlined.callers[1], and_others(inlined.more_callers));
  const std::string inlining = fmt::format("{} inlined into {}", inlined.into_callers ? "now" : "no longer", callers);
  constexpr long double kMostByInlining = 60;  // what a call costs that does the same, and a little more
  const long double each = net_of_each(inlined);
  if (std::abs(each) > kMostByInlining)
    return fmt::format("{} costs {} {} per call ({}); it is {}", inlined.callee,
                       icount::quantities(std::abs(each), 0).first, each > 0 ? "more" : "less",
                       counted(inlined.count, "call"), inlining);
  return fmt::format("{} is {}{}", inlined.callee, inlining, net_text(inlined.own, inlined.calls, inlined.count));
}

std::string text_of(const fact::CallsSaved& calls) {
  const std::string caller = calls.caller.empty() ? "this function" : calls.caller;
  if (calls.into_caller)
    return fmt::format("{}, now inlined into {}, no longer calls {} ({})", caller, calls.into, calls.callee,
                       counted(calls.calls, "call"));
  return fmt::format("{}, no longer inlined into {}, now calls {} {}", caller, calls.into, calls.callee,
                     times(thousands(calls.calls)));
}

std::string text_of(const SavedCallsApart& calls) {
  return fmt::format("shown separately: calls of {} by {}", calls.callee, calls.caller);
}

// What takes another's place.

std::string text_of(const AllocatorReplaced& change) {
  return fmt::format("the allocator is {}, was {}", change.libraries[1], change.libraries[0]);
}

std::string text_of(const ContainerReplaced& change) {
  const std::string more =
      change.more_users == 0 ? "" : " and " + counted(static_cast<int64_t>(change.more_users), "more function");
  return fmt::format("{}{} use{} `{}` in place of `{}`", change.user, more, more.empty() ? "s" : "",
                     change.containers[1], change.containers[0]);
}

/// "259 each, was 30"; nothing where both are the same.
std::string each_was(const Rates& price) {
  const auto [before, after] = quantities(price);
  return before == after ? std::string() : fmt::format("{} each, was {}", after, before);
}

/// "`f`, `g` and `h`" where they are so few.
std::optional<std::string> few_callers(size_t count, const Cause& cause) {
  std::vector<std::string> names;  // the largest change first
  for (const Cause& call : cause.inside)
    if (std::string name = quoted_label(call.caller); std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  if (names.size() != count || count > kNamed || cause.inside.front().caller.empty()) return std::nullopt;
  const std::string last = std::move(names.back());
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string text_of(const SharedCallee& shared, const Cause& cause) {
  const std::optional<std::string> few = few_callers(shared.callers, cause);
  const std::string callers = few.value_or(fmt::format("{} functions", shared.callers));
  const std::string most = shared.most.empty() || few ? std::string() : "most often " + shared.most;
  if (!shared.instead_of.empty()) {
    Rates price{};  // the calls' own causes are inside
    for (const Cause& one : cause.inside)
      if (const auto of = call_figures(one))
        price[of->calls[0] == 0 ? 1 : 0] +=
            std::abs(static_cast<long double>(one.delta)) / static_cast<long double>(shared.calls);
    return fmt::format("{} call {} in place of {}{}{}", callers, shared.function, shared.instead_of,
                       in_brackets({counted(shared.calls, "call"), each_was(price)}), comma(most));
  }
  const int64_t head = shared.gained ? shared.calls : shared.others,
                base = shared.gained ? shared.others : shared.calls;
  const std::string each = each_text({base, head}, cause.delta);
  if (shared.others == 0)
    return fmt::format("{} {} call {} ({}{}){}", callers, shared.gained ? "now" : "no longer", shared.function,
                       counted(shared.calls, "call"), each.empty() ? each : " " + each, comma(most));
  return fmt::format("{} call {} {}, was {}{}{}", callers, shared.function, times(thousands(head)), thousands(base),
                     comma(each), most.empty() ? most : "; " + most);
}

std::string text_of(const ReplacedCall& replaced) {
  std::string calls = counted(replaced.calls[1], "call"), each = each_was(replaced.price);
  if (replaced.calls[0] != replaced.calls[1])
    calls += fmt::format(", was {}; {}", thousands(replaced.calls[0]), std::exchange(each, {}));
  return fmt::format("{}calls {} in place of {}{}", subject(replaced.caller), replaced.callees[1], replaced.callees[0],
                     in_brackets({calls, each}));
}

// What grew as a whole.

std::string text_of(const LongerWork& work) {
  return fmt::format("{} does {} times the work, callees included", work.function,
                     icount::quantities(work.factor, work.factor).first);
}

std::string text_of(const LongerLoop& loop) {
  const long double factor = static_cast<long double>(loop.cost[1]) / static_cast<long double>(loop.cost[0]);
  return fmt::format("{} does {} times the work: {} itself, was {}, and {} in proportion", loop.function,
                     icount::quantities(factor, factor).first, thousands(loop.cost[1]), thousands(loop.cost[0]),
                     counted(static_cast<int64_t>(loop.callees), "callee"));
}

std::string_view recursion_change(Recursion recursion) {
  switch (recursion) {
    case Recursion::kBegins:
      return "is now recursive";
    case Recursion::kEnds:
      return "is no longer recursive";
    case Recursion::kMore:
      return "recurses more";
    case Recursion::kLess:
      break;
  }
  return "recurses less";
}

std::string text_of(const GrownRecursion& grown) {
  if (grown.has_other_changes)
    return fmt::format("{} {}: {} (other changes in it included)", grown.function, recursion_change(grown.recursion),
                       call_counts(grown.calls));
  return fmt::format("{} {}: {}; a call itself costs {}", grown.function, recursion_change(grown.recursion),
                     call_counts(grown.calls),
                     was(icount::quantities(grown.cost[0], grown.cost[1]).first,
                         icount::quantities(grown.cost[0], grown.cost[1]).second));
}

std::string text_of(const DeeperRecursion& deeper) {
  const std::string who = deeper.others == 1 ? fmt::format("{} and {}", deeper.first, deeper.second)
                                             : deeper.first + and_others(deeper.others);
  const auto [before, after] = quantities(deeper.for_each_outer);
  return fmt::format(
      "{} call each other {}: {} calls for each call from outside, was {} ({} in all, was {}); mostly {} calling {}",
      who, deeper.for_each_outer[1] > deeper.for_each_outer[0] ? "more" : "less", after, before,
      thousands(deeper.calls[1]), thousands(deeper.calls[0]), deeper.caller, deeper.callee);
}

// Inside a function.

std::string the_loop(const LoopName& name) {
  const std::string loop = name.inlined.empty()
                               ? fmt::format("the {}{}", name.loop, in_function(name.function))
                               : fmt::format("the {} in {} (inlined{})", name.loop, name.inlined,
                                             name.function.empty() ? name.function : " into " + name.function);
  if (name.instead_of.empty()) return loop;
  return fmt::format("{}, in place of the {}{},", loop, name.instead_of, in_function(name.instead_of_inlined));
}

std::string_view outside_loops(bool has_loops) { return has_loops ? "outside its loops" : "itself"; }

std::string text_of(const TurnCost& cost) {
  if (cost.turn == Turn::kRun)
    return fmt::format("a run of the statement costs {} ({})", was_per(cost.cost, ""),
                       counts_of(cost.times, "run", "runs"));
  return fmt::format("{} costs {} ({})", the_loop(cost.loop), was_per(cost.cost, "per iteration"),
                     counts_of(cost.times, "iteration", "iterations"));
}

std::string text_of(const CodeCost& cost) {
  return fmt::format("the code at {}{} costs {} ({})", cost.place, in_function(cost.function),
                     was_per(cost.cost, "each time"), counts_of(cost.times, "time", "times"));
}

/// "costs 14 per call, was 6 (10 calls)". `per`: "per call", or of what.
std::string cost_per_call(bool in_total, const Rates& cost, const Rates& calls, std::string_view per = "per call") {
  if (in_total) return fmt::format("costs {}", was_per(cost, "in total"));
  return fmt::format("costs {} ({})", was_per(cost, per), counts_of(calls, "call", "calls"));
}

std::string text_of(const BodyCost& cost) {
  return fmt::format("{}{} {}", subject(cost.function), outside_loops(cost.has_loops),
                     cost_per_call(cost.in_total, cost.cost, cost.calls));
}

std::string text_of(const PartCost& cost) {
  const bool is_of_another = !cost.inlined.empty() && !cost.function.empty();
  std::string costs = cost_per_call(cost.in_total, cost.cost, cost.times,
                                    is_of_another ? "per call of " + cost.function : std::string("per call"));
  if (!cost.is_body && cost.turn == Turn::kRun)
    costs = fmt::format("costs {} ({})", was_per(cost.cost, "per run of the statement"),
                        counts_of(cost.times, "run", "runs"));
  else if (!cost.is_body)
    costs = fmt::format("costs {} ({})", was_per(cost.cost, "per iteration of the " + cost.loop.loop),
                        counts_of(cost.times, "iteration", "iterations"));
  if (cost.inlined.empty())
    return fmt::format("{}without what is inlined into it {}",
                       cost.function.empty() ? "the function's own code " : subject(cost.function), costs);
  return fmt::format("{} (inlined{}{}) {}", cost.inlined,
                     cost.function.empty() ? cost.function : " into " + cost.function,
                     cost.call_line == 0 ? "" : fmt::format(" at line {}", cost.call_line), costs);
}

std::string text_of(const LastTest& test) {
  return fmt::format("leaving {} costs {} ({})", the_loop(test.loop), was_per(test.cost, ""),
                     counts_of(test.entries, "entry", "entries"));
}

std::string text_of(const Reshaped& reshaped) {
  const auto& turns = reshaped.iterations;
  const long double factor = std::max(turns[0], turns[1]) / std::min(turns[0], turns[1]);
  const bool whole = std::abs(factor - std::round(factor)) < 0.05L * factor;
  const auto [turns_base, turns_head] = quantities(turns);
  const auto [own_base, own_head] = quantities(reshaped.own);
  return fmt::format("{} costs {} ({}): {} iterations of {}, was {} of {}{}", the_loop(reshaped.loop),
                     was_per(reshaped.cost, "per entry"), counts_of(reshaped.entries, "entry", "entries"), turns_head,
                     own_head, turns_base, own_base,
                     !whole                ? ""
                     : turns[1] < turns[0] ? "; unrolled or vectorised?"
                                           : "; no longer unrolled or vectorised?");
}

std::string text_of(const ReachedCode& code) {
  const auto [base, head] = quantities(code.times);
  return fmt::format("the code at {}{} runs {} {}, was {}", code.place, in_function(code.function), times_text(head),
                     code.in_total ? "in all" : "per call", base);
}

/// ", 4 instructions per iteration": what a further one costs, where the loop is entered as often.
std::string each_iteration(const Iterations& of, int64_t delta) {
  const long double more = (of.per_entry[1] - of.per_entry[0]) * of.entries[1];
  if (of.entries[0] != of.entries[1] || std::abs(more) < 2 || (more > 0) != (delta > 0)) return {};
  const long double each = static_cast<long double>(delta) / more;
  return fmt::format(", {} instructions per iteration", icount::quantities(each, each).first);
}

/// "runs 20 times per entry, was 10"; where it is less than once, by the totals.
std::string text_of(const Iterations& of, const Cause& cause) {
  const std::string each = each_iteration(of, cause.delta);
  const std::string_view runs = of.dispatches ? "dispatches" : "runs";
  constexpr long double kHardlyEver = 0.1L;  // so few times per entry are no number that means anything
  const auto [fewer, more] = std::minmax(of.per_entry[0], of.per_entry[1]);
  if (more < 1 || fewer < kHardlyEver) {
    const auto total = [&](size_t side) { return thousands(std::llround(of.per_entry[side] * of.entries[side])); };
    return fmt::format("{} {} {}, was {} ({}{})", the_loop(of.loop), runs, times(total(1)), total(0),
                       counts_of(of.entries, "entry", "entries"), each);
  }
  const auto [base, head] = quantities(of.per_entry);
  return fmt::format("{} {} {} per entry, was {} ({}{})", the_loop(of.loop), runs, times_text(head), base,
                     counts_of(of.entries, "entry", "entries"), each);
}

/// "the loop at lex.cc:19 in `lex` ", before what it does; and what the rate is per.
std::pair<std::string, std::string> who(const Doer& doer, bool in_total) {
  switch (doer.kind) {
    case Doer::Kind::kRun:
      return {"the statement ", "run"};
    case Doer::Kind::kIteration:
      return {the_loop(doer.loop) + " ", "iteration"};
    case Doer::Kind::kLoop:
      return {the_loop(doer.loop) + " ", "entry"};
    case Doer::Kind::kLastTest:
      return {"leaving " + the_loop(doer.loop) + " ", "entry"};
    case Doer::Kind::kCode:
      return {fmt::format("the code at {}{} ", doer.place, in_function(doer.function)), "run"};
    case Doer::Kind::kFunction:
      break;
  }
  return {subject(doer.function), in_total ? "program" : "call"};
}

// What ran as often on both sides but for this part needs no rate: the numbers themselves are in its proportion.
constexpr long double kAsOften = 0.05L;

/// How often that ran which `rate` is per.
long double turns_of(const Counts& of, const Rates& rate, size_t side) {
  return rate[side] > 0 ? static_cast<long double>(of[side]) / rate[side] : 0;
}

bool run_as_often(const Counts& of, const Rates& rate) {
  const long double base = turns_of(of, rate, 0), head = turns_of(of, rate, 1);
  return std::abs(base - head) <= kAsOften * head;
}

std::string text_of(const InsideCalls& calls, const Cause& cause) {
  const auto [base, head] = quantities(calls.rate);
  const std::string does = calling(calls.entry, calls.callee);
  const auto [caller, per] = who(calls.doer, calls.in_total);
  if (calls.rate[0] == calls.rate[1])
    return fmt::format("{} costs {} when {}calls it ({})", calls.callee, cause.delta < 0 ? "less" : "more",
                       caller.empty() ? "this function " : caller, call_counts(calls.calls));
  const long double few = std::min(turns_of(calls.calls, calls.rate, 0), turns_of(calls.calls, calls.rate, 1));
  const std::string each = calls.calls[0] == 0 || calls.calls[1] == 0 || run_as_often(calls.calls, calls.rate)
                               ? each_text(calls.calls, cause.delta)
                               : price_text((calls.rate[1] - calls.rate[0]) * few, cause.delta);
  const bool has_rate = !calls.in_total || calls.doer.kind != Doer::Kind::kFunction;
  const auto rate = [&, per = per](const std::string& of) {
    return has_rate ? fmt::format("{} per {}", of == "1" ? "once" : of, per) : std::string();
  };
  if (calls.calls[0] == 0)
    return fmt::format("{}now {} {}{}{}", caller, does, times(thousands(calls.calls[1])), comma(each),
                       in_brackets({rate(head)}));
  if (calls.calls[1] == 0)
    return fmt::format("{}no longer {} ({}{}{})", caller, does, counted(calls.calls[0], "call"),
                       each.empty() ? each : " " + each, comma(rate(base)));
  if (has_rate && !run_as_often(calls.calls, calls.rate))
    return rated_text(caller + does,
                      rate_text(calls.rate, per,
                                per == "entry"  ? "the entries"
                                : per == "call" ? "its calls"
                                                : fmt::format("the {}s", per)),
                      (calls.rate[1] - calls.rate[0]) * few, each, calls.calls);
  const std::string how_often = has_rate ? rate(head) + ", was " + base : std::string();
  if (calls.calls[0] == calls.calls[1])
    return fmt::format("{}{} {}{}", caller, does, times(thousands(calls.calls[1])), comma(how_often));
  return fmt::format("{}{} {}, was {}{}{}", caller, does, times(thousands(calls.calls[1])), thousands(calls.calls[0]),
                     comma(each), in_brackets({how_often}));
}

/// "in 17 % of the iterations of the loop at scan.c:9, was 89 %", "20 per call, was 10": what the entries go by. Empty
/// where that ran as often on both sides, or is a place in the code: the entries then say all.
std::string entry_rate_text(const LoopEntry& entry) {
  const bool is_call = entry.doer.kind == Doer::Kind::kFunction, is_run = entry.doer.kind == Doer::Kind::kRun;
  if ((is_call && entry.in_total) || entry.doer.kind == Doer::Kind::kCode) return {};
  const std::string_view one = is_run ? "run" : is_call ? "call" : "iteration";
  const auto [base, head] = quantities(entry.rate);
  if (entry.entries[0] == 0 || entry.rate[0] == 0)
    return entry.rate[1] < 1 ? fmt::format("in {} of the {}s", percent_text(entry.rate[1]), one)
                             : fmt::format("{} per {}", times_text(head), one);
  if (run_as_often(entry.entries, entry.rate)) return {};
  const std::string of_loop = is_run || is_call ? std::string() : " of the " + entry.doer.loop.loop;
  if (std::max(entry.rate[0], entry.rate[1]) > 1 + 1e-9L)
    return fmt::format("{} per {}{}, was {}", head, one, of_loop, base);
  const std::string before = percent_text(entry.rate[0]), after = percent_text(entry.rate[1]);
  return before == after ? std::string() : fmt::format("in {} of the {}s{}, was {}", after, one, of_loop, before);
}

std::string text_of(const LoopEntry& entry, const Cause& cause) {
  std::string loop = "the " + entry.loop;
  if (!entry.inlined.empty())
    loop += fmt::format(" in {} (inlined{})", entry.inlined,
                        entry.inlined_line == 0 ? std::string() : fmt::format(" at line {}", entry.inlined_line));
  else if (entry.doer.kind != Doer::Kind::kRun)
    loop += in_function(entry.doer.loop.function.empty() ? entry.doer.function : entry.doer.loop.function);
  const std::string rate = entry_rate_text(entry), each = each_text(entry.entries, cause.delta);
  if (entry.entries[0] == 0)
    return fmt::format("{} is now entered {}{}{}", loop, times(thousands(entry.entries[1])), comma(each),
                       in_brackets({rate}));
  if (entry.entries[1] == 0)
    return fmt::format("{} is no longer entered (was {}{})", loop, times(thousands(entry.entries[0])), comma(each));
  return fmt::format("{} is entered {}, was {}{}{}", loop, times(thousands(entry.entries[1])),
                     thousands(entry.entries[0]), rate.empty() ? comma(each) : std::string(), in_brackets({rate}));
}

std::string target_text(const Target& target) {
  if (!target.is_loop && target.place.starts_with(kMeasuringLoopFile)) return "the end of the run";
  if (target.is_loop) return "the " + target.place;
  return target.line != 0 ? fmt::format("line {}", target.line) : target.place;
}

std::string text_of(const LeftTo& left) {
  return fmt::format("{} ends at {} {}", the_loop(left.loop), target_text(left.target),
                     share_text(left.rate[0], left.rate[1], "entry"));
}

/// "goes to line 12 33 % of the time, was 1.6 %", "never goes to line 12, was 98 % of the time".
std::string branch_goes(const Branch& branch) {
  const auto [base, head] = branch.rate;
  const std::string_view how = base > 1 ? "" : head == 0 ? "never " : head == 1 ? "always " : "";
  const std::string goes = branch.stays_on_line ? fmt::format("is {}taken", how)
                                                : fmt::format("{}goes to {}", how, target_text(branch.target));
  return how.empty() ? fmt::format("{} {}", goes, share_text(base, head, "execution"))
                     : fmt::format("{}, was {} of the time", goes, percent_text(base));
}

std::string text_of(const Branch& branch) {
  return fmt::format("the branch at {}{}{} {} ({})", branch.place, in_function(branch.function),
                     branch.loop.empty() ? "" : fmt::format(" (in the {})", branch.loop), branch_goes(branch),
                     counts_of(branch.times, "time", "times"));
}

std::string text_of(const Begins& begins) {
  const bool is_function = begins.doer.kind == Doer::Kind::kFunction;
  return fmt::format(
      "{}begins at {} {}", is_function ? subject(begins.doer.function) : the_loop(begins.doer.loop) + " ",
      target_text(begins.target), share_text(begins.rate[0], begins.rate[1], is_function ? "call" : "iteration"));
}

std::string text_of(const CallsThere& calls) {
  if (calls.more == 0) return fmt::format("calls of {}", calls.callee);
  const int64_t count = std::abs(calls.more);
  return fmt::format("{} {} {} of {}", thousands(count), calls.more > 0 ? "more" : "fewer",
                     count == 1 ? "call" : "calls", calls.callee);
}

std::string text_of(const SelfCostThere&) { return "its own instructions"; }

// Causes that stand for others.

/// "it calls `b` in place of `a`"; empty where neither side has calls of its own.
std::string exchange_text(const Texts& callees) {
  if (callees[0].empty() && callees[1].empty()) return {};
  if (callees[0].empty()) return "it now calls " + callees[1];
  if (callees[1].empty()) return "it no longer calls " + callees[0];
  return fmt::format("it calls {} in place of {}", callees[1], callees[0]);
}

std::string text_of(const CostPlace& place, const Cause& cause) {
  const auto [base, head] = place.inclusive;
  constexpr double kHardly = 0.05;  // what the figures say differs by less
  const bool is_of_others =
      std::abs(static_cast<double>(place.elsewhere)) > kHardly * std::abs(static_cast<double>(cause.delta));
  const std::string others = is_of_others ? with_sign(place.elsewhere) + " of that is in other rows" : "";
  if (place.in_every_part)
    return fmt::format("{} costs {} in every part: {} with its callees, was {}{}", place.function,
                       head > base ? "more" : "less", thousands(head), thousands(base), in_brackets({others}));
  if (place.calls < 2)
    return fmt::format("{} with its callees costs {}, was {}{}", place.function, thousands(head), thousands(base),
                       in_brackets({others}));
  const auto calls = static_cast<long double>(place.calls);
  const Rates each = {static_cast<long double>(base) / calls, static_cast<long double>(head) / calls};
  return fmt::format("{} with its callees costs {}{}", place.function, was_per(each, "per call"),
                     in_brackets({counted(place.calls, "call"), others}));
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

std::string text_of(const GrownCycle& grown, const Cause& cause) {
  return fmt::format("{} costs {}", grown.function, cause.delta > 0 ? "more" : "less");
}

std::string text_of(const AlikeCalls&, const Cause& cause) {
  NamedParts parts;
  for (const Cause& call : cause.inside) parts.emplace_back(call.callee, call.delta);
  return fmt::format("calls of {} functions by {} cost {}: {}", thousands(static_cast<int64_t>(parts.size())),
                     quoted_label(cause.caller), cause.delta > 0 ? "more" : "less", named(parts));
}

std::optional<CallFigures> call_figures(const Cause& cause) {
  if (const auto* const calls = std::get_if<Calls>(&cause.facts); calls && !calls->of_itself)
    return CallFigures{subject(calls->caller), calls->callee, calls->calls};
  if (const auto* const calls = std::get_if<InsideCalls>(&cause.facts))
    return CallFigures{who(calls->doer, calls->in_total).first, calls->callee, calls->calls};
  return std::nullopt;
}

bool is_list(const Cause& calls) { return calls.inside.size() > 2; }

/// "`a`", "`a` and `b`", "`a`, `b` and 3 more".
std::string few_names(const std::vector<std::string>& names) {
  if (names.size() < 3) return fmt::format("{}", fmt::join(names, " and "));
  return fmt::format("{}, {} and {}", names[0], names[1],
                     names.size() == 3 ? names[2] : fmt::format("{} more", names.size() - 2));
}

/// "`f` calls `a` 20 times, at 300 each, in place of `b` (5 calls at 3 each)", "`f` now calls `a` 20 times, and `b`
/// 10 times", "`f` runs the loop at scan.c:9 in place of the loop at scan.c:5". Of three and more the names: each has
/// its line below.
std::string text_of(const OneSidedCalls&, const Cause& cause) {
  struct Work {
    std::vector<std::string> calls, loops;
  };
  std::array<Work, 2> of_side;
  std::set<std::string> doers;
  std::string function;
  for (const Cause& one : cause.inside) {
    const OneSidedWork work = one_sided_work(one).value();
    doers.insert(work.doer);
    function = work.function;
    const std::string each = each_text(work.times, one.delta);
    std::string what = work.what;
    if (!is_list(cause) && !work.is_loop)
      what += " " + one_sided_text(work.times, each);
    else if (!is_list(cause))
      what += fmt::format("{} (entered {}{})", work.inlined_in.empty() ? "" : " in " + work.inlined_in,
                          times(thousands(work.times[work.in_head ? 1 : 0])), comma(each));
    Work& of = of_side[work.in_head ? 1 : 0];
    (work.is_loop ? of.loops : of.calls).push_back(std::move(what));
  }
  const std::string doer = doers.size() == 1 ? *doers.begin() : function;
  const auto said = [&](const std::vector<std::string>& of, const char* between) {
    return is_list(cause) ? few_names(of) : fmt::format("{}", fmt::join(of, between));
  };
  const auto& [gone, come] = of_side;
  if (come.calls.empty() && come.loops.empty())
    return fmt::format("{}no longer calls {}", doer, said(gone.calls, " or "));
  if (gone.calls.empty() && gone.loops.empty()) return fmt::format("{}now calls {}", doer, said(come.calls, ", and "));
  Clauses now, before;
  if (!come.calls.empty()) now.push_back("calls " + said(come.calls, ""));
  if (!come.loops.empty()) now.push_back("runs " + said(come.loops, ""));
  for (const auto& of : {gone.calls, gone.loops})
    if (!of.empty()) before.push_back(said(of, ""));
  return fmt::format("{}{}{} in place of {}", doer, fmt::join(now, " and "), is_list(cause) ? "" : ",",
                     fmt::join(before, " and "));
}

/// By function, the largest first.
NamedParts parts_by_function(const std::vector<Cause>& causes) {
  std::map<std::string, int64_t> by_function;
  for (const Cause& one : causes) {
    const std::string& function = one.caller.empty() ? one.function : one.caller;
    if (!function.empty()) by_function[function] += one.delta;
  }
  NamedParts parts(by_function.begin(), by_function.end());
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::abs(static_cast<double>(a.second)) > std::abs(static_cast<double>(b.second));
  });
  return parts;
}

/// "inside the allocator: `_int_free` (-352), `malloc` (+40) and `free` (+18)".
std::string text_of(const Group&, const Cause& cause) {
  const bool is_one = cause.function == kAllocatorGroup || cause.function == kLoaderGroup || cause.function == kGoGroup;
  return fmt::format("inside {}{}: {}", is_one ? "the " : "", cause.function, named(parts_by_function(cause.inside)));
}

/// "34 smaller causes in lexer.cc: `lex` (+300), `hash` (-20), `mix` (+1) and 4 more".
std::string text_of(const SmallerCauses& smaller, const Cause& cause) {
  int64_t count = 0;
  for (const Cause& one : cause.inside)
    count += std::holds_alternative<AlikeCalls>(one.facts) ? static_cast<int64_t>(one.inside.size()) : 1;
  const NamedParts parts = parts_by_function(cause.inside);
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
Clauses clauses_of(const Calls& calls, const Cause& cause) { return text_of(calls, cause.delta); }
Clauses clauses_of(const Renamed& renamed, const Cause&) { return text_of(renamed); }
Clauses clauses_of(const std::monostate&, const Cause&) { return {""}; }

/// Calls that a branch leads to are what a reader looks for, if they are most of it; the branch is why.
std::optional<std::string> calls_behind(const Cause& cause, const Remark& remark) {
  const auto* const branch = std::get_if<Branch>(&cause.facts);
  const auto* const calls = std::get_if<CallsThere>(&remark.causes.front().facts);
  if (!branch || !calls || calls->more == 0 || remark.causes.size() > 1) return std::nullopt;
  const int64_t delta = remark.causes.front().delta;
  if (2 * std::abs(static_cast<double>(delta)) < std::abs(static_cast<double>(cause.delta))) return std::nullopt;
  const bool is_own = calls->callee == branch->function;
  return fmt::format("{}calls {} {} {}{}", subject(branch->function), is_own ? "itself" : calls->callee,
                     thousands(std::abs(calls->more)), calls->more > 0 ? "more times" : "fewer times",
                     comma(each_text({0, calls->more}, delta)));
}

// A sentence below another about the same function.

template <typename Fact>
concept OfFunction = requires(Fact fact) {
  fact.function;
};
template <typename Fact>
concept OfCaller = requires(Fact fact) {
  fact.caller;
};

/// Calls `use` with each name of a fact that says in what function it happens.
template <typename Fact, typename Use>
void for_each_place(Fact& fact, Use use) {
  if constexpr (OfFunction<Fact> && !std::is_same_v<std::remove_const_t<Fact>, SharedCallee> &&
                !std::is_same_v<std::remove_const_t<Fact>, CostPlace>)
    use(fact.function);
  if constexpr (OfCaller<Fact> && !OfFunction<Fact>) use(fact.caller);
  if constexpr (requires { fact.loop.function; }) use(fact.loop.function);
  if constexpr (requires { fact.doer; }) {
    use(fact.doer.function);
    use(fact.doer.loop.function);
  }
}

/// As its words need it where the reader knows that it is about function `about`.
Cause without_function(const Cause& cause, std::string_view about) {
  Cause said = cause;
  const auto forget = [&](std::string& name) {
    if (name == about) name.clear();
  };
  std::visit([&](auto& fact) { for_each_place(fact, forget); }, said.facts);
  for (Remark& remark : said.remarks)
    for (Cause& of : remark.causes) of = without_function(of, about);
  return said;
}

/// "calls of `g`" where they are nearly all of these, else "the calls it makes", and what became of them.
std::pair<std::string, std::string_view> calls_of(const Cause& cause, int64_t delta) {
  constexpr double kNearlyAll = 0.9;
  const std::string_view cost = delta > 0 ? "cost more" : "cost less";
  for (const Cause& part : cause.inside) {
    if (part.kind != CauseKind::kCalls || delta == 0 ||
        std::abs(static_cast<double>(part.delta) / static_cast<double>(delta) - 1) > 1 - kNearlyAll)
      continue;
    const auto figures = call_figures(part);
    return {"calls of " + quoted_label(part.callee), figures && figures->calls[0] == 0   ? "are new"
                                                     : figures && figures->calls[1] == 0 ? "are gone"
                                                                                         : cost};
  }
  return {"the calls it makes", cost};
}

void add_remark(CauseWords& words, Clauses& clauses, const Remark& remark, const Cause& cause) {
  switch (remark.kind) {
    case Remark::Kind::kInlined: {
      const CauseInlined& inlined = remark.inlined;
      if (inlined.name == cause.caller || inlined.name == cause.callee) break;  // nothing new
      words.further.push_back(
          {std::nullopt,
           fmt::format("through {} (inlined{})", quoted_name(short_name(inlined.name)),
                       inlined.line == 0 ? std::string() : fmt::format(" at line {}", inlined.line)),
           CauseWords::Of::kAside});
      break;
    }
    case Remark::Kind::kWithCalls: {
      const auto [calls, what] = calls_of(cause, remark.other_delta);
      clauses.front() += fmt::format(", and {} {}", calls, what);
      words.further.push_back({remark.delta, "itself", CauseWords::Of::kPart});
      words.further.push_back({remark.other_delta, calls, CauseWords::Of::kPart});
      break;
    }
    case Remark::Kind::kLeading:
      words.further.push_back(
          {remark.causes.front().delta, cause_sentence(remark.causes.front(), function_in_words(cause))});
      break;
    case Remark::Kind::kOfWhich:
      if (auto calls = calls_behind(cause, remark))
        clauses.front() = std::move(*calls);
      else
        for (const Cause& part : remark.causes)
          words.further.push_back({part.delta, cause_sentence(part, function_in_words(cause)), CauseWords::Of::kPart});
      break;
  }
}

// Notes.

std::string_view side_name(size_t side) { return side == 0 ? "base" : "head"; }

std::string functions_text(size_t count) { return counted(static_cast<int64_t>(count), "function"); }

std::string note_text(const note::CallsNotTrusted& note) {
  using Why = note::CallsNotTrusted::Why;
  const std::string why =
      note.why == Why::kAsked
          ? std::string("as asked for")
          : fmt::format("{}: {}", side_name(note.side), note.why == Why::kNoCalls ? "it has no calls" : note.reason);
  return fmt::format("call counts are not trusted ({}): explained by the self cost of each function", why);
}

std::string note_text(const note::Renames& note) {
  const std::string text = fmt::format("{} matched under another name", functions_text(note.functions));
  if (note.with_word == 0) return text;
  return fmt::format("{}: `{}` is now `{}`{}", text, note.word[0], note.word[1],
                     note.with_word == note.functions ? "" : fmt::format(" in {} of them", note.with_word));
}

std::string note_text(const note::Moved& note) {
  return fmt::format("{} now come{} from `{}` (was `{}`)", functions_text(note.functions),
                     note.functions == 1 ? "s" : "", note.objects[1], note.objects[0]);
}

std::string note_text(const note::LessInlining& note) {
  return fmt::format(
      "{} of the {} functions of {} in {} are not in {}, inlined or optimized away there: built with other options{}",
      note.gone, note.all, note.object, side_name(note.side), side_name(1 - note.side),
      note.producers.empty() ? "?" : fmt::format(" ({})", note.producers));
}

std::string note_text(const note::OtherVariants& note) {
  return fmt::format(
      "{} of the C library run{} as another variant: base and head were measured on different processors or settings",
      functions_text(note.functions), note.functions == 1 ? "s" : "");
}

std::string note_text(const note::OneSidedSymbols& note) {
  return fmt::format("{} has no symbols in {}: all its functions count as one", quoted_name(note.object),
                     side_name(note.without));
}

std::string note_text(const note::OtherAddresses& note) {
  return fmt::format("{} without a symbol matched by position and figures; their addresses differ",
                     functions_text(note.functions));
}

std::string note_text(const note::NotOpened& note) {
  return fmt::format("{} was not looked into: {}", note.function, note.reason);
}

// Lines.

std::string_view per_of(const SelfFigures& figures) {
  return figures.in_total ? "in total" : figures.one_call ? "" : "per call";
}
std::string_view per_of(Turn turn) { return turn == Turn::kRun ? "per run" : "per iteration"; }

/// What the figures of Cause::lines are per.
template <typename Fact>
std::string_view what_a_line_costs(const Fact& fact) {
  if constexpr (requires { fact.figures; })
    return per_of(fact.figures);
  else if constexpr (requires { fact.is_body; })
    return fact.is_body ? (fact.in_total ? "in total" : "per call") : per_of(fact.turn);
  else if constexpr (requires { fact.turn; })
    return per_of(fact.turn);
  else
    return "per call";
}

}  // namespace

std::string function_in_words(const Cause& cause) {
  std::string function;
  std::visit(
      [&](const auto& fact) {
        if constexpr (std::is_same_v<std::decay_t<decltype(fact)>, CostPlace>)
          function = fact.function;
        else
          for_each_place(fact, [&](const std::string& name) {
            if (function.empty()) function = name;
          });
      },
      cause.facts);
  return function;
}

std::optional<OneSidedWork> one_sided_work(const Cause& cause) {
  OneSidedWork work;
  if (const auto* const entry = std::get_if<LoopEntry>(&cause.facts)) {
    work = {.function = subject(entry->doer.function),
            .what = "the " + entry->loop,
            .is_loop = true,
            .times = entry->entries};
    work.inlined_in = entry->inlined;
    work.doer = work.function;
  } else if (const auto figures = call_figures(cause)) {
    work = {.doer = figures->caller, .what = figures->callee, .times = figures->calls};
    const auto* const inside = std::get_if<InsideCalls>(&cause.facts);
    work.function = inside ? subject(inside->doer.function) : work.doer;
  }
  if (work.doer.empty() || (work.times[0] == 0) == (work.times[1] == 0)) return std::nullopt;
  work.in_head = work.times[0] == 0;
  return work;
}

std::vector<std::string> note_sentences(const Explanation& explanation) {
  std::vector<std::string> sentences;
  for (const ExplanationNote& note : explanation.notes)
    sentences.push_back(std::visit([](const auto& one) { return note_text(one); }, note));
  return sentences;
}

CauseWords cause_words(const Cause& cause, std::string_view about) {
  if (!about.empty()) return cause_words(without_function(cause, about), {});
  Clauses clauses = std::visit([&](const auto& fact) { return clauses_of(fact, cause); }, cause.facts);
  CauseWords words;
  if (const auto* const place = std::get_if<CostPlace>(&cause.facts))
    if (std::string exchange = exchange_text(place->callees); !exchange.empty())
      words.further.push_back({std::nullopt, std::move(exchange)});
  if (std::holds_alternative<OneSidedCalls>(cause.facts) && is_list(cause))
    for (Cause call : std::span(cause.inside).first(std::min(cause.inside.size(), kListed))) {
      call.remarks.clear();
      words.further.push_back({call.delta, cause_sentence(call, function_in_words(call)), CauseWords::Of::kPart});
    }
  if (std::holds_alternative<Renamed>(cause.facts) && clauses.size() > 1) {
    words.further.push_back({std::nullopt, std::move(clauses.back())});
    clauses.pop_back();
  }
  if (std::holds_alternative<GrownCycle>(cause.facts))
    for (size_t i = 0; i < cause.inside.size() && i < kNamed; ++i) {
      const Cause& part = cause.inside[i];
      words.further.push_back({part.delta, cause_sentence(part, function_in_words(cause)), CauseWords::Of::kPart});
    }
  for (const Remark& remark : cause.remarks) add_remark(words, clauses, remark, cause);
  words.main = fmt::format("{}", fmt::join(clauses, "; "));
  return words;
}

std::string line_sentence(const Cause& cause, const CauseLine& line) {
  const std::string who = line.text.empty() ? fmt::format("line {}:{}", base_of_path(line.file), line.line)
                                            : fmt::format("`{}`", line.text);
  const std::string_view per = std::visit([](const auto& fact) { return what_a_line_costs(fact); }, cause.facts);
  const Rates cost = {line.base, line.head};
  if (line.base != 0 && line.head != 0) return fmt::format("{} costs {}", who, was_per(cost, per));
  const size_t side = line.base == 0 ? 1 : 0;
  const std::string costs = icount::quantities(cost[side], cost[side]).first;
  return fmt::format("{} runs only in {}: {}{}", who, side_name(side), costs,
                     per.empty() ? "" : fmt::format(" {}", per));
}

std::string place_beside(const Cause& cause, std::string_view text) {
  const std::string_view file = base_of_path(cause.file);
  if (file.empty() || file == kMeasuringLoopFile) return {};  // icount's own code around a statement
  const std::string place = cause.line == 0
                                ? std::string(file)
                                : fmt::format("{}:{}{}", file, cause.line, cause.is_line_of_base ? " (base)" : "");
  return text.find(place) == std::string_view::npos ? place : std::string();
}

bool is_taken_back(const CauseWords::Further& further, const Cause& cause) {
  if (further.of == CauseWords::Of::kPart) return false;
  const auto part = static_cast<double>(further.delta.value_or(0)), whole = static_cast<double>(cause.delta);
  return part * whole < 0 || std::abs(part) > std::abs(whole);
}

std::string cause_sentence(const Cause& cause, std::string_view about, size_t parts) {
  CauseWords words = cause_words(cause, about);
  for (const CauseWords::Further& further : words.further) {
    if (further.of == CauseWords::Of::kPart && parts-- == 0) break;
    words.main += further.of == CauseWords::Of::kPart
                      ? fmt::format("; {} of it: {}", with_sign(further.delta.value_or(0)), further.text)
                      : (further.of == CauseWords::Of::kAside ? ", " : "; ") + further.text;
    if (is_taken_back(further, cause))
      words.main += fmt::format(": {}, the rest {}", with_sign(*further.delta),
                                with_sign(checked_sub(cause.delta, *further.delta, "the rest of a cause")));
  }
  return words.main;
}

}  // namespace icount
