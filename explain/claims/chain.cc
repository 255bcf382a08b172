#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include "icount/explain/claims/relations.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

class DeeperSearch {
 public:
  explicit DeeperSearch(const OpenedFlow& flow) : figures_(flow.figures), graph_(flow.condensed.graph) {}

  bool moved_together(const std::vector<uint32_t>& terms) const {
    const auto value = [&](uint32_t term) { return figures_.terms[term].value; };
    long double largest = 0;
    for (uint32_t term : terms) largest = std::max(largest, std::abs(value(term)));
    for (uint32_t term : terms) {
      if (std::abs(value(term)) < kLittle * largest) continue;
      if (!moved_little(term) || value(term) * value(terms.front()) < 0) return false;
    }
    return true;
  }

  bool moved_little(uint32_t term) const {
    const uint32_t edge = figures_.terms[term].index;
    const long double base = figures_.sides[0].calls_per_call[edge], head = figures_.sides[1].calls_per_call[edge];
    return !figures_.fixed_calls[edge] && std::min(graph_.edges[edge].calls[0], graph_.edges[edge].calls[1]) > 0 &&
           std::abs(head - base) <= kPart * std::max(base, head);
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
          .caller = source.names[most.caller],
          .callee = source.names[most.callee]};
}

std::string deeper_cluster_label(const SentenceSource& source, const DeeperCluster& cluster) {
  return fmt::format("cycle of {} and {} more", node_label(source, cluster.members.front()),
                     cluster.members.size() - 1);
}

namespace {

/// What changed about a function that calls itself.
struct Recursion {
  std::vector<uint32_t> terms, both;  ///< all; its own cost and its calls of itself
  long double own = 0, itself = 0, sum = 0, gross = 0;
  bool is_new = false;               ///< only one side calls itself
  long double most_by_one_side = 0;  ///< the largest of its calls that one side alone makes: another reason

  void add(uint32_t term, long double value) {
    terms.push_back(term);
    sum += value;
    gross += std::abs(value);
  }

  /// Most of it is calls of itself, and what it calls on both sides besides goes with them; all that it calls where it
  /// calls itself on one side only: it was written anew.
  bool grew_with_all() const {
    return itself * sum > 0 && (is_new || most_by_one_side <= kPart * std::abs(sum)) &&
           gross <= kMuchMore * std::abs(sum) && std::abs(itself) >= kHalf * std::abs(sum) &&
           std::abs(sum - itself) >= kLittle * std::abs(sum);
  }

  /// Its own cost and its calls of itself changed in the same direction.
  bool grew() const {
    return both.size() == 2 && own * itself > 0 &&
           std::min(std::abs(own), std::abs(itself)) >= kPart * std::abs(own + itself);
  }
};

fact::Recursion recursion_of(const SentenceSource& source, const HeadedSum& sum) {
  for (const FlowEdge& edge : source.condensed.graph.edges_of(sum.node)) {
    if (edge.callee != sum.node) continue;
    if (edge.calls[0] == 0) return fact::Recursion::kBegins;
    if (edge.calls[1] == 0) return fact::Recursion::kEnds;
    break;
  }
  const auto& [base, head] = source.figures.sides;
  return head.calls[sum.node] > base.calls[sum.node] ? fact::Recursion::kMore : fact::Recursion::kLess;
}

}  // namespace

std::vector<DispatchedCalls> find_dispatched_calls(const OpenedFlow& flow, const Taken& taken) {
  const auto& terms = flow.figures.terms;
  const auto edge_of = [&](uint32_t i) -> const FlowEdge& { return flow.condensed.graph.edges[terms[i].index]; };
  const auto more_calls = [&](uint32_t i) {
    const BothSides& calls = edge_of(i).calls;
    return static_cast<long double>(calls[1]) - static_cast<long double>(calls[0]);
  };
  std::map<uint32_t, std::vector<uint32_t>> by_dispatcher, by_caller;  // calls of it that matter, and all that it makes
  const long double least = least_sum(flow);
  for (uint32_t i = 0; i < terms.size(); ++i) {
    if (taken[i] || terms[i].kind != TermKind::kCalls) continue;
    by_caller[edge_of(i).caller].push_back(i);
    if (std::abs(terms[i].value) >= kPart * least) by_dispatcher[edge_of(i).callee].push_back(i);
  }
  const auto is_as_many = [&](uint32_t i, long double more) {
    return std::abs(more - more_calls(i)) <= kSame * std::abs(more);
  };
  const auto is_one_of_several = [&](uint32_t second, long double more) {
    const std::vector<uint32_t>& calls = by_caller[edge_of(second).caller];
    return std::any_of(calls.begin(), calls.end(), [&](uint32_t other) {
      return other != second && is_as_many(other, more) &&
             std::abs(terms[other].value) >= kSomePart * std::abs(terms[second].value);
    });
  };
  std::vector<DispatchedCalls> found;
  std::vector<bool> used(terms.size(), false);
  for (uint32_t second = 0; second < terms.size(); ++second) {
    if (taken[second] || terms[second].kind != TermKind::kCalls) continue;
    const FlowEdge& through = edge_of(second);
    const auto first_calls = by_dispatcher.find(through.caller);
    if (first_calls == by_dispatcher.end() || through.callee == through.caller) continue;
    for (const uint32_t first : first_calls->second) {
      const long double one = terms[first].value, two = terms[second].value, sum = std::abs(one + two);
      const long double more = more_calls(first);
      if (used[first] || used[second] || edge_of(first).caller == through.caller || one * two <= 0 || more * one <= 0 ||
          !is_as_many(second, more) || sum < least || std::min(std::abs(one), std::abs(two)) < kLittle * sum ||
          is_one_of_several(second, more))
        continue;
      used[first] = used[second] = true;
      found.push_back({terms[first].index, terms[second].index, {first, second}});
    }
  }
  return found;
}

std::vector<HeadedSum> find_grown_recursions(const OpenedFlow& flow, const Taken& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  const auto calls_itself = [&](const Term& term) {
    return term.kind == TermKind::kCalls && graph.edges[term.index].caller == graph.edges[term.index].callee;
  };
  std::map<uint32_t, Recursion> by_node;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i)
    if (const Term& term = flow.figures.terms[i]; !taken[i] && calls_itself(term)) {
      Recursion& recursion = by_node[graph.edges[term.index].caller];
      recursion.itself = term.value;
      recursion.is_new = only_side(graph.edges[term.index]).has_value();
    }
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind == TermKind::kEntry) continue;
    const auto found = by_node.find(node_of(graph, term));
    if (found == by_node.end() || flow.condensed.members[found->first].size() > 1) continue;
    Recursion& recursion = found->second;
    recursion.add(i, term.value);
    if (term.kind == TermKind::kOwnCost) recursion.own = term.value;
    if (term.kind == TermKind::kCalls && only_side(graph.edges[term.index]))
      recursion.most_by_one_side = std::max(recursion.most_by_one_side, std::abs(term.value));
    if (term.kind == TermKind::kOwnCost || calls_itself(term)) recursion.both.push_back(i);
  }
  const long double least = least_sum(flow);
  std::vector<HeadedSum> found;
  for (auto& [node, recursion] : by_node) {
    if (recursion.grew_with_all() && std::abs(recursion.sum) >= least)
      found.push_back({node, std::move(recursion.terms)});
    else if (recursion.grew() && std::abs(recursion.own + recursion.itself) >= least)
      found.push_back({node, std::move(recursion.both)});
  }
  return found;
}

fact::GrownRecursion grown_recursion_facts(const SentenceSource& source, const HeadedSum& sum) {
  const auto& [base, head] = source.figures.sides;
  const bool has_other_calls = std::any_of(sum.terms.begin(), sum.terms.end(), [&](uint32_t i) {
    const Term& term = source.figures.terms[i];
    return term.kind == TermKind::kCalls && source.condensed.graph.edges[term.index].callee != sum.node;
  });
  return {.function = source.names[sum.node],
          .has_other_changes = sum.terms.size() > 2 || has_other_calls,
          .recursion = recursion_of(source, sum),
          .calls = {std::llround(base.calls[sum.node]), std::llround(head.calls[sum.node])},
          .cost = {base.own_cost[sum.node], head.own_cost[sum.node]}};
}

std::vector<Claim> recursion_claims(const ClaimSource& source, const Taken& taken) {
  std::vector<Claim> claims;
  for (HeadedSum& sum : find_grown_recursions(source.flow, taken))
    claims.push_back({.terms = sum.terms,
                      .place = sum.node,
                      .about = sum.node,
                      .function = node_label(source.names, sum.node),
                      .facts = grown_recursion_facts(source.names, sum)});
  return claims;
}

std::vector<Claim> dispatched_claims(const ClaimSource& source, const Taken& taken) {
  std::vector<Claim> claims;
  for (const DispatchedCalls& calls : find_dispatched_calls(source.flow, taken)) {
    const FlowEdge &by = source.graph().edges[calls.by], &through = source.graph().edges[calls.through];
    // Inside an allocator the dispatcher is what users know, and the rest is noise.
    if (!source.groups.of_node(through.caller).empty()) continue;
    Claim claim{.kind = CauseKind::kCalls, .terms = calls.terms, .place = through.caller, .call = calls.through};
    name_call(source, through, claim);
    const bool is_one = source.flow.condensed.members[by.caller].size() == 1;  // a recursion's name would say nothing
    claim.facts = fact::CallsOnBehalf{calls_facts(source.names, calls.through),
                                      is_one ? source.names.names[by.caller] : std::string()};
    claims.push_back(std::move(claim));
  }
  return claims;
}

std::vector<Claim> deeper_cycle_claims(const ClaimSource& source, const Taken&) {
  std::vector<Claim> claims;
  for (const DeeperCluster& cluster : find_deeper_clusters(source.flow)) {
    Claim claim{.kind = CauseKind::kCalls, .terms = cluster.terms};
    claim.caller = claim.callee = deeper_cluster_label(source.names, cluster);
    claim.facts = deeper_cluster_facts(source.names, cluster);
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace icount
