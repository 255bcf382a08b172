#include "icount/explain/grown_functions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace icount {
namespace {

// A function grew as a whole where its own cost is this part of it, and its calls that part.
constexpr long double kMostlyOwn = 0.7L, kCallsMatter = 0.1L;
// A cycle grew as a whole where it has so many terms, and their magnitudes come to no more times their sum.
constexpr size_t kFewestTerms = 3;
constexpr long double kOneWay = 1.1L;

/// What changed about one node that both sides call as often.
struct Changes {
  std::vector<uint32_t> terms;  // own cost first
  long double own = 0, sum = 0, gross = 0, largest = 0;

  void add(uint32_t i, const Term& term) {
    const bool is_own = term.kind == TermKind::kOwnCost;
    terms.insert(is_own ? terms.begin() : terms.end(), i);
    sum += term.value;
    gross += std::abs(term.value);
    largest = std::max(largest, std::abs(term.value));
    if (is_own) own = term.value;
  }
};

std::map<uint32_t, Changes> changes_by_node(const OpenedFlow& flow, const std::vector<bool>& taken, bool of_cycles) {
  const auto& [base, head] = flow.figures.sides;
  std::map<uint32_t, Changes> by_node;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind == TermKind::kEntry) continue;
    const uint32_t node = node_of(flow.condensed.graph, term);
    if (base.calls[node] == head.calls[node] && base.calls[node] > 0 &&
        (flow.condensed.members[node].size() > 1) == of_cycles)
      by_node[node].add(i, term);
  }
  return by_node;
}

}  // namespace

std::vector<HeadedSum> find_grown_functions(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const long double least = least_sum(flow);
  std::vector<HeadedSum> found;
  for (auto& [node, changes] : changes_by_node(flow, taken, false)) {
    const long double all = std::abs(changes.sum), calls = all - std::abs(changes.own);
    if (changes.own * changes.sum > 0 && changes.gross == all && std::abs(changes.own) >= kMostlyOwn * all &&
        calls >= kCallsMatter * all && all >= least)
      found.push_back({node, std::move(changes.terms)});
  }
  return found;
}

std::vector<HeadedSum> find_grown_cycles(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const long double least = largest_term(flow);
  std::vector<HeadedSum> found;
  for (auto& [node, changes] : changes_by_node(flow, taken, true)) {
    const long double all = std::abs(changes.sum);
    if (changes.terms.size() >= kFewestTerms && changes.gross <= kOneWay * all &&
        changes.largest < kMostByOneTerm * all && all > least)
      found.push_back({node, std::move(changes.terms)});
  }
  return found;
}

}  // namespace icount
