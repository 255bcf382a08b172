#include "icount/explain/headed_sums.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace icount {
namespace {

// A callee has so many new callers at least.
constexpr size_t kFewestCallers = 2;

// Calls that one side makes so many times as often as the other, which hardly makes any.
constexpr int64_t kFarMoreCalls = 10;

// Of a recursion's sum its own cost and its calls of itself are each this part at least; else one of them says it.
constexpr long double kBothMatter = 0.1L;

long double value_of(const OpenedFlow& flow, const HeadedSum& sum) {
  long double value = 0;
  for (const uint32_t i : sum.terms) value += flow.figures.terms[i].value;
  return value;
}

/// Whether the same callers call `base` on the base side as often as `head` on the head side.
bool takes_the_place(const OpenedFlow& flow, const HeadedSum& base, const HeadedSum& head) {
  const auto edge = [&](uint32_t i) -> const FlowEdge& {
    return flow.condensed.graph.edges[flow.figures.terms[i].index];
  };
  if (base.terms.size() != head.terms.size()) return false;
  for (size_t i = 0; i < base.terms.size(); ++i) {
    const FlowEdge &was = edge(base.terms[i]), &is = edge(head.terms[i]);
    if (was.caller != is.caller || was.calls[0] != is.calls[1] || was.calls[0] == 0) return false;
  }
  return true;
}

/// One callee lost and another gained by the same callers are one sum, of head's.
void join_replaced(const OpenedFlow& flow, std::vector<HeadedSum>& sums) {
  for (size_t head = 0; head < sums.size(); ++head)
    for (size_t base = 0; base < sums.size(); ++base) {
      if (base == head || !takes_the_place(flow, sums[base], sums[head])) continue;
      sums[head].instead_of = sums[base].node;
      sums[head].terms.insert(sums[head].terms.end(), sums[base].terms.begin(), sums[base].terms.end());
      sums.erase(sums.begin() + static_cast<std::ptrdiff_t>(base));
      return join_replaced(flow, sums);
    }
}

}  // namespace

long double largest_term(const OpenedFlow& flow) {
  long double largest = 0;
  for (const Term& term : flow.figures.terms) largest = std::max(largest, std::abs(term.value));
  return largest;
}

long double least_sum(const OpenedFlow& flow) {
  constexpr long double kMatters = 0.2L;
  return kMatters * largest_term(flow);
}

std::vector<HeadedSum> find_shared_callees(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  std::map<std::pair<uint32_t, bool>, std::vector<uint32_t>> by_callee;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind != TermKind::kCalls) continue;
    const FlowEdge& edge = graph.edges[term.index];
    const auto [fewer, more] = std::minmax(edge.calls[0], edge.calls[1]);
    if (edge.caller == edge.callee || more == 0 || fewer > more / kFarMoreCalls) continue;
    by_callee[{edge.callee, edge.calls[0] < edge.calls[1]}].push_back(i);
  }
  std::vector<HeadedSum> found;
  for (auto& [key, terms] : by_callee) {
    long double sum = 0, largest = 0;
    for (const uint32_t i : terms) {
      sum += flow.figures.terms[i].value;
      largest = std::max(largest, std::abs(flow.figures.terms[i].value));
    }
    if (terms.size() >= kFewestCallers && largest < kMostByOneTerm * std::abs(sum))
      found.push_back({key.first, std::move(terms)});
  }
  join_replaced(flow, found);
  const long double least = least_sum(flow);
  std::erase_if(found, [&](const HeadedSum& sum) { return std::abs(value_of(flow, sum)) < least; });
  return found;
}

std::vector<HeadedSum> find_grown_recursions(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  std::map<uint32_t, std::vector<uint32_t>> by_node;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind == TermKind::kEntry) continue;
    if (term.kind == TermKind::kOwnCost && flow.condensed.members[term.index].size() == 1)
      by_node[term.index].push_back(i);
    if (term.kind == TermKind::kCalls && graph.edges[term.index].caller == graph.edges[term.index].callee)
      by_node[graph.edges[term.index].caller].push_back(i);
  }
  const long double least = least_sum(flow);
  std::vector<HeadedSum> found;
  for (auto& [node, terms] : by_node) {
    if (terms.size() != 2) continue;
    const long double first = flow.figures.terms[terms[0]].value, second = flow.figures.terms[terms[1]].value;
    const long double sum = std::abs(first + second);
    if (first * second > 0 && sum >= least && std::min(std::abs(first), std::abs(second)) >= kBothMatter * sum)
      found.push_back({node, std::move(terms)});
  }
  return found;
}

}  // namespace icount
