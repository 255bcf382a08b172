#include "icount/explain/claims/relations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

/// What leads to a function: all calls of it, with all below them.
struct CallsOf {
  BothSides count{}, inclusive{};
  const FlowEdge* only = nullptr;  ///< where they are of one caller
  size_t callers = 0;

  bool as_often() const { return callers > 0 && count[0] == count[1] && count[0] != 0; }
};

/// A node of the condensed graph with calls of it.
struct ChangePlace {
  uint32_t node = 0;
  CallsOf calls;
};

/// Which causes are told inside.
using IsInside = std::function<bool(const GroupedCause&)>;

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
                                .in_every_part = in_every_part,
                                .calls = place.calls.count[1],
                                .inclusive = place.calls.inclusive,
                                .elsewhere = elsewhere};
  cause.file = first.file;
  cause.line = first.line;
  cause.object = first.object;
  cause.inside = std::move(members);
  return cause;
}

/// Whether causes of noise groups are told with the others of a place, or by their group.
enum class Noise { kIncluded, kApart };

/// Whether all of a cause happens in these nodes.
bool is_within(const GroupedCause& grouped, const std::vector<bool>& nodes, Noise noise = Noise::kApart) {
  return (noise == Noise::kIncluded || grouped.group.empty()) && !grouped.within.empty() &&
         std::all_of(grouped.within.begin(), grouped.within.end(),
                     [&](uint32_t node) { return node != GroupedCause::kNoNode && nodes[node]; });
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
    large += part >= kLittle;
  }
  return gross <= (1 + kLittle) && large >= kMany;
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
  return grew >= (1 - kSomePart) * all;
}

/// How much of `sum` is a function's own cost and calls.
long double own_part(const std::vector<GroupedCause>& causes, uint32_t function, int64_t sum) {
  long double own = 0;
  for (const GroupedCause& grouped : causes)
    if (is_of(grouped, function)) own += static_cast<long double>(grouped.cause.delta) / static_cast<long double>(sum);
  return own;
}

/// Where no cause is two fifths of `change`, those that happen in and below the deepest function that has nearly all of
/// it become one. Nothing where that function has nearly all of the cost, too, or both sides do not call it as often.
/// Whether there is such a function.
bool head_scattered_change(const SentenceSource& source, int64_t change, std::vector<GroupedCause>& causes) {
  const auto whole = static_cast<long double>(change);
  const auto largest = static_cast<long double>(largest_cause(causes));
  if (change == 0 || largest >= kMostOfIt * std::abs(whole)) return false;
  PlaceSearch search(source, whole);
  const auto place = search.find();
  if (!place) return false;
  const std::vector<bool> below = nodes_below(source.condensed.graph, place->node);
  const IsInside is_inside = [&](const GroupedCause& grouped) { return is_within(grouped, below); };
  size_t members = 0;
  int64_t delta = 0;
  for (const GroupedCause& grouped : causes)
    if (is_inside(grouped)) {
      delta = saturating_add(delta, grouped.cause.delta);
      ++members;
    }
  const long double expected = change_of(place->calls.inclusive);
  if (members < kFewest || std::abs(static_cast<long double>(delta) - expected) > kMatters * std::abs(expected))
    return false;
  const bool in_every_part = is_nearly_all(*place, search.program());
  const bool is_led = largest >= kLeads * std::abs(whole);
  if (is_led && (in_every_part || std::abs(static_cast<long double>(delta) - expected) > kPart * std::abs(expected) ||
                 own_part(causes, place->node, delta) < kNearlyAll))
    return false;
  if (in_every_part && !(all_grew(causes, is_inside, delta) && most_parts_grew(source.condensed.graph, *place, delta)))
    return false;
  head_place(source, *place, is_inside, in_every_part, causes);
  return true;
}

/// The causes of one function.
struct OwnCauses {
  size_t count = 0;
  long double net = 0, gross = 0, largest = 0;

  bool are_one_change() const {
    return count >= kFewest && gross <= (1 + kSomePart) * std::abs(net) && largest < kMostOfIt * std::abs(net);
  }
};

std::map<uint32_t, OwnCauses> causes_by_function(const std::vector<GroupedCause>& causes) {
  std::map<uint32_t, OwnCauses> of_node;
  for (const GroupedCause& grouped : causes) {
    if (grouped.within.empty() || grouped.within.front() == GroupedCause::kNoNode ||
        !is_of(grouped, grouped.within.front()))
      continue;
    OwnCauses& own = of_node[grouped.within.front()];
    const auto delta = static_cast<long double>(grouped.cause.delta);
    ++own.count;
    own.net += delta;
    own.gross += std::abs(delta);
    own.largest = std::max(own.largest, std::abs(delta));
  }
  return of_node;
}

bool calls_itself(const FlowGraph& graph, uint32_t node) {
  const auto& edges = graph.edges_of(node);
  return std::any_of(edges.begin(), edges.end(), [&](const FlowEdge& edge) { return edge.callee == node; });
}

std::optional<ChangePlace> find_function(const SentenceSource& source, const std::vector<GroupedCause>& causes) {
  const FlowGraph& graph = source.condensed.graph;
  const std::vector<CallsOf> of_node = calls_by_callee(graph);
  const std::array<long double, 2> program = program_costs(source, of_node);
  auto most = static_cast<long double>(largest_cause(causes));
  std::optional<ChangePlace> found;
  for (const auto& [node, own] : causes_by_function(causes)) {
    const ChangePlace place{.node = node, .calls = of_node[node]};
    const bool is_all_of_it = std::abs(own.net - change_of(place.calls.inclusive)) <= kPart * std::abs(own.net);
    if (!own.are_one_change() || std::abs(own.net) <= most || !is_all_of_it || !place.calls.as_often() ||
        is_nearly_all(place, program) || is_main(source, node) || is_address_name(name_of(source, node)) ||
        calls_itself(graph, node))
      continue;
    most = std::abs(own.net);
    found = place;
  }
  return found;
}

/// Where the own cost and calls of one function, three causes or more that go one way, come to more than the largest
/// cause and to what the function changed by, they become one. Not where one of them has most of it, both sides do not
/// call the function as often, it calls itself, or it is the program's main function or nearly all of the program.
void head_function_change(const SentenceSource& source, std::vector<GroupedCause>& causes) {
  if (const auto place = find_function(source, causes))
    head_place(
        source, *place, [&](const GroupedCause& grouped) { return is_of(grouped, place->node); }, false, causes);
}

/// What happens in one function, or in it and below, with what both sides call it for.
struct Candidate {
  ChangePlace place;
  IsInside is_inside;
};

/// Whether a cause of this size may stand first: it goes with the change and is not much more than it.
bool may_lead(int64_t delta, long double change) {
  const long double part = static_cast<long double>(delta) / change;
  return part > 0 && part <= kTooMuch;
}

/// A function's own cost and calls, then the function with all below it, then who calls it, to the program's main
/// function.
std::vector<Candidate> places_around(const SentenceSource& source, uint32_t node) {
  const FlowGraph& graph = source.condensed.graph;
  const std::vector<CallsOf> of_node = calls_by_callee(graph);
  std::vector<Candidate> found;
  std::vector<bool> seen(graph.nodes.size(), false);
  for (bool is_first = true; !seen[node] && !is_main(source, node); is_first = false) {
    seen[node] = true;
    const ChangePlace place{node, of_node[node]};
    if (place.calls.as_often() && !is_address_name(name_of(source, node))) {
      if (is_first) found.push_back({place, [node](const GroupedCause& grouped) { return is_of(grouped, node); }});
      found.push_back({place, [below = nodes_below(graph, node)](const GroupedCause& grouped) {
                         return is_within(grouped, below, Noise::kIncluded);
                       }});
    }
    if (of_node[node].only == nullptr) break;
    node = of_node[node].only->caller;
  }
  return found;
}

/// By side: of the callees that it alone calls, the one whose calls came to most, where that is no small part of all
/// that changed about the function; else the function itself.
std::array<uint32_t, 2> exchanged_callees(const SentenceSource& source, uint32_t node) {
  std::array<long double, 2> most{};
  std::array<uint32_t, 2> callees = {node, node};
  long double gross = 0;
  for (const Term& term : source.figures.terms)
    if (term.kind != TermKind::kEntry && node_of(source.condensed.graph, term) == node) gross += std::abs(term.value);
  for (const Term& term : source.figures.terms) {
    if (term.kind != TermKind::kCalls || node_of(source.condensed.graph, term) != node) continue;
    const FlowEdge& edge = source.condensed.graph.edges[term.index];
    const auto side = only_side(edge);
    if (!side || std::abs(term.value) <= std::max(most[*side], kPart * gross)) continue;
    most[*side] = std::abs(term.value);
    callees[*side] = edge.callee;
  }
  return callees;
}

/// Says what the function calls in place of what, and stands where it does.
void add_exchange(const SentenceSource& source, uint32_t node, Cause& place) {
  const std::array<uint32_t, 2> callees = exchanged_callees(source, node);
  auto& facts = std::get<fact::CostPlace>(place.facts);
  for (size_t side = 0; side < 2; ++side) {
    if (callees[side] == node) continue;
    facts.callees[side] = source.names[callees[side]];
    const auto call = std::find_if(place.inside.begin(), place.inside.end(), [&](const Cause& one) {
      return one.callee == node_label(source, callees[side]) && one.caller == node_label(source, node);
    });
    if (call == place.inside.end() || call->line == 0) continue;
    place.file = call->file;
    place.line = call->line;
  }
}

/// A change is not headed by half of it: where the largest cause goes the other way, or is far more than the change,
/// the nearest place around it that goes with the change stands first, with that cause inside.
void head_counter_cause(const SentenceSource& source, int64_t change, std::vector<GroupedCause>& causes) {
  const auto whole = static_cast<long double>(change);
  const auto largest = std::max_element(causes.begin(), causes.end(), [](const auto& a, const auto& b) {
    return std::abs(a.cause.delta) < std::abs(b.cause.delta);
  });
  if (change == 0 || largest == causes.end() || may_lead(largest->cause.delta, whole) || !largest->group.empty() ||
      largest->cause.object.empty() || largest->within.empty() || largest->within.front() == GroupedCause::kNoNode)
    return;  // or of no one place
  for (const Candidate& candidate : places_around(source, largest->within.front())) {
    int64_t delta = 0;
    bool has_largest = false;
    for (const GroupedCause& grouped : causes)
      if (candidate.is_inside(grouped)) {
        delta = saturating_add(delta, grouped.cause.delta);
        has_largest = has_largest || &grouped == &*largest;
      }
    const long double all = change_of(candidate.place.calls.inclusive);
    const bool is_all = std::abs(static_cast<long double>(delta) - all) <= kMatters * std::abs(all);
    if (!has_largest || !is_all || !may_lead(delta, whole) || static_cast<long double>(delta) / whole < kLeads)
      continue;
    head_place(source, candidate.place, candidate.is_inside, false, causes);
    return add_exchange(source, candidate.place.node, causes.back().cause);
  }
}

}  // namespace

void head_places(const SentenceSource& source, int64_t change, std::vector<GroupedCause>& causes) {
  if (head_scattered_change(source, change, causes)) return;
  head_function_change(source, causes);
  head_counter_cause(source, change, causes);
}

}  // namespace icount
