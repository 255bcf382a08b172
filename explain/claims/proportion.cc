#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "icount/explain/claims/relations.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

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
long double spread_of(long double factor) { return std::max(kPart + kSame, kSomePart * std::abs(factor)); }

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
  LongerWorkSearch(const OpenedFlow& flow, const Taken& taken, long double change)
      : flow_(flow), taken_(taken), graph_(flow.condensed.graph), change_(change) {}

  std::optional<HeadedSum> find() {
    if (change_ == 0 || largest_term(flow_) >= kMostOfIt * std::abs(change_)) return std::nullopt;
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
    return (static_cast<long double>(costs[1]) - static_cast<long double>(costs[0])) / change_ >= kNearlyAll;
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
    return scaled.size() >= kMany && std::abs(factor) >= std::log(kGrew) && together >= kNearlyAll * all &&
           all >= kNearlyAll * std::abs(change_);
  }

  const OpenedFlow& flow_;
  const Taken& taken_;
  const FlowGraph& graph_;
  const long double change_;
  std::vector<bool> below_;
};

}  // namespace

std::optional<HeadedSum> find_longer_work(const OpenedFlow& flow, const Taken& taken, int64_t change) {
  return LongerWorkSearch(flow, taken, static_cast<long double>(change)).find();
}

std::vector<HeadedSum> find_longer_loops(const OpenedFlow& flow, const Taken& taken) {
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
    if (terms.size() < kMany) continue;
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
    if (std::abs(factor) >= std::log(kGrew) && with_own_cost && sum.terms.size() >= kMany &&
        together >= kNearlyAll * all && together >= least)
      found.push_back(std::move(sum));
  }
  return found;
}

namespace {

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

std::map<uint32_t, Changes> changes_by_node(const OpenedFlow& flow, const Taken& taken, bool of_cycles) {
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

std::vector<HeadedSum> find_grown_functions(const OpenedFlow& flow, const Taken& taken) {
  const long double least = least_sum(flow);
  std::vector<HeadedSum> found;
  for (auto& [node, changes] : changes_by_node(flow, taken, false)) {
    const long double all = std::abs(changes.sum), calls = all - std::abs(changes.own);
    if (changes.own * changes.sum > 0 && changes.gross == all && std::abs(changes.own) >= kMostlyOwn * all &&
        calls >= kPart * all && all >= least)
      found.push_back({node, std::move(changes.terms)});
  }
  return found;
}

std::vector<HeadedSum> find_grown_cycles(const OpenedFlow& flow, const Taken& taken) {
  const long double least = largest_term(flow);
  std::vector<HeadedSum> found;
  for (auto& [node, changes] : changes_by_node(flow, taken, true)) {
    const long double all = std::abs(changes.sum);
    if (changes.terms.size() >= kFewest && changes.gross <= kGrew * all && changes.largest < kMostOfIt * all &&
        all > least)
      found.push_back({node, std::move(changes.terms)});
  }
  return found;
}

fact::LongerWork longer_work_facts(const SentenceSource& source, const HeadedSum& sum) {
  const auto& [base, head] = source.figures.sides;
  return {source.names[sum.node], head.worth[sum.node] / base.worth[sum.node]};
}

fact::LongerLoop longer_loop_facts(const SentenceSource& source, const HeadedSum& sum) {
  return {source.names[sum.node], source.condensed.graph.nodes[sum.node].self, sum.terms.size() - 1};
}

namespace {

/// A function's work as a whole.
Claim work_claim(const ClaimSource& source, const HeadedSum& sum, CauseFacts facts) {
  Claim claim{
      .terms = sum.terms, .place = sum.node, .function = node_label(source.names, sum.node), .facts = std::move(facts)};
  name_only_call(source, sum.node, claim);
  return claim;
}

}  // namespace

std::vector<Claim> longer_work_claims(const ClaimSource& source, const Taken& taken) {
  const auto sum = find_longer_work(source.flow, taken, source.change);
  if (!sum) return {};
  return {work_claim(source, *sum, longer_work_facts(source.names, *sum))};
}

std::vector<Claim> longer_loop_claims(const ClaimSource& source, const Taken& taken) {
  std::vector<Claim> claims;
  for (const HeadedSum& sum : find_longer_loops(source.flow, taken)) {
    claims.push_back(work_claim(source, sum, longer_loop_facts(source.names, sum)));
    claims.back().about = sum.node;
  }
  return claims;
}

std::vector<Claim> grown_cycle_claims(const ClaimSource& source, const Taken& taken) {
  std::vector<Claim> claims;
  for (const HeadedSum& sum : find_grown_cycles(source.flow, taken)) {
    claims.push_back(work_claim(source, sum, fact::GrownCycle{source.names.names[sum.node]}));
    long double most = 0;
    for (const uint32_t i : sum.terms)
      if (const Term& term = source.terms()[i]; term.kind == TermKind::kCalls && std::abs(term.value) > most) {
        most = std::abs(term.value);
        claims.back().call = term.index;
      }
  }
  return claims;
}

/// Where functions are opened, inside/function_opening.h says the same with what is known inside.
std::vector<Claim> grown_function_claims(const ClaimSource& source, const Taken& taken) {
  if (source.opens_functions) return {};
  std::vector<Claim> claims;
  for (const HeadedSum& sum : find_grown_functions(source.flow, taken)) {
    const std::span<const uint32_t> own(sum.terms.data(), 1), calls(sum.terms.data() + 1, sum.terms.size() - 1);
    const int64_t own_delta = source.sum_of(own);
    claims.push_back(work_claim(source, sum, self_cost_facts(source.names, sum.node, own_delta)));
    claims.back().about = sum.node;
    claims.back().remarks.push_back(
        {.kind = Remark::Kind::kWithCalls, .delta = own_delta, .other_delta = source.sum_of(calls)});
  }
  return claims;
}

}  // namespace icount
