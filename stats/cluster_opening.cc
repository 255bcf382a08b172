#include "stats/cluster_opening.h"

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

// Terms cancel when their magnitudes come to so many times their sum.
constexpr long double kCancelling = 2.5L;

/// Components of the full graph that a node or edge of the condensed graph stands for, when they have several members.
void note_cluster(const CondensedFlow& condensed, const Components& components, uint32_t node, std::vector<bool>& opened) {
  if (condensed.members[node].size() > 1) opened[components.of[condensed.members[node].front()]] = true;
}

std::vector<bool> leading_clusters(const CondensedFlow& condensed, const Decomposition& figures, const Components& components) {
  std::vector<bool> opened(components.count(), false);
  std::vector<Term> terms = figures.terms;
  const size_t leading = std::min(kLeadingTerms, terms.size());
  std::partial_sort(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(leading), terms.end(),
                    [](const Term& a, const Term& b) { return std::abs(a.value) > std::abs(b.value); });
  for (size_t i = 0; i < leading; ++i) {
    if (std::abs(terms[i].value) < kLeadingPart * std::abs(terms[0].value)) break;
    if (terms[i].kind == TermKind::kCalls) {
      note_cluster(condensed, components, condensed.graph.edges[terms[i].index].caller, opened);
      note_cluster(condensed, components, condensed.graph.edges[terms[i].index].callee, opened);
    } else {
      note_cluster(condensed, components, terms[i].index, opened);
    }
  }
  return opened;
}

/// Signed sum and sum of magnitudes of some terms.
struct Sums {
  long double net = 0, gross = 0;
  std::vector<uint32_t> terms;

  void add(uint32_t index, long double value) {
    net += value;
    gross += std::abs(value);
    terms.push_back(index);
  }
};

struct ClusterSums {
  Sums inside, entering;
};

}  // namespace

std::vector<ClusterFold> cancelling_clusters(const OpenedFlow& flow) {
  std::map<uint32_t, ClusterSums> sums;
  const auto& terms = flow.figures.terms;
  for (uint32_t i = 0; i < terms.size(); ++i) {
    const bool call = terms[i].kind == TermKind::kCalls;
    const FlowEdge* edge = call ? &flow.condensed.graph.edges[terms[i].index] : nullptr;
    const uint32_t to = flow.cluster_of[call ? edge->callee : terms[i].index];
    if (to == OpenedFlow::kNotOpened) continue;
    const bool inside = terms[i].kind == TermKind::kOwnCost || (call && flow.cluster_of[edge->caller] == to);
    (inside ? sums[to].inside : sums[to].entering).add(i, terms[i].value);
  }
  std::vector<ClusterFold> folds;
  for (auto& [cluster, sum] : sums) {
    const bool inside_cancels = sum.inside.gross > kCancelling * std::abs(sum.inside.net);
    const bool both_cancel = std::abs(sum.inside.net + sum.entering.net) * kCancelling < std::abs(sum.inside.net) + std::abs(sum.entering.net) &&
                             sum.entering.gross > 0;
    if (sum.inside.terms.size() < 2 || (!inside_cancels && !both_cancel)) continue;
    ClusterFold fold{{}, std::move(sum.inside.terms)};
    if (both_cancel) fold.terms.insert(fold.terms.end(), sum.entering.terms.begin(), sum.entering.terms.end());
    for (uint32_t node = 0; node < flow.cluster_of.size(); ++node)
      if (flow.cluster_of[node] == cluster) fold.nodes.push_back(node);
    folds.push_back(std::move(fold));
  }
  return folds;
}

OpenedFlow decompose_with_leading_clusters_open(const FlowGraph& graph) {
  const Components components = flow_components(graph);
  OpenedFlow result;
  result.condensed = condense(graph, components, std::vector<bool>(components.count(), false));
  set_fixed_calls_apart(result.condensed.graph);
  result.figures = decompose(result.condensed.graph);
  const std::vector<bool> opened = leading_clusters(result.condensed, result.figures, components);
  const bool any = std::find(opened.begin(), opened.end(), true) != opened.end();
  if (any) {
    result.condensed = condense(graph, components, opened);
    set_fixed_calls_apart(result.condensed.graph);
    result.figures = decompose(result.condensed.graph);
  }
  result.cluster_of.assign(result.condensed.graph.nodes.size(), OpenedFlow::kNotOpened);
  for (uint32_t node = 0; any && node < result.cluster_of.size(); ++node) {
    const uint32_t component = components.of[result.condensed.members[node].front()];
    if (opened[component]) result.cluster_of[node] = component;
  }
  return result;
}

}  // namespace icount
