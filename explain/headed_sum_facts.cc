#include "icount/explain/headed_sum_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "icount/base/checked.h"

namespace icount {
namespace {

const FlowEdge& edge_of(const SentenceSource& source, uint32_t term) {
  return source.condensed.graph.edges[source.figures.terms[term].index];
}

fact::SharedCallee replaced_callee_facts(const SentenceSource& source, const HeadedSum& sum) {
  int64_t calls = 0;
  for (const uint32_t i : sum.terms)
    if (const FlowEdge& edge = edge_of(source, i); edge.callee == sum.node)
      calls = saturating_add(calls, edge.calls[1]);
  return {.function = source.names[sum.node],
          .most = source.names[most_frequent_caller(source, sum)],
          .instead_of = source.names[sum.instead_of],
          .callers = sum.terms.size() / 2,
          .calls = calls};
}

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

fact::LongerWork longer_work_facts(const SentenceSource& source, const HeadedSum& sum) {
  const auto& [base, head] = source.figures.sides;
  return {source.names[sum.node], head.worth[sum.node] / base.worth[sum.node]};
}

uint32_t most_frequent_caller(const SentenceSource& source, const HeadedSum& sum) {
  const FlowEdge* most = nullptr;
  for (const uint32_t i : sum.terms) {
    const FlowEdge& edge = edge_of(source, i);
    const auto calls = [](const FlowEdge& of) { return std::max(of.calls[0], of.calls[1]); };
    if (edge.callee == sum.node && (most == nullptr || calls(edge) > calls(*most))) most = &edge;
  }
  return most->caller;
}

fact::SharedCallee shared_callee_facts(const SentenceSource& source, const HeadedSum& sum) {
  if (sum.instead_of != SentenceSource::kNoNode) return replaced_callee_facts(source, sum);
  const FlowEdge& first = edge_of(source, sum.terms.front());
  fact::SharedCallee facts{.function = source.names[sum.node],
                           .most = source.names[most_frequent_caller(source, sum)],
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

fact::ReplacedCall replaced_call_facts(const SentenceSource& source, const ReplacedCalls& calls) {
  fact::ReplacedCall facts;
  for (size_t side = 0; side < 2; ++side) {
    const FlowEdge& edge = source.condensed.graph.edges[calls.edges[side]];
    facts.callees[side] = source.names[edge.callee];
    facts.price[side] =
        std::abs(source.figures.terms[calls.terms[side]].value) / static_cast<long double>(edge.calls[side]);
    facts.caller = source.names[edge.caller];
    facts.calls = edge.calls[side];
  }
  return facts;
}

fact::GrownCycle grown_cycle_facts(const SentenceSource& source, const HeadedSum& sum) {
  fact::GrownCycle facts{.function = source.names[sum.node]};
  std::vector<std::pair<long double, std::string_view>> callees;
  long double whole = 0;
  for (const uint32_t i : sum.terms) {
    const Term& term = source.figures.terms[i];
    whole += term.value;
    if (term.kind == TermKind::kOwnCost) {
      const auto& [base, head] = source.figures.sides;
      facts.has_own = true;
      facts.own = {base.own_cost[sum.node], head.own_cost[sum.node]};
    } else {
      callees.emplace_back(-std::abs(term.value), source.names[source.condensed.graph.edges[term.index].callee]);
    }
  }
  std::sort(callees.begin(), callees.end());
  facts.more = whole > 0;
  facts.first = callees.front().second;
  if (callees.size() > 1) {
    facts.second = callees[1].second;
    facts.more_callees = callees.size() - 2;
  }
  return facts;
}

fact::Rewritten rewritten_facts(const SentenceSource& source, const HeadedSum& sum) {
  fact::Rewritten facts{.function = source.names[sum.node], .calls = calls_at(source, 1, sum.node)};
  std::array<size_t, 2> callees{};
  std::array<const Term*, 2> most{};
  for (const uint32_t i : sum.terms) {
    const Term& term = source.figures.terms[i];
    if (term.kind != TermKind::kCalls) continue;
    const size_t side = source.condensed.graph.edges[term.index].calls[1] != 0 ? 1 : 0;
    ++callees[side];
    if (most[side] == nullptr || std::abs(term.value) > std::abs(most[side]->value)) most[side] = &term;
  }
  for (size_t side = 0; side < 2; ++side) {
    facts.callees[side] = source.names[source.condensed.graph.edges[most[side]->index].callee];
    facts.more[side] = callees[side] - 1;
  }
  return facts;
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

fact::LongerLoop longer_loop_facts(const SentenceSource& source, const HeadedSum& sum) {
  return {source.names[sum.node], source.condensed.graph.nodes[sum.node].self, sum.terms.size() - 1};
}

}  // namespace icount
