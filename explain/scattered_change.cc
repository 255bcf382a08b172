#include "icount/explain/scattered_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "icount/base/text.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// A cause of this part of the change leads it.
constexpr long double kLeads = 0.4L;
// The function has this part of the change at least, and no more than that part of the cost, or it tells nothing.
constexpr long double kNearlyAll = 0.9L;
// Nearly the whole program is told where so many causes have this part of the change each, and all together come to no
// more than so many times it.
constexpr size_t kManyLarge = 4;
constexpr long double kLarge = 0.05L, kOneWay = 1.05L;
// So many causes are many, and they come to what the function changed by, to this part.
constexpr size_t kFewestCauses = 3;
constexpr long double kSameSum = 0.25L;

/// The largest cause, groups as they are shown.
int64_t largest_cause(const std::vector<GroupedCause>& causes) {
  int64_t largest = 0;
  std::map<std::string_view, int64_t> groups;
  for (const GroupedCause& grouped : causes)
    if (grouped.group.empty())
      largest = std::max(largest, std::abs(grouped.cause.delta));
    else
      groups[grouped.group] += grouped.cause.delta;
  for (const auto& [group, sum] : groups) largest = std::max(largest, std::abs(sum));
  return largest;
}

long double change_of(const BothSides& costs) {
  return static_cast<long double>(costs[1]) - static_cast<long double>(costs[0]);
}

/// A function that both sides call as often, with the calls that lead to it.
struct Place {
  uint32_t node = 0;
  const FlowEdge* call = nullptr;
  std::array<long double, 2> program{};  ///< what the program costs; from its main function on
};

std::string_view name_of(const SentenceSource& source, uint32_t node) {
  return source.joined.functions[source.leaders[node]].name;
}

bool is_main(const SentenceSource& source, uint32_t node) {
  const std::string_view name = name_of(source, node);
  return name == "main" || name.ends_with("::main") || name.ends_with(".main");
}

/// From a function that is entered from outside down the calls that both sides make as often and that have nearly all
/// of the change; a cycle is named by where it is entered. The last one that has a name.
std::optional<Place> deepest_with_most(const SentenceSource& source, long double change) {
  const FlowGraph& graph = source.condensed.graph;
  std::optional<Place> place;
  for (uint32_t node = 0; node < graph.nodes.size() && !place; ++node)
    if (graph.nodes[node].entries == BothSides{1, 1}) place = Place{node};
  if (!place) return std::nullopt;
  for (size_t side = 0; side < 2; ++side)
    place->program[side] = static_cast<long double>(source.joined.sides[side]->total);
  Place named = *place;
  std::vector<bool> seen(graph.nodes.size(), false);
  for (bool deeper = true; deeper && !source.condensed.is_door(place->node);) {
    seen[place->node] = true;
    deeper = false;
    for (const FlowEdge& edge : graph.edges_of(place->node)) {
      if (edge.calls[0] != edge.calls[1] || edge.calls[0] == 0 || seen[edge.callee] ||
          change_of(edge.inclusive) / change < kNearlyAll)
        continue;
      place->node = edge.callee;
      place->call = &edge;
      if (is_main(source, edge.callee))
        for (size_t side = 0; side < 2; ++side) place->program[side] = static_cast<long double>(edge.inclusive[side]);
      if (!is_address_name(name_of(source, edge.callee))) named = *place;
      deeper = true;
      break;
    }
  }
  return named;
}

/// Whether to name the place says next to nothing.
bool is_nearly_all(const Place& place) {
  const auto share = [&](size_t side) {
    return static_cast<long double>(place.call->inclusive[side]) / place.program[side];
  };
  return std::max(share(0), share(1)) > kNearlyAll;
}

std::vector<bool> nodes_below(const FlowGraph& graph, uint32_t top) {
  std::vector<bool> below(graph.nodes.size(), false);
  below[top] = true;
  for (std::vector<uint32_t> open{top}; !open.empty();) {
    const uint32_t node = open.back();
    open.pop_back();
    for (const FlowEdge& edge : graph.edges_of(node)) {
      if (below[edge.callee]) continue;
      below[edge.callee] = true;
      open.push_back(edge.callee);
    }
  }
  return below;
}

/// Whether there are many large causes, and nothing that goes against them: a longer input.
bool all_grew(const std::vector<Cause>& causes, int64_t sum) {
  const auto whole = static_cast<long double>(sum);
  long double gross = 0;
  size_t large = 0;
  for (const Cause& cause : causes) {
    const long double part = static_cast<long double>(cause.delta) / whole;
    gross += std::abs(part);
    large += part >= kLarge;
  }
  return gross <= kOneWay && large >= kManyLarge;
}

std::string subject_text(const SentenceSource& source, const Place& place, bool more, bool in_every_part) {
  const std::string& name = source.names[place.node];
  if (in_every_part) return fmt::format("{} has {} to do in every part", name, more ? "more" : "less");
  const uint32_t caller = place.call->caller;
  const std::string by = is_address_name(name_of(source, caller))
                             ? std::string()
                             : fmt::format(", called as often by {},", source.names[caller]);
  return fmt::format("{}{} costs {} with all below it", name, by, more ? "more" : "less");
}

}  // namespace

void head_scattered_change(const SentenceSource& source, int64_t change, std::vector<GroupedCause>& causes) {
  const auto whole = static_cast<long double>(change);
  if (change == 0 || static_cast<long double>(largest_cause(causes)) >= kLeads * std::abs(whole)) return;
  const auto place = deepest_with_most(source, whole);
  if (!place || place->call == nullptr) return;
  const std::vector<bool> below = nodes_below(source.condensed.graph, place->node);
  const auto is_inside = [&](const GroupedCause& grouped) {
    return grouped.group.empty() && !grouped.within.empty() &&
           std::all_of(grouped.within.begin(), grouped.within.end(),
                       [&](uint32_t node) { return node != GroupedCause::kNoNode && below[node]; });
  };
  std::vector<Cause> members;
  Cause sum;
  for (const GroupedCause& grouped : causes)
    if (is_inside(grouped)) {
      sum.delta += grouped.cause.delta;
      members.push_back(grouped.cause);
    }
  const long double expected = change_of(place->call->inclusive);
  if (members.size() < kFewestCauses ||
      std::abs(static_cast<long double>(sum.delta) - expected) > kSameSum * std::abs(expected))
    return;
  const bool in_every_part = is_nearly_all(*place);
  if (in_every_part && !all_grew(members, sum.delta)) return;
  sort_causes(members);
  const Cause& first = members.front();
  const auto [base, head] = place->call->inclusive;
  sum.kind = CauseKind::kPlace;
  sum.function = sum.callee = node_label(source, place->node);
  sum.caller = node_label(source, place->call->caller);
  sum.text =
      fmt::format("{}: {} -> {}; largest part {}: {}", subject_text(source, *place, sum.delta > 0, in_every_part),
                  with_thousands(base), with_thousands(head), with_sign(first.delta), first.text);
  sum.file = first.file;
  sum.line = first.line;
  sum.object = first.object;
  sum.inside = std::move(members);
  std::erase_if(causes, is_inside);
  causes.push_back({std::move(sum), {}, {}});
}

}  // namespace icount
