#include "icount/explain/inside_parts.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "icount/explain/inside_contents.h"

namespace icount {
namespace {

// Calls are this part of a loop or a branch at least; else its self cost says it.
constexpr long double kCallsMatter = 0.01L;

Cause calls_there(const InsideSource& source, const Cause& whole, const CalleeName& callee, long double calls) {
  Cause cause = whole;
  cause.kind = CauseKind::kCalls;
  cause.function.clear();
  cause.caller = source.function_field;
  cause.callee = callee.in_field;
  cause.facts = fact::CallsThere{callee.in_sentence, static_cast<int64_t>(std::llround(calls))};
  cause.remarks.clear();
  return cause;
}

Cause self_cost_there(const Cause& whole) {
  Cause cause = whole;
  cause.kind = CauseKind::kOwnCost;
  cause.facts = fact::SelfCostThere{};
  cause.remarks.clear();
  return cause;
}

}  // namespace

std::vector<InsideCause> make_inside_parts(const InsideSource& source, const InsideCause& whole,
                                           const std::vector<uint32_t>& edges) {
  const InsideContents contents = contents_behind(source.graph, source.figures, edges);
  long double of_calls = 0;
  std::map<std::pair<std::string, std::string>, CallsBehind> by_name;
  for (const auto& [callee, calls] : contents.calls) {
    if (calls.value == 0) continue;
    of_calls += std::abs(calls.value);
    const CalleeName& name = source.callees.at(callee);
    CallsBehind& of_name = by_name[{name.in_field, name.in_sentence}];
    of_name.value += calls.value;
    of_name.calls += calls.calls;
  }
  std::vector<InsideCause> parts;
  if (of_calls < kCallsMatter * std::abs(whole.value) || by_name.empty()) return parts;
  if (contents.own_cost != 0) parts.push_back({contents.own_cost, self_cost_there(whole.cause)});
  for (const auto& [name, calls] : by_name)
    parts.push_back({calls.value, calls_there(source, whole.cause, {name.second, name.first}, calls.calls)});
  return parts;
}

}  // namespace icount
