#include "icount/explain/headed_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// Calls that one side makes so many times as often as the other, which hardly makes any.
constexpr int64_t kFarMoreCalls = 10;

// Of a recursion's sum its own cost and its calls of itself are each this part at least; else one of them says it.
constexpr long double kBothMatter = 0.1L;

long double largest_term(const OpenedFlow& flow) {
  long double largest = 0;
  for (const Term& term : flow.figures.terms) largest = std::max(largest, std::abs(term.value));
  return largest;
}

long double value_of(const OpenedFlow& flow, const HeadedSum& sum) {
  long double value = 0;
  for (const uint32_t i : sum.terms) value += flow.figures.terms[i].value;
  return value;
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

/// Looks for the function below which all became more by one factor.
class LongerWorkSearch {
 public:
  LongerWorkSearch(const OpenedFlow& flow, const std::vector<bool>& taken, long double change)
      : flow_(flow), taken_(taken), graph_(flow.condensed.graph), change_(change) {}

  std::optional<HeadedSum> find() {
    if (change_ == 0 || largest_term(flow_) >= kMostByOne * std::abs(change_)) return std::nullopt;
    const std::optional<uint32_t> top = deepest_with_most();
    if (!top) return std::nullopt;
    mark_below(*top);
    if (!is_in_proportion()) return std::nullopt;
    HeadedSum sum{*top, {}};
    for (uint32_t i = 0; i < flow_.figures.terms.size(); ++i) {
      const Term& term = flow_.figures.terms[i];
      if (!taken_[i] && term.kind != TermKind::kEntry &&
          below_[term.kind == TermKind::kCalls ? graph_.edges[term.index].caller : term.index])
        sum.terms.push_back(i);
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

  void mark_below(uint32_t top) {
    below_.assign(graph_.nodes.size(), false);
    std::vector<uint32_t> open{top};
    below_[top] = true;
    while (!open.empty()) {
      const uint32_t node = open.back();
      open.pop_back();
      for (const FlowEdge& edge : graph_.edges_of(node)) {
        if (below_[edge.callee]) continue;
        below_[edge.callee] = true;
        open.push_back(edge.callee);
      }
    }
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
    if (work[0] <= 0 || work[1] <= 0 || std::abs(std::log(work[1]) - std::log(work[0]) - factor) > kSameFactor)
      return false;
    for (const Scaled& one : scaled) together += std::abs(one.factor - factor) <= kSameFactor ? one.weight : 0;
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
    if (terms.size() >= kFewestCallers && largest < kMostByOne * std::abs(sum))
      found.push_back({key.first, std::move(terms)});
  }
  join_replaced(flow, found);
  const long double least = kMatters * largest_term(flow);
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
  const long double least = kMatters * largest_term(flow);
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

namespace {

std::string replaced_callee_text(const SentenceSource& source, const HeadedSum& sum) {
  const FlowEdge* most = nullptr;
  int64_t calls = 0;
  for (const uint32_t i : sum.terms) {
    const FlowEdge& edge = source.condensed.graph.edges[source.figures.terms[i].index];
    if (edge.callee != sum.node) continue;
    calls += edge.calls[1];
    if (most == nullptr || edge.calls[1] > most->calls[1]) most = &edge;
  }
  return fmt::format("{} takes the place of {} in {} functions ({}), most often in {}", source.names[sum.node],
                     source.names[sum.instead_of], sum.terms.size() / 2, counted(calls, "call"),
                     source.names[most->caller]);
}

}  // namespace

std::string longer_work_text(const SentenceSource& source, const HeadedSum& sum) {
  const auto worth = [&](size_t side) { return source.figures.sides[side].worth[sum.node]; };
  const long double factor = worth(1) / worth(0);
  return fmt::format("{} does {} times the work: it and all below it cost {} in proportion", source.names[sum.node],
                     quantities(factor, factor).first, factor > 1 ? "more" : "less");
}

std::string shared_callee_text(const SentenceSource& source, const HeadedSum& sum) {
  const auto edge_of = [&](uint32_t i) -> const FlowEdge& {
    return source.condensed.graph.edges[source.figures.terms[i].index];
  };
  if (sum.instead_of != SentenceSource::kNoNode) return replaced_callee_text(source, sum);
  const bool gained = edge_of(sum.terms.front()).calls[0] < edge_of(sum.terms.front()).calls[1];
  int64_t calls = 0, others = 0;
  const FlowEdge* most = &edge_of(sum.terms.front());
  for (const uint32_t i : sum.terms) {
    const FlowEdge& edge = edge_of(i);
    calls += edge.calls[gained ? 1 : 0];
    others += edge.calls[gained ? 0 : 1];
    if (edge.calls[gained ? 1 : 0] > most->calls[gained ? 1 : 0]) most = &edge;
  }
  if (others > 0)
    return fmt::format("{} is called far {} often by {} functions ({} instead of {}), most often by {}",
                       source.names[sum.node], gained ? "more" : "less", sum.terms.size(),
                       counted(gained ? calls : others, "call"), with_thousands(gained ? others : calls),
                       source.names[most->caller]);
  return fmt::format("{} is {} by {} functions ({}), most often by {}", source.names[sum.node],
                     gained ? "now called" : "no longer called", sum.terms.size(), counted(calls, "call"),
                     source.names[most->caller]);
}

std::string grown_recursion_text(const SentenceSource& source, const HeadedSum& sum) {
  const auto& [base, head] = source.figures.sides;
  const bool more = head.own_cost[sum.node] > base.own_cost[sum.node];
  const auto [before, after] = quantities(base.own_cost[sum.node], head.own_cost[sum.node]);
  const auto calls = [](const SideFigures& side, uint32_t node) {
    return static_cast<int64_t>(std::llround(side.calls[node]));
  };
  return fmt::format("{} calls itself {} often and costs {} each time: {} instead of {}, self cost {} -> {} per call",
                     source.names[sum.node], more ? "more" : "less", more ? "more" : "less",
                     counted(calls(head, sum.node), "call"), with_thousands(calls(base, sum.node)), before, after);
}

std::string longer_loop_text(const SentenceSource& source, const HeadedSum& sum) {
  const BothSides& self = source.condensed.graph.nodes[sum.node].self;
  const long double factor = static_cast<long double>(self[1]) / static_cast<long double>(self[0]);
  return fmt::format("{} does the same {} times as often: self cost {} -> {}, and {} in proportion",
                     source.names[sum.node], quantities(factor, factor).first, with_thousands(self[0]),
                     with_thousands(self[1]), counted(static_cast<int64_t>(sum.terms.size()) - 1, "callee"));
}

}  // namespace icount
