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
constexpr long double kFarMoreCalls = 10;
// Where so many functions call it just so many times as often, that may still be the largest cause.
constexpr long double kMoreCalls = 2;
constexpr size_t kManyCallers = 3;
// One caller has no more than this part of the sum where it calls the callee on both sides.
constexpr long double kMostByOneCaller = 0.9L;

// Of a recursion's sum its own cost and its calls of itself are each this part at least; else one of them says it.
constexpr long double kBothMatter = 0.1L;
// What is dispatched is called as many times more as the dispatcher, to this part, and both terms are that part of
// both; no other call that is made as many times more comes to this part of it, else one call leads to several.
constexpr long double kAsMany = 0.02L, kDispatchMatters = 0.05L, kAnotherMatters = 0.2L;
// Where its calls of itself are this part of all that changed about it, and the rest that part, it is told as a whole,
// unless its terms come to so many times their sum.
constexpr long double kMostOfIt = 0.5L, kRestMatters = 0.05L, kCancelling = 1.5L;

bool is_one_sided(const FlowEdge& edge) { return edge.calls[0] == 0 || edge.calls[1] == 0; }

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
    return itself * sum > 0 && (is_new || most_by_one_side <= kBothMatter * std::abs(sum)) &&
           gross <= kCancelling * std::abs(sum) && std::abs(itself) >= kMostOfIt * std::abs(sum) &&
           std::abs(sum - itself) >= kRestMatters * std::abs(sum);
  }

  /// Its own cost and its calls of itself changed in the same direction.
  bool grew() const {
    return both.size() == 2 && own * itself > 0 &&
           std::min(std::abs(own), std::abs(itself)) >= kBothMatter * std::abs(own + itself);
  }
};

/// Callees that `fewest` functions or more call so many times as often on one side, none of them for most of the sum.
std::vector<HeadedSum> callees_of_many(const OpenedFlow& flow, const std::vector<bool>& taken, long double times,
                                       size_t fewest) {
  std::map<std::pair<uint32_t, bool>, std::vector<uint32_t>> by_callee;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind != TermKind::kCalls) continue;
    const FlowEdge& edge = flow.condensed.graph.edges[term.index];
    const auto [fewer, more] = std::minmax(edge.calls[0], edge.calls[1]);
    if (edge.caller == edge.callee || more == 0 ||
        static_cast<long double>(fewer) * times > static_cast<long double>(more))
      continue;
    by_callee[{edge.callee, edge.calls[0] < edge.calls[1]}].push_back(i);
  }
  std::vector<HeadedSum> found;
  for (auto& [key, terms] : by_callee) {
    long double sum = 0, largest = 0;
    bool is_new = false;  // the largest: its caller was changed
    for (const uint32_t i : terms) {
      const Term& term = flow.figures.terms[i];
      sum += term.value;
      if (std::abs(term.value) < largest) continue;
      is_new = is_one_sided(flow.condensed.graph.edges[term.index]) || (is_new && std::abs(term.value) == largest);
      largest = std::abs(term.value);
    }
    if (terms.size() >= fewest && largest < (is_new ? kMostByOneTerm : kMostByOneCaller) * std::abs(sum))
      found.push_back({key.first, std::move(terms)});
  }
  return found;
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
  std::vector<HeadedSum> found = callees_of_many(flow, taken, kFarMoreCalls, kFewestCallers);
  join_replaced(flow, found);
  long double least = least_sum(flow);
  std::erase_if(found, [&](const HeadedSum& sum) { return std::abs(value_of(flow, sum)) < least; });
  // Where a callee is called by many just more often, that is told of if nothing else says as much.
  std::vector<bool> told = taken;
  least = largest_term(flow);
  for (const HeadedSum& sum : found) {
    for (const uint32_t i : sum.terms) told[i] = true;
    least = std::max(least, std::abs(value_of(flow, sum)));
  }
  for (HeadedSum& sum : callees_of_many(flow, told, kMoreCalls, kManyCallers))
    if (std::abs(value_of(flow, sum)) > least) found.push_back(std::move(sum));
  return found;
}

std::vector<DispatchedCalls> find_dispatched_calls(const OpenedFlow& flow, const std::vector<bool>& taken) {
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
    if (std::abs(terms[i].value) >= kBothMatter * least) by_dispatcher[edge_of(i).callee].push_back(i);
  }
  const auto is_as_many = [&](uint32_t i, long double more) {
    return std::abs(more - more_calls(i)) <= kAsMany * std::abs(more);
  };
  const auto is_one_of_several = [&](uint32_t second, long double more) {
    const std::vector<uint32_t>& calls = by_caller[edge_of(second).caller];
    return std::any_of(calls.begin(), calls.end(), [&](uint32_t other) {
      return other != second && is_as_many(other, more) &&
             std::abs(terms[other].value) >= kAnotherMatters * std::abs(terms[second].value);
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
          !is_as_many(second, more) || sum < least || std::min(std::abs(one), std::abs(two)) < kDispatchMatters * sum ||
          is_one_of_several(second, more))
        continue;
      used[first] = used[second] = true;
      found.push_back({terms[first].index, terms[second].index, {first, second}});
    }
  }
  return found;
}

std::vector<HeadedSum> find_grown_recursions(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  const auto calls_itself = [&](const Term& term) {
    return term.kind == TermKind::kCalls && graph.edges[term.index].caller == graph.edges[term.index].callee;
  };
  std::map<uint32_t, Recursion> by_node;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i)
    if (const Term& term = flow.figures.terms[i]; !taken[i] && calls_itself(term)) {
      Recursion& recursion = by_node[graph.edges[term.index].caller];
      recursion.itself = term.value;
      recursion.is_new = is_one_sided(graph.edges[term.index]);
    }
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind == TermKind::kEntry) continue;
    const auto found = by_node.find(node_of(graph, term));
    if (found == by_node.end() || flow.condensed.members[found->first].size() > 1) continue;
    Recursion& recursion = found->second;
    recursion.add(i, term.value);
    if (term.kind == TermKind::kOwnCost) recursion.own = term.value;
    if (term.kind == TermKind::kCalls && is_one_sided(graph.edges[term.index]))
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

}  // namespace icount
