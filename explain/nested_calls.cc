#include "icount/explain/nested_calls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "icount/explain/headed_sums.h"

namespace icount {
namespace {

// The inner calls have this part at least of what the outer ones cost, and no more than all of it but for what a
// recursion between them makes inexact.
constexpr long double kNearlyAll = 0.9L, kAtMost = 1.02L;
// Each term has this part of both; else one of them says it.
constexpr long double kBothMatter = 0.05L;
// So many terms are looked at, the largest first: pairs are found among leading causes, and each costs a walk.
constexpr size_t kMostTerms = 64;

/// A term of calls that one side alone makes.
struct OneSidedCalls {
  uint32_t term = 0, edge = 0;
  size_t side = 0;
  long double value = 0, cost = 0;  ///< of the term, without its sign; as recorded, with all below
};

/// The largest first; in the decomposition's order among equals.
std::vector<OneSidedCalls> one_sided_calls(const OpenedFlow& flow, const std::vector<bool>& taken) {
  std::vector<OneSidedCalls> found;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind != TermKind::kCalls) continue;
    const FlowEdge& edge = flow.condensed.graph.edges[term.index];
    const std::optional<size_t> side = only_side(edge);
    if (edge.caller == edge.callee || !side || (*side == 1) != (term.value > 0)) continue;
    found.push_back({i, term.index, *side, std::abs(term.value), static_cast<long double>(edge.inclusive[*side])});
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
  if (found.size() > kMostTerms) found.resize(kMostTerms);
  return found;
}

class NestedCallsFinder {
 public:
  explicit NestedCallsFinder(const OpenedFlow& flow)
      : graph_(flow.condensed.graph), calls_(calls_of(graph_)), least_(least_sum(flow)) {}

  bool are_nested(const OneSidedCalls& outer, const OneSidedCalls& inner) {
    const FlowEdge &into = graph_.edges[outer.edge], &last = graph_.edges[inner.edge];
    const long double both = outer.value + inner.value;
    return outer.side == inner.side && into.caller != last.caller && calls_[into.callee][1 - outer.side] != 0 &&
           inner.cost >= kNearlyAll * outer.cost && inner.cost <= kAtMost * outer.cost &&
           std::min(outer.value, inner.value) >= kBothMatter * both && both >= least_ &&
           leads_to(into.callee, last.caller);
  }

 private:
  bool leads_to(uint32_t from, uint32_t to) {
    const auto [found, is_new] = below_.try_emplace(from);
    if (is_new) found->second = nodes_below(graph_, from);
    return found->second[to];
  }

  const FlowGraph& graph_;
  std::vector<BothSides> calls_;
  long double least_;
  std::map<uint32_t, std::vector<bool>> below_;  // by node, once asked for
};

}  // namespace

std::vector<NestedCalls> find_nested_calls(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const std::vector<OneSidedCalls> calls = one_sided_calls(flow, taken);
  NestedCallsFinder finder(flow);
  std::vector<NestedCalls> found;
  std::vector<bool> used(calls.size(), false);
  for (size_t inner = 0; inner < calls.size(); ++inner)
    for (size_t outer = 0; outer < calls.size(); ++outer) {
      if (outer == inner || used[outer] || used[inner] || !finder.are_nested(calls[outer], calls[inner])) continue;
      used[outer] = used[inner] = true;
      found.push_back({calls[outer].edge, calls[inner].edge, {calls[outer].term, calls[inner].term}});
    }
  return found;
}

}  // namespace icount
