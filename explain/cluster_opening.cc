#include "icount/explain/cluster_opening.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace icount {
namespace {

// A cluster is opened when one of this many first terms has to do with it ...
constexpr size_t kLeadingTerms = 8;
// ... and that term is at least this part of the largest.
constexpr long double kLeadingPart = 0.02L;

// Terms cancel when their magnitudes come to so many times their sum ...
constexpr long double kCancelling = 2.5L;
// ... or when calls go both ways: the lesser direction is more than this part of the greater.
constexpr long double kBothWays = 0.2L;
// ... or when the calls that enter take back this part of them.
constexpr long double kMadeUpFor = 0.8L;

// Solving a cluster takes up to the third power of its functions: larger ones stay one node, whose terms are as exact.
constexpr size_t kLargestOpened = 2000;

// Each round is a decomposition; a second one finds clusters that came to lead when others were opened.
constexpr size_t kRounds = 2;

/// Components of the full graph that a node or edge of the condensed graph stands for, when they have several members.
void note_cluster(const CondensedFlow& condensed, const Components& components, uint32_t node,
                  std::vector<uint32_t>& found) {
  if (condensed.members[node].size() > 1 || condensed.is_door(node))
    found.push_back(components.of[condensed.members[node].front()]);
}

/// Calls that enter a cluster tell all that there is to tell of them; what opens it is another change of its inside.
std::vector<uint32_t> leading_clusters(const CondensedFlow& condensed, const Decomposition& figures,
                                       const Components& components) {
  std::vector<uint32_t> found;
  std::vector<Term> terms = figures.terms;
  const size_t leading = std::min(kLeadingTerms, terms.size());
  std::partial_sort(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(leading), terms.end(),
                    [](const Term& a, const Term& b) { return std::abs(a.value) > std::abs(b.value); });
  for (size_t i = 0; i < leading; ++i) {
    if (std::abs(terms[i].value) < kLeadingPart * std::abs(terms[0].value)) break;
    note_cluster(condensed, components, node_of(condensed.graph, terms[i]), found);
  }
  return found;
}

/// Signed sum and sum of magnitudes of an opened cluster's own terms, its calls' terms by their direction, and the
/// terms of the calls that enter it.
struct Inside {
  long double net = 0, gross = 0, more_calls = 0, fewer_calls = 0, entering = 0;

  bool cancels() const {
    return gross > kCancelling * std::abs(net) ||
           std::min(more_calls, fewer_calls) > kBothWays * std::max(more_calls, fewer_calls) || is_made_up_for();
  }

  /// It is entered more often and goes less deep each time, or the other way round: the work that it does is the same.
  bool is_made_up_for() const {
    return net * entering < 0 &&
           std::min(std::abs(net), std::abs(entering)) > kMadeUpFor * std::max(std::abs(net), std::abs(entering));
  }
};

/// Opened clusters that are better condensed again.
std::vector<uint32_t> cancelling_clusters(const OpenedFlow& flow, const Components& components,
                                          const std::vector<bool>& opened) {
  const auto cluster_of = [&](uint32_t node) { return components.of[flow.condensed.members[node].front()]; };
  std::map<uint32_t, Inside> insides;
  for (const Term& term : flow.figures.terms) {
    const bool call = term.kind == TermKind::kCalls;
    const uint32_t cluster = cluster_of(call ? flow.condensed.graph.edges[term.index].callee : term.index);
    if (!opened[cluster]) continue;
    if (call && cluster_of(flow.condensed.graph.edges[term.index].caller) != cluster) {
      insides[cluster].entering += term.value;
      continue;
    }
    insides[cluster].net += term.value;
    insides[cluster].gross += std::abs(term.value);
    if (call) (term.value > 0 ? insides[cluster].more_calls : insides[cluster].fewer_calls) += std::abs(term.value);
  }
  std::vector<uint32_t> found;
  for (const auto& [cluster, inside] : insides)
    if (inside.cancels()) found.push_back(cluster);
  return found;
}

OpenedFlow decompose_opened(const FlowGraph& graph, const Components& components, const std::vector<bool>& opened,
                            ClusterFactors& factors) {
  OpenedFlow flow;
  flow.condensed = condense(graph, components, opened);
  flow.moves = join_call_moves(flow.condensed.graph);
  flow.figures = decompose_on_average(flow.condensed.graph, factors);
  return flow;
}

}  // namespace

size_t largest_cluster_of(const FlowGraph& graph, std::span<const uint32_t> nodes) {
  const Components components = flow_components(graph);
  size_t largest = 1;
  for (const uint32_t node : nodes) largest = std::max<size_t>(largest, components.sizes[components.of[node]]);
  return largest;
}

size_t largest_opened_cluster() { return kLargestOpened; }

OpenedFlow decompose_with_leading_clusters_open(const FlowGraph& graph, std::span<const uint32_t> to_open) {
  const Components components = flow_components(graph);
  std::vector<bool> opened(components.count(), false), closed_again(components.count(), false),
      stays_open(components.count(), false);
  for (uint32_t node : to_open) opened[components.of[node]] = stays_open[components.of[node]] = true;
  ClusterFactors factors;
  OpenedFlow flow = decompose_opened(graph, components, opened, factors);
  const auto by_callers = [&] { return decompose_by_callers(flow.condensed.graph, flow.figures, factors); };
  Decomposition figures = by_callers();
  // Every round opens one cluster more or closes one for good.
  for (size_t round = 0; round < kRounds; ++round) {
    bool changed = false;
    for (uint32_t cluster : leading_clusters(flow.condensed, figures, components)) {
      if (closed_again[cluster] || opened[cluster] || components.sizes[cluster] > kLargestOpened) continue;
      opened[cluster] = changed = true;
    }
    if (!changed) break;
    flow = decompose_opened(graph, components, opened, factors);
    for (uint32_t cluster : cancelling_clusters(flow, components, opened)) {
      if (stays_open[cluster]) continue;
      closed_again[cluster] = true;
      opened[cluster] = false;
    }
    if (closed_again != std::vector<bool>(components.count(), false))
      flow = decompose_opened(graph, components, opened, factors);
    figures = by_callers();
  }
  flow.figures = std::move(figures);
  return flow;
}

std::vector<long double> member_terms(const FlowGraph& graph, const OpenedFlow& flow, const Term& term) {
  const uint32_t node = term.index;
  const auto& [base, head] = flow.figures.sides;
  const bool fixed = flow.figures.fixed_self[node];
  const bool in_parts = fixed && flow.figures.further_self[node] != 0;
  const FlowNode& whole = flow.condensed.graph.nodes[node];
  std::vector<long double> terms;
  for (uint32_t member : flow.condensed.members[node]) {
    const auto self = [&](size_t side) { return static_cast<long double>(graph.nodes[member].self[side]); };
    if (in_parts) {
      terms.push_back(term.value * (self(0) + self(1)) /
                      (static_cast<long double>(whole.self[0]) + static_cast<long double>(whole.self[1])));
    } else if (fixed) {
      terms.push_back(self(1) - self(0));
    } else {
      const auto& calls = flow.figures.own_cost_calls;
      terms.push_back(self(1) / head.calls[node] * calls[1][node] - self(0) / base.calls[node] * calls[0][node]);
    }
  }
  return terms;
}

}  // namespace icount
