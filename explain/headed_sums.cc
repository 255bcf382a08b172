#include "icount/explain/headed_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "icount/base/counted.h"
#include "icount/base/text.h"
#include "icount/explain/quantity_text.h"

namespace icount {
namespace {

// A callee has so many new callers at least, and none of them has this part of the sum.
constexpr size_t kFewestCallers = 3;
constexpr long double kMostByOne = 0.6L;
// A sum matters when it is this part of the largest term.
constexpr long double kMatters = 0.2L;

// A loop runs so many times as often at least (or as seldom); what belongs to it changed by that factor, to this part,
// and is this part of all that changed about the function.
constexpr long double kLeastFactor = 1.1L, kSameFactor = 0.12L, kOfAll = 0.9L;
constexpr size_t kFewestTerms = 4;

long double largest_term(const OpenedFlow& flow) {
  long double largest = 0;
  for (const Term& term : flow.figures.terms) largest = std::max(largest, std::abs(term.value));
  return largest;
}

/// A term that may be of a loop, with the factor by which its figure changed.
struct Scaled {
  uint32_t term = 0;
  long double factor = 0, weight = 0;
};

/// The factor that half of the weight lies below.
long double median_factor(std::vector<Scaled> scaled) {
  std::stable_sort(scaled.begin(), scaled.end(), [](const Scaled& a, const Scaled& b) { return a.factor < b.factor; });
  long double all = 0, below = 0;
  for (const Scaled& one : scaled) all += one.weight;
  for (const Scaled& one : scaled)
    if ((below += one.weight) >= all / 2) return one.factor;
  return 1;
}

/// Logarithms of factors, so that both directions are the same.
std::vector<Scaled> scaled_terms(const OpenedFlow& flow, const std::vector<uint32_t>& terms) {
  const FlowGraph& graph = flow.condensed.graph;
  std::vector<Scaled> scaled;
  for (const uint32_t i : terms) {
    const Term& term = flow.figures.terms[i];
    const BothSides& figure =
        term.kind == TermKind::kCalls ? graph.edges[term.index].calls : graph.nodes[term.index].self;
    if (figure[0] <= 0 || figure[1] <= 0) continue;
    scaled.push_back({i, std::log(static_cast<long double>(figure[1])) - std::log(static_cast<long double>(figure[0])),
                      std::abs(term.value)});
  }
  return scaled;
}

}  // namespace

std::vector<HeadedSum> find_shared_callees(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  std::map<std::pair<uint32_t, bool>, std::vector<uint32_t>> by_callee;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind != TermKind::kCalls) continue;
    const FlowEdge& edge = graph.edges[term.index];
    if (edge.caller == edge.callee || (edge.calls[0] == 0) == (edge.calls[1] == 0)) continue;
    by_callee[{edge.callee, edge.calls[0] == 0}].push_back(i);
  }
  const long double least = kMatters * largest_term(flow);
  std::vector<HeadedSum> found;
  for (auto& [key, terms] : by_callee) {
    long double sum = 0, largest = 0;
    for (const uint32_t i : terms) {
      sum += flow.figures.terms[i].value;
      largest = std::max(largest, std::abs(flow.figures.terms[i].value));
    }
    if (terms.size() >= kFewestCallers && largest < kMostByOne * std::abs(sum) && std::abs(sum) >= least)
      found.push_back({key.first, std::move(terms)});
  }
  return found;
}

std::vector<HeadedSum> find_longer_loops(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  std::map<uint32_t, std::vector<uint32_t>> by_function;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind == TermKind::kEntry) continue;
    const uint32_t node = term.kind == TermKind::kCalls ? graph.edges[term.index].caller : term.index;
    const auto& [base, head] = flow.figures.sides;
    if (base.calls[node] == head.calls[node] && base.calls[node] > 0) by_function[node].push_back(i);
  }
  const long double least = kMatters * largest_term(flow);
  std::vector<HeadedSum> found;
  for (const auto& [node, terms] : by_function) {
    if (terms.size() < kFewestTerms) continue;
    const std::vector<Scaled> scaled = scaled_terms(flow, terms);
    const long double factor = median_factor(scaled);
    long double all = 0, together = 0;
    bool with_own_cost = false;
    HeadedSum sum{node, {}};
    for (const uint32_t i : terms) all += std::abs(flow.figures.terms[i].value);
    for (const Scaled& one : scaled) {
      if (std::abs(one.factor - factor) > kSameFactor) continue;
      together += one.weight;
      with_own_cost = with_own_cost || flow.figures.terms[one.term].kind == TermKind::kOwnCost;
      sum.terms.push_back(one.term);
    }
    if (std::abs(factor) >= std::log(kLeastFactor) && with_own_cost && sum.terms.size() >= kFewestTerms &&
        together >= kOfAll * all && together >= least)
      found.push_back(std::move(sum));
  }
  return found;
}

std::string shared_callee_text(const SentenceSource& source, const HeadedSum& sum) {
  const auto edge_of = [&](uint32_t i) -> const FlowEdge& {
    return source.condensed.graph.edges[source.figures.terms[i].index];
  };
  const bool gained = edge_of(sum.terms.front()).calls[0] == 0;
  int64_t calls = 0;
  const FlowEdge* most = &edge_of(sum.terms.front());
  for (const uint32_t i : sum.terms) {
    const FlowEdge& edge = edge_of(i);
    calls += edge.calls[gained ? 1 : 0];
    if (edge.calls[gained ? 1 : 0] > most->calls[gained ? 1 : 0]) most = &edge;
  }
  return fmt::format("{} is {} by {} functions ({}), most often by {}", source.names[sum.node],
                     gained ? "now called" : "no longer called", sum.terms.size(), counted(calls, "call"),
                     source.names[most->caller]);
}

std::string longer_loop_text(const SentenceSource& source, const HeadedSum& sum) {
  const BothSides& self = source.condensed.graph.nodes[sum.node].self;
  const long double factor = static_cast<long double>(self[1]) / static_cast<long double>(self[0]);
  return fmt::format("{} does the same {} times as often: self cost {} -> {}, and {} in proportion",
                     source.names[sum.node], quantities(factor, factor).first, with_thousands(self[0]),
                     with_thousands(self[1]), counted(static_cast<int64_t>(sum.terms.size()) - 1, "callee"));
}

}  // namespace icount
