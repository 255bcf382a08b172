#include "icount/explain/inside/choose_level.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "icount/base/checked.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/claims/noise_fold.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

bool is_near(int64_t value, int64_t whole) {
  const auto difference = static_cast<double>(value) - static_cast<double>(whole);
  return std::abs(difference) <= kPart * std::abs(static_cast<double>(whole));
}

bool has_sign_of(int64_t a, int64_t b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

const Cause* largest(const std::vector<Cause>& causes) {
  const auto found = std::max_element(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
    return std::abs(a.delta) < std::abs(b.delta);
  });
  return found == causes.end() ? nullptr : &*found;
}

double gross_of(const std::vector<Cause>& causes, bool only_calls = false) {
  double gross = 0;
  for (const Cause& cause : causes)
    if (!only_calls || (cause.kind == CauseKind::kCalls && cause.caller != cause.callee))
      gross += std::abs(static_cast<double>(cause.delta));
  return gross;
}

/// How much of all parts the largest one is.
double concentration_of(const std::vector<Cause>& causes) {
  const Cause* most = largest(causes);
  return most && most->delta != 0 ? std::abs(static_cast<double>(most->delta)) / gross_of(causes) : 0;
}

/// A loop or a branch at an address alone says nothing to a reader, the function's name does, unless it is one, too.
bool has_place(const Cause& cause) {
  if (is_address_name(cause.function)) return true;
  if (cause.loop) return cause.loop->first_line != 0;
  return cause.kind != CauseKind::kBranch || cause.line != 0;
}

/// Its largest is as large a part of `inside` as the largest of `told` is of that, and it does not cancel more.
bool says_as_much(const std::vector<Cause>& inside, const std::vector<Cause>& told) {
  const Cause* most = largest(inside);
  return most && has_place(*most) && concentration_of(inside) >= concentration_of(told) - kSame &&
         gross_of(inside) <= kMuchMore * gross_of(told);
}

/// The cause of `told` that comes to all that changed about the function, if one does.
const Cause* cause_that_is_all(const std::vector<Cause>& told, int64_t delta) {
  const Cause* most = largest(told);
  if (!most || (most->kind == CauseKind::kCalls && most->caller == most->callee)) return nullptr;
  return is_near(most->delta, delta) ? most : nullptr;
}

/// One cause inside comes to all that changed about the function, and says where. Where one call does, it is that call:
/// a loop or a branch is told with it, and so it is with a sum.
bool says_where(const std::vector<Cause>& inside, const Cause* all_told, int64_t delta) {
  const Cause* most = largest(inside);
  if (!most || !is_near(most->delta, delta) || !has_place(*most)) return false;
  if (!all_told || (all_told->kind != CauseKind::kCalls && all_told->kind != CauseKind::kSum)) return true;
  return most->kind == CauseKind::kCalls && most->callee == all_told->callee;
}

/// Tells with `whole` the loop, branch or inlined function inside that leads, where it is a large part of it. Self cost
/// is then placed there.
void tell_with(Cause& whole, const std::vector<Cause>& inside) {
  const Cause* most = largest(inside);
  if (!most || most->kind == CauseKind::kCalls || !has_sign_of(most->delta, whole.delta) ||
      std::abs(static_cast<double>(most->delta)) < kHalf * std::abs(static_cast<double>(whole.delta)))
    return;
  if (most->kind == CauseKind::kOwnCost && !most->inlined) return;  // no more than `whole` says
  whole.remarks.push_back(remark_on(Remark::Kind::kLeading, *most));
  if (whole.kind == CauseKind::kCalls || most->line == 0) return;
  whole.file = most->file;
  whole.line = most->line;
}

Cause as_one(const Cause& whole, std::vector<Cause> members, int64_t delta) {
  Cause one = whole;
  one.delta = delta;
  tell_with(one, members);
  one.inside = std::move(members);
  return one;
}

/// A function that does more (or less) of what it did: nearly all is its own cost, and its calls went along.
bool grew_as_a_whole(const std::vector<Cause>& told, int64_t delta) {
  const Cause* most = largest(told);
  return most && most->kind == CauseKind::kOwnCost && told.size() > 1 &&
         std::abs(static_cast<double>(most->delta)) >= kMostlyOwn * std::abs(static_cast<double>(delta)) &&
         std::all_of(told.begin(), told.end(), [&](const Cause& one) { return has_sign_of(one.delta, delta); });
}

/// Self cost and calls of one function as one cause, which the largest one of `told` names.
std::vector<Cause> as_whole(std::vector<Cause> told, std::vector<Cause> inside, int64_t delta) {
  sort_causes(told);
  Cause sum = std::move(told.front());
  sum.kind = CauseKind::kSum;
  sum.change_per_call = std::nullopt;
  sum.remarks.push_back({.kind = Remark::Kind::kWithCalls,
                         .delta = sum.delta,
                         .other_delta = checked_sub(delta, sum.delta, "calls of one function")});
  std::vector<Cause> one;
  one.push_back(as_one(sum, std::move(inside), delta));
  return one;
}

/// Calls of one callee from several places of the function as one cause.
std::vector<Cause> join_places(const std::vector<Cause>& told, std::vector<Cause> inside) {
  std::map<std::string, std::vector<size_t>> places;
  for (size_t i = 0; i < inside.size(); ++i)
    if (inside[i].kind == CauseKind::kCalls) places[inside[i].callee].push_back(i);
  std::vector<bool> joined(inside.size(), false);
  std::vector<Cause> causes;
  for (const Cause& call : told) {
    const auto found = places.find(call.callee);
    if (call.kind != CauseKind::kCalls || found == places.end() || found->second.size() < 2) continue;
    int64_t sum = 0;
    for (const size_t i : found->second) sum = checked_add(sum, inside[i].delta, "calls from several places");
    if (!has_sign_of(sum, call.delta)) continue;
    std::vector<Cause> members;
    for (const size_t i : found->second) {
      members.push_back(std::move(inside[i]));
      joined[i] = true;
    }
    places.erase(found);
    causes.push_back(as_one(call, std::move(members), sum));
  }
  for (size_t i = 0; i < inside.size(); ++i)
    if (!joined[i]) causes.push_back(std::move(inside[i]));
  return causes;
}

/// `whole`, one of `told`, with what is inside; but calls that come to the same inside as before are told beside it.
std::vector<Cause> as_one_beside_calls(const Cause& whole, const std::vector<Cause>& told, std::vector<Cause> inside,
                                       int64_t delta) {
  const auto is_told = [&](const Cause& cause) {
    return cause.kind == CauseKind::kCalls && std::any_of(told.begin(), told.end(), [&](const Cause& call) {
             return &call != &whole && call.kind == CauseKind::kCalls && call.callee == cause.callee &&
                    is_near(cause.delta, call.delta);
           });
  };
  std::vector<Cause> causes, members;
  for (Cause& cause : join_places(told, std::move(inside))) {
    const bool beside = is_told(cause);
    if (beside) delta = checked_sub(delta, cause.delta, "what else changed about a function");
    (beside ? causes : members).push_back(std::move(cause));
  }
  if (!members.empty()) causes.push_back(as_one(whole, std::move(members), delta));
  return causes;
}

/// Ways through a function whose parts cancel, or that come to calls of several others.
bool say_less(const std::vector<Cause>& told, const std::vector<Cause>& inside, int64_t delta) {
  constexpr double kTwentyfold = 20;
  if (gross_of(inside) > kTwentyfold * gross_of(told)) return true;
  const Cause* most = largest(inside);
  if (!most || most->kind != CauseKind::kBranch) return false;
  const bool is_one_place = is_near(most->delta, delta) && has_place(*most);
  return !is_one_place && gross_of(told, true) >= (1 - kMatters) * gross_of(told);
}

/// A loop that is entered more often leads to a call that only one side makes, or a branch that comes to all that
/// changed about the function does.
bool leads_to_new_call(const std::vector<Cause>& told, const std::vector<Cause>& inside, int64_t delta,
                       const std::set<std::string>& of_one_side) {
  const Cause *call = largest(told), *way = largest(inside);
  if (!call || !way || call->kind != CauseKind::kCalls || !of_one_side.contains(call->callee)) return false;
  const bool leads = way->kind == CauseKind::kLoopEntry ? has_sign_of(way->delta, delta)
                                                        : way->kind == CauseKind::kBranch && is_near(way->delta, delta);
  return leads && has_sign_of(call->delta, delta) &&
         std::abs(static_cast<double>(call->delta)) >= (1 - kMatters) * std::abs(static_cast<double>(way->delta));
}

/// `told`, the largest with the way of `inside` that leads to it, as its only member.
std::vector<Cause> with_way(std::vector<Cause> told, const std::vector<Cause>& inside) {
  sort_causes(told);
  Cause way = *largest(inside);
  way.delta = told.front().delta;
  way.inside.clear();  // these told what else is there
  std::vector<Cause> members;
  members.push_back(std::move(way));
  told.front() = as_one(told.front(), std::move(members), told.front().delta);
  return told;
}

}  // namespace

std::vector<Cause> retell_calls(std::vector<Cause> told, std::vector<Cause> inside, int64_t delta,
                                const std::set<std::string>& of_one_side) {
  const Cause* all_told = cause_that_is_all(told, delta);
  const bool is_call = all_told && all_told->kind == CauseKind::kCalls;
  if (!is_call && say_less(told, inside, delta)) return told;
  if (!all_told && leads_to_new_call(told, inside, delta, of_one_side)) return with_way(std::move(told), inside);
  if (says_where(inside, all_told, delta)) return join_places(told, std::move(inside));
  if (all_told) return as_one_beside_calls(*all_told, told, std::move(inside), delta);
  inside = join_places(told, std::move(inside));
  if (says_as_much(inside, told)) return inside;
  if (grew_as_a_whole(told, delta)) return as_whole(std::move(told), std::move(inside), delta);
  sort_causes(told);
  if (!told.empty()) tell_with(told.front(), inside);
  return told;
}

}  // namespace icount
