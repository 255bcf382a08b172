#include "icount/explain/scattered_change.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "icount/base/checked.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/change_place.h"

namespace icount {
namespace {

// A cause of this part of the change leads it.
constexpr long double kLeads = 0.4L;
// One of less than that part does not where nearly all is one function's own cost and calls.
constexpr long double kLeadsAlone = 0.6L;
// The function has this part of the change at least, and no more than that part of the cost, or it tells nothing.
constexpr long double kNearlyAll = 0.9L;
// Nearly the whole program is told where so many causes have this part of the change each, and all together come to no
// more than so many times it.
constexpr size_t kManyLarge = 4;
constexpr long double kLarge = 0.05L, kOneWay = 1.05L;
// Nor is it told where less than this part of what it calls became more (or less) by this factor.
constexpr long double kMostParts = 0.8L, kGrew = 1.1L;
// So many causes are many, and they come to what the function changed by, to this part.
constexpr size_t kFewestCauses = 3;
constexpr long double kSameSum = 0.25L;
// To this part where one of them is so large that it would lead.
constexpr long double kSameOwnSum = 0.1L;
/// Looks for the function that has nearly all of the change with all below it and costs least: the deepest.
class PlaceSearch {
 public:
  PlaceSearch(const SentenceSource& source, long double change)
      : source_(source), graph_(source.condensed.graph), of_node_(calls_by_callee(graph_)), change_(change) {}

  /// By all calls of a function, or those of one caller, where both sides make as many; a cycle is named by where it is
  /// entered. Nothing where no function with a name has that much.
  std::optional<ChangePlace> find() {
    for (uint32_t node = 0; node < of_node_.size(); ++node) look_at(node, of_node_[node]);
    for (const FlowEdge& edge : graph_.edges)
      if (edge.caller != edge.callee && of_node_[edge.callee].callers > 1)
        look_at(edge.callee, {edge.calls, edge.inclusive, &edge, 1});
    return place_;
  }

  std::array<long double, 2> program() const { return program_costs(source_, of_node_); }

 private:
  void look_at(uint32_t node, const CallsOf& calls) {
    if (!calls.as_often() || change_of(calls.inclusive) / change_ < kNearlyAll ||
        is_address_name(name_of(source_, node)))
      return;
    const ChangePlace found{.node = node, .calls = calls};
    if (!place_ || key(found) < key(*place_)) place_ = found;
  }

  std::tuple<int64_t, bool, uint32_t> key(const ChangePlace& place) const {
    const BothSides& cost = place.calls.inclusive;
    return {std::max(cost[0], cost[1]), !source_.condensed.is_door(place.node), place.node};
  }

  const SentenceSource& source_;
  const FlowGraph& graph_;
  const std::vector<CallsOf> of_node_;
  const long double change_;
  std::optional<ChangePlace> place_;
};

/// Whether there are many large causes, and nothing that goes against them: a longer input.
bool all_grew(const std::vector<GroupedCause>& causes, const IsInside& is_inside, int64_t sum) {
  const auto whole = static_cast<long double>(sum);
  long double gross = 0;
  size_t large = 0;
  for (const GroupedCause& grouped : causes) {
    if (!is_inside(grouped)) continue;
    const long double part = static_cast<long double>(grouped.cause.delta) / whole;
    gross += std::abs(part);
    large += part >= kLarge;
  }
  return gross <= kOneWay && large >= kManyLarge;
}

/// Whether most of what the function calls costs more (or less) than before: each call counts as what both sides have
/// of its cost.
bool most_parts_grew(const FlowGraph& graph, const ChangePlace& place, int64_t sum) {
  long double all = 0, grew = 0;
  for (const FlowEdge& edge : graph.edges_of(place.node)) {
    const auto [less, more] = std::minmax(edge.inclusive[0], edge.inclusive[1]);
    all += static_cast<long double>(less);
    const bool the_same_way = (edge.inclusive[1] > edge.inclusive[0]) == (sum > 0);
    if (the_same_way && static_cast<long double>(more) >= kGrew * static_cast<long double>(less))
      grew += static_cast<long double>(less);
  }
  return grew >= kMostParts * all;
}

/// How much of `sum` is a function's own cost and calls.
long double own_part(const std::vector<GroupedCause>& causes, uint32_t function, int64_t sum) {
  long double own = 0;
  for (const GroupedCause& grouped : causes)
    if (is_of(grouped, function)) own += static_cast<long double>(grouped.cause.delta) / static_cast<long double>(sum);
  return own;
}

}  // namespace

bool head_scattered_change(const SentenceSource& source, int64_t change, std::vector<GroupedCause>& causes) {
  const auto whole = static_cast<long double>(change);
  const auto largest = static_cast<long double>(largest_cause(causes));
  if (change == 0 || largest >= kLeadsAlone * std::abs(whole)) return false;
  PlaceSearch search(source, whole);
  const auto place = search.find();
  if (!place) return false;
  const std::vector<bool> below = nodes_below(source.condensed.graph, place->node);
  const IsInside is_inside = [&](const GroupedCause& grouped) {
    return grouped.group.empty() && !grouped.within.empty() &&
           std::all_of(grouped.within.begin(), grouped.within.end(),
                       [&](uint32_t node) { return node != GroupedCause::kNoNode && below[node]; });
  };
  size_t members = 0;
  int64_t delta = 0;
  for (const GroupedCause& grouped : causes)
    if (is_inside(grouped)) {
      delta = saturating_add(delta, grouped.cause.delta);
      ++members;
    }
  const long double expected = change_of(place->calls.inclusive);
  if (members < kFewestCauses || std::abs(static_cast<long double>(delta) - expected) > kSameSum * std::abs(expected))
    return false;
  const bool in_every_part = is_nearly_all(*place, search.program());
  const bool is_led = largest >= kLeads * std::abs(whole);
  if (is_led &&
      (in_every_part || std::abs(static_cast<long double>(delta) - expected) > kSameOwnSum * std::abs(expected) ||
       own_part(causes, place->node, delta) < kNearlyAll))
    return false;
  if (in_every_part && !(all_grew(causes, is_inside, delta) && most_parts_grew(source.condensed.graph, *place, delta)))
    return false;
  head_place(source, *place, is_inside, in_every_part, causes);
  return true;
}

}  // namespace icount
