#include "icount/explain/deeper_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

namespace icount {
namespace {

// Calls per call that moved by no more than this part may be one recursion going deeper; what moved by more is a change
// of its own.
constexpr long double kLittle = 0.1L;
// Terms below this part of the cluster's largest do not decide.
constexpr long double kDecides = 0.05L;

class DeeperSearch {
 public:
  explicit DeeperSearch(const OpenedFlow& flow) : figures_(flow.figures), graph_(flow.condensed.graph) {}

  bool moved_together(const std::vector<uint32_t>& terms) const {
    const auto value = [&](uint32_t term) { return figures_.terms[term].value; };
    long double largest = 0;
    for (uint32_t term : terms) largest = std::max(largest, std::abs(value(term)));
    for (uint32_t term : terms) {
      if (std::abs(value(term)) < kDecides * largest) continue;
      if (!moved_little(term) || value(term) * value(terms.front()) < 0) return false;
    }
    return true;
  }

  bool moved_little(uint32_t term) const {
    const uint32_t edge = figures_.terms[term].index;
    const long double base = figures_.sides[0].calls_per_call[edge], head = figures_.sides[1].calls_per_call[edge];
    return !figures_.fixed_calls[edge] && std::min(graph_.edges[edge].calls[0], graph_.edges[edge].calls[1]) > 0 &&
           std::abs(head - base) <= kLittle * std::max(base, head);
  }

 private:
  const Decomposition& figures_;
  const FlowGraph& graph_;
};

/// Calls of all members, and those of them that come from outside.
struct Calls {
  long double all = 0, outer = 0;
  long double for_each() const { return outer > 0 ? all / outer : all; }
  /// Saturates as the counts do.
  int64_t in_all() const {
    return static_cast<int64_t>(std::min(all, static_cast<long double>(std::numeric_limits<int64_t>::max())));
  }
};

Calls calls_of(const SentenceSource& source, const DeeperCluster& cluster, size_t side) {
  const auto is_member = [&](uint32_t node) {
    return std::find(cluster.members.begin(), cluster.members.end(), node) != cluster.members.end();
  };
  Calls calls;
  for (uint32_t node : cluster.members) calls.all += source.figures.sides[side].calls[node];
  calls.outer = calls.all;
  for (uint32_t node : cluster.members)
    for (const FlowEdge& edge : source.condensed.graph.edges_of(node))
      if (is_member(edge.callee)) calls.outer -= static_cast<long double>(edge.calls[side]);
  return calls;
}

}  // namespace

std::vector<DeeperCluster> find_deeper_clusters(const OpenedFlow& flow) {
  const FlowGraph& graph = flow.condensed.graph;
  const Components components = flow_components(graph);
  std::map<uint32_t, std::vector<uint32_t>> inner;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (term.kind != TermKind::kCalls) continue;
    const uint32_t cluster = components.of[graph.edges[term.index].caller];
    if (cluster == components.of[graph.edges[term.index].callee] && components.sizes[cluster] > 1)
      inner[cluster].push_back(i);
  }
  const DeeperSearch search(flow);
  const Components::Members all = components.members();
  std::vector<DeeperCluster> found;
  for (auto& [cluster, terms] : inner) {
    const auto larger = [&](uint32_t a, uint32_t b) {
      return std::abs(flow.figures.terms[a].value) > std::abs(flow.figures.terms[b].value);
    };
    std::stable_sort(terms.begin(), terms.end(), larger);
    if (!search.moved_together(terms)) continue;
    std::erase_if(terms, [&](uint32_t term) { return !search.moved_little(term); });
    const auto members = all.of(cluster);
    found.push_back({{members.begin(), members.end()}, std::move(terms)});
    const auto self = [&](uint32_t node) {
      return static_cast<long double>(graph.nodes[node].self[0]) + static_cast<long double>(graph.nodes[node].self[1]);
    };
    std::stable_sort(found.back().members.begin(), found.back().members.end(),
                     [&](uint32_t a, uint32_t b) { return self(a) > self(b); });
  }
  return found;
}

fact::DeeperRecursion deeper_cluster_facts(const SentenceSource& source, const DeeperCluster& cluster) {
  const size_t others = cluster.members.size() - 1;
  const Calls base = calls_of(source, cluster, 0), head = calls_of(source, cluster, 1);
  const FlowEdge& most = source.condensed.graph.edges[source.figures.terms[cluster.terms.front()].index];
  return {.first = source.names[cluster.members.front()],
          .second = others == 1 ? source.names[cluster.members.back()] : std::string(),
          .others = others,
          .for_each_outer = {base.for_each(), head.for_each()},
          .calls = {base.in_all(), head.in_all()},
          .caller_again = source.names_again[most.caller],
          .callee_again = source.names_again[most.callee]};
}

std::string deeper_cluster_label(const SentenceSource& source, const DeeperCluster& cluster) {
  return fmt::format("cycle of {} and {} more", node_label(source, cluster.members.front()),
                     cluster.members.size() - 1);
}

}  // namespace icount
