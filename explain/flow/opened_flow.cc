#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace icount {
namespace {

// A cluster is opened when one of this many first terms has to do with it ...
constexpr size_t kLeadingTerms = 8;

// Solving a cluster takes up to the third power of its functions: larger ones stay one node, whose terms are as exact.
constexpr size_t kLargestOpened = 2000;

/// Components of the full graph that a node or edge of the condensed graph stands for, when they have several members.
void note_cluster(const CondensedFlow& condensed, const Components& components, uint32_t node,
                  std::vector<uint32_t>& found) {
  if (condensed.members[node].size() > 1 || condensed.is_door(node))
    found.push_back(components.of[condensed.members[node].front()]);
}

/// Calls that enter a cluster tell all that there is to tell of them; what opens it is another change of its inside.
std::vector<uint32_t> leading_clusters(const CondensedFlow& condensed, const Decomposition& figures,
                                       const Components& components) {
  std::vector<uint32_t> found;
  std::vector<Term> terms = figures.terms;
  const size_t leading = std::min(kLeadingTerms, terms.size());
  std::partial_sort(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(leading), terms.end(),
                    [](const Term& a, const Term& b) { return std::abs(a.value) > std::abs(b.value); });
  for (size_t i = 0; i < leading; ++i) {
    if (std::abs(terms[i].value) < kSame * std::abs(terms[0].value)) break;
    note_cluster(condensed, components, node_of(condensed.graph, terms[i]), found);
  }
  return found;
}

/// Signed sum and sum of magnitudes of an opened cluster's own terms, its calls' terms by their direction, and the
/// terms of the calls that enter it.
struct Inside {
  long double net = 0, gross = 0, more_calls = 0, fewer_calls = 0, entering = 0;

  bool cancels() const {
    return gross > kCancelling * std::abs(net) ||
           std::min(more_calls, fewer_calls) > kSomePart * std::max(more_calls, fewer_calls) || is_made_up_for();
  }

  /// It is entered more often and goes less deep each time, or the other way round: the work that it does is the same.
  bool is_made_up_for() const {
    return net * entering < 0 &&
           std::min(std::abs(net), std::abs(entering)) > (1 - kSomePart) * std::max(std::abs(net), std::abs(entering));
  }
};

/// Opened clusters that are better condensed again.
std::vector<uint32_t> cancelling_clusters(const OpenedFlow& flow, const Components& components,
                                          const std::vector<bool>& opened) {
  const auto cluster_of = [&](uint32_t node) { return components.of[flow.condensed.members[node].front()]; };
  std::map<uint32_t, Inside> insides;
  for (const Term& term : flow.figures.terms) {
    const bool call = term.kind == TermKind::kCalls;
    const uint32_t cluster = cluster_of(call ? flow.condensed.graph.edges[term.index].callee : term.index);
    if (!opened[cluster]) continue;
    if (call && cluster_of(flow.condensed.graph.edges[term.index].caller) != cluster) {
      insides[cluster].entering += term.value;
      continue;
    }
    insides[cluster].net += term.value;
    insides[cluster].gross += std::abs(term.value);
    if (call) (term.value > 0 ? insides[cluster].more_calls : insides[cluster].fewer_calls) += std::abs(term.value);
  }
  std::vector<uint32_t> found;
  for (const auto& [cluster, inside] : insides)
    if (inside.cancels()) found.push_back(cluster);
  return found;
}

OpenedFlow decompose_opened(const FlowGraph& graph, const Components& components, const std::vector<bool>& opened,
                            ClusterFactors& factors) {
  OpenedFlow flow;
  flow.condensed = condense(graph, components, opened);
  join_call_moves(flow.condensed.graph);
  flow.figures = decompose_on_average(flow.condensed.graph, factors);
  return flow;
}

}  // namespace

size_t largest_cluster_of(const FlowGraph& graph, std::span<const uint32_t> nodes) {
  const Components components = flow_components(graph);
  size_t largest = 1;
  for (const uint32_t node : nodes) largest = std::max<size_t>(largest, components.sizes[components.of[node]]);
  return largest;
}

size_t largest_opened_cluster() { return kLargestOpened; }

OpenedFlow decompose_with_leading_clusters_open(const FlowGraph& graph, std::span<const uint32_t> to_open) {
  const Components components = flow_components(graph);
  std::vector<bool> opened(components.count(), false);
  for (uint32_t node : to_open) opened[components.of[node]] = true;
  ClusterFactors factors;
  OpenedFlow flow = decompose_opened(graph, components, opened, factors);
  const auto by_callers = [&] { return decompose_by_callers(flow.condensed.graph, flow.figures, factors); };
  Decomposition figures = by_callers();
  const std::vector<bool> asked = opened;
  for (uint32_t cluster : leading_clusters(flow.condensed, figures, components))
    if (components.sizes[cluster] <= kLargestOpened) opened[cluster] = true;
  if (opened != asked) {
    flow = decompose_opened(graph, components, opened, factors);
    const std::vector<bool> all = opened;
    for (uint32_t cluster : cancelling_clusters(flow, components, opened)) opened[cluster] = asked[cluster];
    if (opened != all) flow = decompose_opened(graph, components, opened, factors);
    figures = by_callers();
  }
  flow.figures = std::move(figures);
  return flow;
}

std::vector<long double> member_terms(const FlowGraph& graph, const OpenedFlow& flow, const Term& term) {
  const uint32_t node = term.index;
  const auto& [base, head] = flow.figures.sides;
  const bool fixed = flow.figures.fixed_self[node];
  const bool in_parts = fixed && flow.figures.further_self[node] != 0;
  const FlowNode& whole = flow.condensed.graph.nodes[node];
  std::vector<long double> terms;
  for (uint32_t member : flow.condensed.members[node]) {
    const auto self = [&](size_t side) { return static_cast<long double>(graph.nodes[member].self[side]); };
    if (in_parts) {
      terms.push_back(term.value * (self(0) + self(1)) /
                      (static_cast<long double>(whole.self[0]) + static_cast<long double>(whole.self[1])));
    } else if (fixed) {
      terms.push_back(self(1) - self(0));
    } else {
      const auto& calls = flow.figures.own_cost_calls;
      terms.push_back(self(1) / head.calls[node] * calls[1][node] - self(0) / base.calls[node] * calls[0][node]);
    }
  }
  return terms;
}

namespace {

// A term this little above a whole number is one: it was computed from whole numbers with a relative error near 1e-19.
constexpr long double kWhole = 1e-7L;
// Remainders are equal where they are as multiples of its inverse: what is computed from the other side's end differs
// in the last bits.
constexpr long double kSteps = 1 << 20;
constexpr long double kLargest = 4.6e18L;
constexpr int64_t kResidue = 16;

/// Largest remainder for a total that is not negative, or zero with the first term positive.
RoundedTerms round_upright(std::span<const long double> terms, int64_t total, std::span<const uint32_t> order) {
  RoundedTerms result;
  std::vector<int64_t>& whole = result.whole;
  whole.resize(terms.size());
  std::vector<long double> remainder(terms.size());
  __int128 missing = total;
  for (size_t i = 0; i < terms.size(); ++i) {
    const long double term = std::isnan(terms[i]) ? 0 : std::clamp(terms[i], -kLargest, kLargest);
    const long double down = std::floor(term);
    whole[i] = static_cast<int64_t>(down);
    remainder[i] = term - down;
    missing -= whole[i];
  }
  std::vector<uint32_t> by_remainder(order.begin(), order.end());
  const auto steps = [&](uint32_t i) { return std::llround(remainder[i] * kSteps); };
  std::stable_sort(by_remainder.begin(), by_remainder.end(),
                   [&](uint32_t a, uint32_t b) { return steps(a) > steps(b); });
  for (uint32_t i : by_remainder) {
    if (missing <= 0) break;
    if (remainder[i] < kWhole) break;
    ++whole[i];
    --missing;
  }
  // Residue of the arithmetic is a unit or two; it goes where it shows least. More than that is no residue.
  const bool residue = !order.empty() && missing >= -kResidue && missing <= kResidue;
  if (residue) {
    whole[order.front()] += static_cast<int64_t>(missing);
  } else {
    result.rest = static_cast<int64_t>(missing);
  }
  return result;
}

}  // namespace

std::vector<uint32_t> by_magnitude(std::span<const long double> values) {
  std::vector<uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto magnitude = [&](uint32_t i) { return static_cast<double>(std::abs(values[i])); };
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return magnitude(a) > magnitude(b); });
  return order;
}

RoundedTerms round_to_total(std::span<const long double> terms, int64_t total, std::span<const uint32_t> order) {
  bool negate = total < 0;
  if (total == 0) {
    const auto first = std::find_if(order.begin(), order.end(), [&](uint32_t i) { return terms[i] != 0; });
    negate = first != order.end() && terms[*first] < 0;
  }
  if (!negate) return round_upright(terms, total, order);
  std::vector<long double> negated(terms.begin(), terms.end());
  for (long double& term : negated) term = -term;
  RoundedTerms result = round_upright(negated, -total, order);
  for (int64_t& value : result.whole) value = -value;
  result.rest = -result.rest;
  return result;
}

namespace {

constexpr uint32_t kNoMember = std::numeric_limits<uint32_t>::max();

struct Piece {
  uint32_t term = 0, member = 0;
};

}  // namespace

bool is_of_cluster(const OpenedFlow& flow, const Term& term) {
  return term.kind == TermKind::kOwnCost && flow.condensed.members[term.index].size() > 1;
}

WholeTerms make_whole_terms(const JoinedGraph& joined, const OpenedFlow& flow, int64_t delta) {
  std::vector<Piece> pieces;
  std::vector<long double> values;
  for (uint32_t i = 0; i < flow.figures.terms.size(); ++i) {
    const Term& term = flow.figures.terms[i];
    if (!is_of_cluster(flow, term)) {
      pieces.push_back({i, kNoMember});
      values.push_back(term.value);
      continue;
    }
    const auto shares = member_terms(joined.flow, flow, term);
    for (size_t m = 0; m < shares.size(); ++m) {
      pieces.push_back({i, flow.condensed.members[term.index][m]});
      values.push_back(shares[m]);
    }
  }
  const RoundedTerms rounded = round_to_total(values, delta, by_magnitude(values));
  WholeTerms result;
  result.rest = rounded.rest;
  result.whole.assign(flow.figures.terms.size(), 0);
  for (size_t i = 0; i < pieces.size(); ++i) {
    result.whole[pieces[i].term] += rounded.whole[i];
    if (pieces[i].member != kNoMember && rounded.whole[i] != 0)
      result.inside[pieces[i].term].emplace_back(pieces[i].member, rounded.whole[i]);
  }
  return result;
}

}  // namespace icount
