#include "icount/explain/scattered_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/counted.h"
#include "icount/base/text.h"
#include "icount/callgraph/symbol_name.h"

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

/// The largest cause, groups as they are shown.
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

/// What leads to a function: all calls of it, with all below them.
struct Calls {
  BothSides count{}, inclusive{};
  const FlowEdge* only = nullptr;  ///< where they are of one caller
  size_t callers = 0;
};

std::vector<Calls> calls_by_callee(const FlowGraph& graph) {
  std::vector<Calls> of_node(graph.nodes.size());
  for (const FlowEdge& edge : graph.edges) {
    if (edge.caller == edge.callee) continue;
    Calls& calls = of_node[edge.callee];
    calls.only = ++calls.callers == 1 ? &edge : nullptr;
    for (size_t side = 0; side < 2; ++side) {
      calls.count[side] = saturating_add(calls.count[side], edge.calls[side]);
      calls.inclusive[side] = saturating_add(calls.inclusive[side], edge.inclusive[side]);
    }
  }
  return of_node;
}

/// A function that both sides call as often.
struct Place {
  uint32_t node = 0;
  Calls calls;
  std::array<long double, 2> program{};  ///< what the program costs; from its main function on
};

/// Looks for the function that has nearly all of the change with all below it and costs least: the deepest.
class PlaceSearch {
 public:
  PlaceSearch(const SentenceSource& source, long double change)
      : source_(source), graph_(source.condensed.graph), change_(change) {
    for (size_t side = 0; side < 2; ++side) program_[side] = static_cast<long double>(source.joined.sides[side]->total);
  }

  /// By all calls of a function, or those of one caller, where both sides make as many; a cycle is named by where it is
  /// entered. Nothing where no function with a name has that much.
  std::optional<Place> find() {
    const std::vector<Calls> of_node = calls_by_callee(graph_);
    for (uint32_t node = 0; node < of_node.size(); ++node) {
      if (of_node[node].callers > 0 && is_main(source_, node))
        for (size_t side = 0; side < 2; ++side)
          program_[side] = static_cast<long double>(of_node[node].inclusive[side]);
      look_at(node, of_node[node]);
    }
    for (const FlowEdge& edge : graph_.edges)
      if (edge.caller != edge.callee && of_node[edge.callee].callers > 1)
        look_at(edge.callee, {edge.calls, edge.inclusive, &edge, 1});
    if (place_) place_->program = program_;
    return place_;
  }

 private:
  void look_at(uint32_t node, const Calls& calls) {
    if (calls.callers == 0 || calls.count[0] != calls.count[1] || calls.count[0] == 0 ||
        change_of(calls.inclusive) / change_ < kNearlyAll || is_address_name(name_of(source_, node)))
      return;
    const Place found{.node = node, .calls = calls};
    if (!place_ || key(found) < key(*place_)) place_ = found;
  }

  std::tuple<int64_t, bool, uint32_t> key(const Place& place) const {
    const BothSides& cost = place.calls.inclusive;
    return {std::max(cost[0], cost[1]), !source_.condensed.is_door(place.node), place.node};
  }

  const SentenceSource& source_;
  const FlowGraph& graph_;
  const long double change_;
  std::array<long double, 2> program_{};
  std::optional<Place> place_;
};

/// Whether to name the place says next to nothing.
bool is_nearly_all(const Place& place) {
  const auto share = [&](size_t side) {
    return static_cast<long double>(place.calls.inclusive[side]) / place.program[side];
  };
  return std::max(share(0), share(1)) > kNearlyAll;
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

/// Whether most of what the function calls costs more (or less) than before: each call counts as what both sides have
/// of its cost.
bool most_parts_grew(const FlowGraph& graph, const Place& place, int64_t sum) {
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
    if (grouped.group.empty() && !grouped.within.empty() &&
        std::all_of(grouped.within.begin(), grouped.within.end(), [&](uint32_t node) { return node == function; }))
      own += static_cast<long double>(grouped.cause.delta) / static_cast<long double>(sum);
  return own;
}

std::string subject_text(const SentenceSource& source, const Place& place, bool more, bool in_every_part) {
  const std::string& name = source.names[place.node];
  if (in_every_part) return fmt::format("{} has {} to do in every part", name, more ? "more" : "less");
  const FlowEdge* const only = place.calls.only;
  const std::string by = only == nullptr ? fmt::format(", called as often ({}),", counted(place.calls.count[1], "call"))
                         : is_address_name(name_of(source, only->caller))
                             ? std::string()
                             : fmt::format(", called as often by {},", source.names[only->caller]);
  return fmt::format("{}{} costs {} with all below it", name, by, more ? "more" : "less");
}

/// The members as one cause. What they leave of the place's change is told elsewhere, by groups or by causes that reach
/// beyond it, and the sentence says how much that is.
Cause place_cause(const SentenceSource& source, const Place& place, std::vector<Cause> members, int64_t delta,
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
  cause.text = fmt::format("{}: {} -> {}{}; largest part {}: {}", subject_text(source, place, delta > 0, in_every_part),
                           with_thousands(base), with_thousands(head),
                           elsewhere == 0 ? "" : fmt::format(" (other causes tell {} of that)", with_sign(elsewhere)),
                           with_sign(first.delta), first.text);
  cause.file = first.file;
  cause.line = first.line;
  cause.object = first.object;
  cause.inside = std::move(members);
  return cause;
}

}  // namespace

void head_scattered_change(const SentenceSource& source, int64_t change, std::vector<GroupedCause>& causes) {
  const auto whole = static_cast<long double>(change);
  const auto largest = static_cast<long double>(largest_cause(causes));
  if (change == 0 || largest >= kLeadsAlone * std::abs(whole)) return;
  const auto place = PlaceSearch(source, whole).find();
  if (!place) return;
  const std::vector<bool> below = nodes_below(source.condensed.graph, place->node);
  const auto is_inside = [&](const GroupedCause& grouped) {
    return grouped.group.empty() && !grouped.within.empty() &&
           std::all_of(grouped.within.begin(), grouped.within.end(),
                       [&](uint32_t node) { return node != GroupedCause::kNoNode && below[node]; });
  };
  std::vector<Cause> members;
  int64_t delta = 0;
  for (const GroupedCause& grouped : causes)
    if (is_inside(grouped)) {
      delta = saturating_add(delta, grouped.cause.delta);
      members.push_back(grouped.cause);
    }
  const long double expected = change_of(place->calls.inclusive);
  if (members.size() < kFewestCauses ||
      std::abs(static_cast<long double>(delta) - expected) > kSameSum * std::abs(expected))
    return;
  const bool in_every_part = is_nearly_all(*place);
  const bool is_led = largest >= kLeads * std::abs(whole);
  if (is_led &&
      (in_every_part || std::abs(static_cast<long double>(delta) - expected) > kSameOwnSum * std::abs(expected) ||
       own_part(causes, place->node, delta) < kNearlyAll))
    return;
  if (in_every_part && !(all_grew(members, delta) && most_parts_grew(source.condensed.graph, *place, delta))) return;
  std::erase_if(causes, is_inside);
  causes.push_back({place_cause(source, *place, std::move(members), delta, in_every_part), {}, {}});
}

}  // namespace icount
