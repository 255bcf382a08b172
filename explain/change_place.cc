#include "icount/explain/change_place.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// A place with more than this part of the program says next to nothing.
constexpr long double kNearlyAll = 0.9L;

fact::PlaceCalls calls_of_place(const SentenceSource& source, const ChangePlace& place, bool in_every_part) {
  if (in_every_part) return fact::PlaceCalls::kInEveryPart;
  if (place.calls.only == nullptr) return fact::PlaceCalls::kBySeveral;
  return is_address_name(name_of(source, place.calls.only->caller)) ? fact::PlaceCalls::kByNameless
                                                                    : fact::PlaceCalls::kByOne;
}

/// The members as one cause. What they leave of the place's change is told elsewhere, by groups or by causes that reach
/// beyond it, and the sentence says how much that is.
Cause place_cause(const SentenceSource& source, const ChangePlace& place, std::vector<Cause> members, int64_t delta,
                  bool in_every_part) {
  sort_causes(members);
  const Cause& first = members.front();
  const auto [base, head] = place.calls.inclusive;
  const int64_t elsewhere = saturating_add(saturating_add(head, -base), -delta);
  Cause cause;
  cause.kind = CauseKind::kPlace;
  cause.delta = delta;
  cause.function = node_label(source, place.node);
  if (place.calls.only) {
    cause.caller = node_label(source, place.calls.only->caller);
    cause.callee = cause.function;
  }
  cause.facts = fact::CostPlace{.function = source.names[place.node],
                                .caller = place.calls.only ? source.names[place.calls.only->caller] : std::string(),
                                .by = calls_of_place(source, place, in_every_part),
                                .calls = place.calls.count[1],
                                .inclusive = place.calls.inclusive,
                                .elsewhere = elsewhere};
  cause.file = first.file;
  cause.line = first.line;
  cause.object = first.object;
  cause.inside = std::move(members);
  return cause;
}

}  // namespace

std::vector<CallsOf> calls_by_callee(const FlowGraph& graph) {
  std::vector<CallsOf> of_node(graph.nodes.size());
  for (const FlowEdge& edge : graph.edges) {
    if (edge.caller == edge.callee) continue;
    CallsOf& calls = of_node[edge.callee];
    calls.only = ++calls.callers == 1 ? &edge : nullptr;
    for (size_t side = 0; side < 2; ++side) {
      calls.count[side] = saturating_add(calls.count[side], edge.calls[side]);
      calls.inclusive[side] = saturating_add(calls.inclusive[side], edge.inclusive[side]);
    }
  }
  return of_node;
}

long double change_of(const BothSides& costs) {
  return static_cast<long double>(costs[1]) - static_cast<long double>(costs[0]);
}

std::string_view name_of(const SentenceSource& source, uint32_t node) {
  return source.joined.functions[source.leaders[node]].name;
}

bool is_main(const SentenceSource& source, uint32_t node) {
  const std::string_view name = name_of(source, node);
  return name == "main" || name.ends_with("::main") || name.ends_with(".main");
}

std::array<long double, 2> program_costs(const SentenceSource& source, const std::vector<CallsOf>& of_node) {
  std::array<long double, 2> program{};
  for (size_t side = 0; side < 2; ++side) program[side] = static_cast<long double>(source.joined.sides[side]->total);
  for (uint32_t node = 0; node < of_node.size(); ++node)
    if (of_node[node].callers > 0 && is_main(source, node))
      for (size_t side = 0; side < 2; ++side) program[side] = static_cast<long double>(of_node[node].inclusive[side]);
  return program;
}

bool is_nearly_all(const ChangePlace& place, const std::array<long double, 2>& program) {
  const auto share = [&](size_t side) { return static_cast<long double>(place.calls.inclusive[side]) / program[side]; };
  return std::max(share(0), share(1)) > kNearlyAll;
}

bool is_of(const GroupedCause& grouped, uint32_t function) {
  return grouped.group.empty() && !grouped.within.empty() &&
         std::all_of(grouped.within.begin(), grouped.within.end(), [&](uint32_t node) { return node == function; });
}

int64_t largest_cause(const std::vector<GroupedCause>& causes) {
  int64_t largest = 0;
  std::map<std::string_view, int64_t> groups;
  for (const GroupedCause& grouped : causes)
    if (grouped.group.empty())
      largest = std::max(largest, std::abs(grouped.cause.delta));
    else
      groups[grouped.group] = saturating_add(groups[grouped.group], grouped.cause.delta);
  for (const auto& [group, sum] : groups) largest = std::max(largest, std::abs(sum));
  return largest;
}

void head_place(const SentenceSource& source, const ChangePlace& place, const IsInside& is_inside, bool in_every_part,
                std::vector<GroupedCause>& causes) {
  std::vector<Cause> members;
  int64_t delta = 0;
  for (const GroupedCause& grouped : causes)
    if (is_inside(grouped)) {
      delta = saturating_add(delta, grouped.cause.delta);
      members.push_back(grouped.cause);
    }
  std::erase_if(causes, is_inside);
  causes.push_back({place_cause(source, place, std::move(members), delta, in_every_part), {}, {}});
}

}  // namespace icount
