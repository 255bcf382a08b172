#include "icount/explain/replaced_calls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// Where one of both is less than this part of the other, the other says it.
constexpr long double kBothMatter = 0.25L;

bool is_named(const JoinedGraph& joined, const OpenedFlow& flow, uint32_t node) {
  return !is_address_name(joined.functions[flow.condensed.members[node].front()].name);
}

}  // namespace

std::vector<ReplacedCalls> find_replaced_calls(const JoinedGraph& joined, const OpenedFlow& flow,
                                               const std::vector<bool>& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  using OneSided = std::array<std::vector<uint32_t>, 2>;       // terms, by the side that has the calls
  std::map<std::pair<uint32_t, int64_t>, OneSided> by_caller;  // and by the number of calls
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (term.kind != TermKind::kCalls) continue;
    const FlowEdge& edge = graph.edges[term.index];
    if (edge.caller == edge.callee || (edge.calls[0] != 0) == (edge.calls[1] != 0) ||
        !is_named(joined, flow, edge.callee))
      continue;
    const size_t side = edge.calls[1] != 0 ? 1 : 0;
    by_caller[{edge.caller, edge.calls[side]}][side].push_back(i);
  }
  std::vector<ReplacedCalls> found;
  for (const auto& [key, terms] : by_caller) {
    if (terms[0].size() != 1 || terms[1].size() != 1) continue;
    const uint32_t lost = terms[0].front(), gained = terms[1].front();
    if (taken[lost] || taken[gained]) continue;
    const long double before = std::abs(flow.figures.terms[lost].value),
                      after = std::abs(flow.figures.terms[gained].value);
    if (std::min(before, after) < kBothMatter * std::max(before, after)) continue;
    found.push_back({{flow.figures.terms[lost].index, flow.figures.terms[gained].index}, {lost, gained}});
  }
  return found;
}

}  // namespace icount
