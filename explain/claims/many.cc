#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "icount/base/checked.h"
#include "icount/explain/claims/relations.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

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

/// Callees that `fewest` functions or more call so many times as often on one side, none of them for most of the sum.
std::vector<HeadedSum> callees_of_many(const OpenedFlow& flow, const Taken& taken, long double times,
                                       long double fewest) {
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
      is_new =
          only_side(flow.condensed.graph.edges[term.index]).has_value() || (is_new && std::abs(term.value) == largest);
      largest = std::abs(term.value);
    }
    if (static_cast<long double>(terms.size()) >= fewest && largest < (is_new ? kMostOfIt : kNearlyAll) * std::abs(sum))
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

long double least_sum(const OpenedFlow& flow) { return kSomePart * largest_term(flow); }

std::vector<HeadedSum> find_shared_callees(const OpenedFlow& flow, const Taken& taken) {
  std::vector<HeadedSum> found = callees_of_many(flow, taken, kFarMore, 2);
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
  for (HeadedSum& sum : callees_of_many(flow, told, 1 / kHalf, kFewest))
    if (std::abs(value_of(flow, sum)) > least) found.push_back(std::move(sum));
  return found;
}

namespace {

const FlowEdge& edge_of(const SentenceSource& source, uint32_t term) {
  return source.condensed.graph.edges[source.figures.terms[term].index];
}

int64_t most_calls(const FlowEdge& edge) { return std::max(edge.calls[0], edge.calls[1]); }

/// The edge of most of the calls, where a reader finds them; of several the first.
uint32_t most_frequent_call(const SentenceSource& source, const HeadedSum& sum) {
  const FlowEdge* most = nullptr;
  for (const uint32_t i : sum.terms) {
    const FlowEdge& edge = edge_of(source, i);
    if (edge.callee == sum.node && (most == nullptr || most_calls(edge) > most_calls(*most))) most = &edge;
  }
  return static_cast<uint32_t>(most - source.condensed.graph.edges.data());
}

/// The name of the one that makes most of the calls; empty where two make as many.
std::string most_frequent_caller(const SentenceSource& source, const HeadedSum& sum) {
  const FlowEdge& most = source.condensed.graph.edges[most_frequent_call(source, sum)];
  const auto as_many = std::count_if(sum.terms.begin(), sum.terms.end(), [&](uint32_t i) {
    const FlowEdge& edge = edge_of(source, i);
    return edge.callee == sum.node && most_calls(edge) == most_calls(most);
  });
  return as_many > 1 ? std::string() : source.names[most.caller];
}

fact::SharedCallee replaced_callee_facts(const SentenceSource& source, const HeadedSum& sum) {
  int64_t calls = 0;
  for (const uint32_t i : sum.terms)
    if (const FlowEdge& edge = edge_of(source, i); edge.callee == sum.node)
      calls = saturating_add(calls, edge.calls[1]);
  return {.function = source.names[sum.node],
          .most = most_frequent_caller(source, sum),
          .instead_of = source.names[sum.instead_of],
          .callers = sum.terms.size() / 2,
          .calls = calls};
}

}  // namespace

fact::SharedCallee shared_callee_facts(const SentenceSource& source, const HeadedSum& sum) {
  if (sum.instead_of != SentenceSource::kNoNode) return replaced_callee_facts(source, sum);
  const FlowEdge& first = edge_of(source, sum.terms.front());
  fact::SharedCallee facts{.function = source.names[sum.node],
                           .most = most_frequent_caller(source, sum),
                           .gained = first.calls[0] < first.calls[1],
                           .callers = sum.terms.size()};
  const size_t more = facts.gained ? 1 : 0;
  for (const uint32_t i : sum.terms) {
    const FlowEdge& edge = edge_of(source, i);
    facts.calls = saturating_add(facts.calls, edge.calls[more]);
    facts.others = saturating_add(facts.others, edge.calls[1 - more]);
  }
  return facts;
}

std::vector<Claim> shared_callee_claims(const ClaimSource& source, const Taken& taken) {
  std::vector<Claim> claims;
  for (const HeadedSum& sum : find_shared_callees(source.flow, taken)) {
    const uint32_t call = most_frequent_call(source.names, sum);
    claims.push_back({.terms = sum.terms,
                      .place = source.graph().edges[call].caller,
                      .call = call,
                      .function = node_label(source.names, sum.node),
                      .facts = shared_callee_facts(source.names, sum)});
  }
  return claims;
}

}  // namespace icount
