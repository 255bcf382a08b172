#include "icount/explain/function_change.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "icount/callgraph/symbol_name.h"
#include "icount/explain/change_place.h"

namespace icount {
namespace {

constexpr size_t kFewest = 3;
// A cause of this part of what the function's own causes come to tells most of it.
constexpr long double kTellsMost = 0.6L;
// They go one way where together they come to no more than so many times their sum.
constexpr long double kOneWay = 1.2L;
// They come to what the function changed by, to this part.
constexpr long double kSameSum = 0.1L;

/// The causes of one function.
struct OwnCauses {
  size_t count = 0;
  long double net = 0, gross = 0, largest = 0;

  bool are_one_change() const {
    return count >= kFewest && gross <= kOneWay * std::abs(net) && largest < kTellsMost * std::abs(net);
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
    const bool is_all_of_it = std::abs(own.net - change_of(place.calls.inclusive)) <= kSameSum * std::abs(own.net);
    if (!own.are_one_change() || std::abs(own.net) <= most || !is_all_of_it || !place.calls.as_often() ||
        is_nearly_all(place, program) || is_main(source, node) || is_address_name(name_of(source, node)) ||
        calls_itself(graph, node))
      continue;
    most = std::abs(own.net);
    found = place;
  }
  return found;
}

}  // namespace

void head_function_change(const SentenceSource& source, std::vector<GroupedCause>& causes) {
  if (const auto place = find_function(source, causes))
    head_place(
        source, *place, [&](const GroupedCause& grouped) { return is_of(grouped, place->node); }, false, causes);
}

}  // namespace icount
