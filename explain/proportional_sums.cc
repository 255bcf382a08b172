#include "icount/explain/proportional_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace icount {
namespace {

// A loop runs so many times as often at least (or as seldom); what belongs to it changed by that factor, to this part,
// and is this part of all that changed about the function.
constexpr long double kLeastFactor = 1.1L, kSameFactor = 0.12L, kOfAll = 0.9L;
constexpr long double kSpread = 0.2L;
constexpr size_t kFewestTerms = 4;

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

/// How far logarithms of factors may lie from `factor`: what is done many times as often is seldom done just so often.
long double spread_of(long double factor) { return std::max(kSameFactor, kSpread * std::abs(factor)); }

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

/// Looks for the function below which all became more by one factor.
class LongerWorkSearch {
 public:
  LongerWorkSearch(const OpenedFlow& flow, const std::vector<bool>& taken, long double change)
      : flow_(flow), taken_(taken), graph_(flow.condensed.graph), change_(change) {}

  std::optional<HeadedSum> find() {
    if (change_ == 0 || largest_term(flow_) >= kMostByOneTerm * std::abs(change_)) return std::nullopt;
    const std::optional<uint32_t> top = deepest_with_most();
    if (!top || !is_worth_something(*top)) return std::nullopt;
    below_ = nodes_below(graph_, *top);
    if (!is_in_proportion()) return std::nullopt;
    HeadedSum sum{*top, {}};
    for (uint32_t i = 0; i < flow_.figures.terms.size(); ++i) {
      const Term& term = flow_.figures.terms[i];
      if (!taken_[i] && term.kind != TermKind::kEntry && below_[node_of(graph_, term)]) sum.terms.push_back(i);
    }
    return sum;
  }

 private:
  bool has_most(const BothSides& costs) const {
    return (static_cast<long double>(costs[1]) - static_cast<long double>(costs[0])) / change_ >= kOfAll;
  }

  /// From a function that is entered from outside down the calls that both sides make as often and that have nearly all
  /// of the change.
  std::optional<uint32_t> deepest_with_most() const {
    std::optional<uint32_t> top;
    for (uint32_t node = 0; node < graph_.nodes.size() && !top; ++node)
      if (graph_.nodes[node].entries == BothSides{1, 1}) top = node;
    std::vector<bool> seen(graph_.nodes.size(), false);
    for (bool deeper = top.has_value(); deeper;) {
      seen[*top] = true;
      deeper = false;
      for (const FlowEdge& edge : graph_.edges_of(*top)) {
        if (edge.calls[0] != edge.calls[1] || edge.calls[0] == 0 || seen[edge.callee] || !has_most(edge.inclusive))
          continue;
        top = edge.callee;
        deeper = true;
        break;
      }
    }
    return top;
  }

  /// Not where calls contradict each other so far that nobody can say what one costs.
  bool is_worth_something(uint32_t node) const {
    return std::all_of(flow_.figures.sides.begin(), flow_.figures.sides.end(), [&](const SideFigures& side) {
      return side.worth[node] > 0 && std::isfinite(side.worth[node]);
    });
  }

  bool is_in_proportion() const {
    std::vector<Scaled> scaled;
    long double all = 0, together = 0;
    std::array<long double, 2> work{};
    for (uint32_t node = 0; node < graph_.nodes.size(); ++node) {
      const auto [base, head] = graph_.nodes[node].self;
      if (below_[node]) {
        work[0] += static_cast<long double>(base);
        work[1] += static_cast<long double>(head);
      }
      const long double weight = std::abs(static_cast<long double>(head) - static_cast<long double>(base));
      if (!below_[node] || weight == 0) continue;
      all += weight;
      if (base > 0 && head > 0)
        scaled.push_back(
            {node, std::log(static_cast<long double>(head)) - std::log(static_cast<long double>(base)), weight});
    }
    const long double factor = median_factor(scaled);
    // Where much of the work stayed as it was, only a part of it has more to do.
    if (work[0] <= 0 || work[1] <= 0 || std::abs(std::log(work[1]) - std::log(work[0]) - factor) > spread_of(factor))
      return false;
    for (const Scaled& one : scaled) together += std::abs(one.factor - factor) <= spread_of(factor) ? one.weight : 0;
    return scaled.size() >= kFewestTerms && std::abs(factor) >= std::log(kLeastFactor) && together >= kOfAll * all &&
           all >= kOfAll * std::abs(change_);
  }

  const OpenedFlow& flow_;
  const std::vector<bool>& taken_;
  const FlowGraph& graph_;
  const long double change_;
  std::vector<bool> below_;
};

}  // namespace

std::optional<HeadedSum> find_longer_work(const OpenedFlow& flow, const std::vector<bool>& taken, int64_t change) {
  return LongerWorkSearch(flow, taken, static_cast<long double>(change)).find();
}

std::vector<HeadedSum> find_longer_loops(const OpenedFlow& flow, const std::vector<bool>& taken) {
  const FlowGraph& graph = flow.condensed.graph;
  std::map<uint32_t, std::vector<uint32_t>> by_function;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (taken[i] || term.kind == TermKind::kEntry) continue;
    const uint32_t node = node_of(graph, term);
    const auto& [base, head] = flow.figures.sides;
    if (base.calls[node] == head.calls[node] && base.calls[node] > 0) by_function[node].push_back(i);
  }
  const long double least = least_sum(flow);
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
      if (std::abs(one.factor - factor) > spread_of(factor)) continue;
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

}  // namespace icount
