#include "icount/explain/retold_calls.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "icount/base/checked.h"

namespace icount {
namespace {

// A call comes to the whole change of its caller when it is so near to it.
constexpr double kNearlyAll = 0.1;

// Where calls are so much of what changed about a function, branches say less than they do.
constexpr double kMostlyCalls = 0.75;

// A branch is told with the call that it comes to when it is so much of it.
constexpr double kMostOfIt = 0.5;

bool is_near(int64_t value, int64_t whole) {
  const auto difference = static_cast<double>(value) - static_cast<double>(whole);
  return std::abs(difference) <= kNearlyAll * std::abs(static_cast<double>(whole));
}

bool has_sign_of(int64_t a, int64_t b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

const Cause* largest(const std::vector<Cause>& causes) {
  const auto found = std::max_element(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
    return std::abs(a.delta) < std::abs(b.delta);
  });
  return found == causes.end() ? nullptr : &*found;
}

/// The call by `told` that comes to all that changed about the function, if one does.
const Cause* call_that_is_all(const std::vector<Cause>& told, int64_t delta) {
  const Cause* most = largest(told);
  const bool is_call = most && most->kind == CauseKind::kCalls && most->caller != most->callee;
  return is_call && is_near(most->delta, delta) ? most : nullptr;
}

/// Loops and iterations say more than a call in them does; and a call at one place is told with that place.
bool says_more_than_call(const std::vector<Cause>& inside, const Cause& call, int64_t delta) {
  const Cause* most = largest(inside);
  if (!most) return true;
  if (most->kind == CauseKind::kCalls) return most->callee == call.callee && is_near(most->delta, delta);
  return most->kind != CauseKind::kBranch;
}

Cause as_one(const Cause& call, std::vector<Cause> members, int64_t delta) {
  Cause one = call;
  one.delta = delta;
  const Cause* most = largest(members);
  if (most->kind == CauseKind::kBranch && has_sign_of(most->delta, delta) &&
      std::abs(static_cast<double>(most->delta)) >= kMostOfIt * std::abs(static_cast<double>(delta)))
    one.text += "; " + most->text;
  one.inside = std::move(members);
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

double gross_of(const std::vector<Cause>& causes, bool only_calls = false) {
  double gross = 0;
  for (const Cause& cause : causes)
    if (!only_calls || (cause.kind == CauseKind::kCalls && cause.caller != cause.callee))
      gross += std::abs(static_cast<double>(cause.delta));
  return gross;
}

/// Ways through a function whose parts cancel, or that come to calls of several others.
bool say_less(const std::vector<Cause>& told, const std::vector<Cause>& inside, int64_t delta) {
  constexpr double kCancelling = 20;
  if (gross_of(inside) > kCancelling * gross_of(told)) return true;
  const Cause* most = largest(inside);
  if (!most || most->kind != CauseKind::kBranch) return false;
  const bool is_one_place = is_near(most->delta, delta) && most->line != 0;  // an address alone says nothing
  return !is_one_place && gross_of(told, true) >= kMostlyCalls * gross_of(told);
}

}  // namespace

std::vector<Cause> retell_calls(const std::vector<Cause>& told, std::vector<Cause> inside, int64_t delta) {
  const Cause* call = call_that_is_all(told, delta);
  if (!call && say_less(told, inside, delta)) return told;
  if (!call || says_more_than_call(inside, *call, delta)) return join_places(told, std::move(inside));
  std::vector<Cause> one;
  one.push_back(as_one(*call, std::move(inside), delta));
  return one;
}

}  // namespace icount
