#include "icount/explain/solved_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "icount/explain/call_detours.h"
#include "icount/explain/recorded_calls.h"
#include "icount/explain/scaling.h"

namespace icount {
namespace {

// A recorded cost is used where the average misses it by this part of all that is told.
constexpr long double kWorthPricing = 0.001L;

// Calls per call that differ by no more than this part are as before.
constexpr long double kSameRate = 0.01L, kFiction = 3;

// Calls that cost the same to this part have not changed; those beyond the other part have.
constexpr long double kSamePrice = 0.001L, kOtherPrice = 0.01L;
// Shares of a split function that differ by no more than this part are one.
constexpr long double kSameShare = 0.02L;
// What a call costs changed against the number of calls by so much of it, and by no more.
constexpr long double kMixed = 0.05L, kMostMixed = 0.75L;

/// Sum of magnitudes of all terms. Calls that are made as often as before and have a term all the same, because their
/// caller's price changed, count more: the proportional split made them up.
long double gross_of(const FlowGraph& graph, const FlowTable& table, const FlowTerms& terms,
                     const std::vector<bool>& split, const Decomposition& figures) {
  long double gross = 0;
  for (const long double value : own_terms(graph, table, terms, split, figures)) gross += std::abs(value);
  for (uint32_t e = 0; e < terms.calls.size(); ++e) {
    const long double base = figures.sides[0].calls_per_call[e], head = figures.sides[1].calls_per_call[e];
    const bool as_before = std::abs(head - base) <= kSameRate * std::max(base, head);
    gross += std::abs(terms.calls[e]) * (as_before ? kFiction : 1);
  }
  for (const long double value : terms.entry) gross += std::abs(value);
  return gross;
}

/// Changes of what a call costs that are no news below it.
///
/// A function is split in proportion; where one caller's calls changed what they cost and another's did not, the split
/// makes terms for the other that cancel: as a whole they come to next to nothing. And where an edge has more calls
/// that are cheaper each, or fewer that are dearer, others than before are made: it is one change, of the edge.
TellingPlaces places_to_tell(const FlowGraph& graph, const FlowTable& table, const FlowSolution& solution,
                             const FlowTerms& terms) {
  TellingPlaces told(table.node_of.size(), Told::kBelow);
  const auto change = [&](uint32_t i) { return solution.worth[1][i] - solution.worth[0][i]; };
  const auto costs_the_same = [&](uint32_t i, long double part) {
    const FlowEdge& edge = graph.edges[table.caller_edge[i]];
    if (edge.calls[0] <= 0 || edge.calls[1] <= 0) return false;
    const auto price = [&](size_t side) {
      return static_cast<long double>(edge.inclusive[side]) / static_cast<long double>(edge.calls[side]);
    };
    return std::abs(price(1) - price(0)) <= part * std::max(price(0), price(1));
  };
  std::vector<bool> differs(graph.nodes.size(), false);
  for (uint32_t i = 0; i < told.size(); ++i)
    if (table.is_split[i] && !costs_the_same(i, kOtherPrice)) differs[table.node_of[i]] = true;
  for (uint32_t i = 0; i < told.size(); ++i) {
    const uint32_t by = table.caller_edge[i];
    if (by == FlowTable::kAllCallers) continue;
    // A caller with the same share on both sides has no terms that the split made up.
    const auto [less, more] = std::minmax(table.prices[0][i], table.prices[1][i]);
    const bool is_shared_alike = more - less <= kSameShare * more;
    if (table.is_split[i] && !is_shared_alike && differs[table.node_of[i]] && costs_the_same(i, kSamePrice))
      told[i] = Told::kWithCalls;
    const long double calls = terms.calls[by], price = solution.common_calls[i] * change(i);
    const BothSides& counts = graph.edges[by].calls;
    if (counts[0] > 0 && counts[1] > 0 && calls * price < 0 && std::abs(price) >= kMixed * std::abs(calls) &&
        std::abs(price) <= kMostMixed * std::abs(calls))
      told[i] = Told::kWithCalls;
  }
  return told;
}

/// Terms and their gross, of a table with its solution.
void find_terms(const FlowGraph& graph, const FlowSolver& solver, const Decomposition& figures, Solved& solved) {
  const TellingPlaces below(solved.table.node_of.size(), Told::kBelow);
  solved.terms = terms_of(solved.table, solver, solved.solution, graph, below);
  solved.told = places_to_tell(graph, solved.table, solved.solution, solved.terms);
  if (solved.told != below) solved.terms = terms_of(solved.table, solver, solved.solution, graph, solved.told);
  solved.gross = gross_of(graph, solved.table, solved.terms, solved.split, figures);
}

}  // namespace

std::vector<long double> own_terms(const FlowGraph& graph, const FlowTable& table, const FlowTerms& terms,
                                   const std::vector<bool>& split, const Decomposition& figures) {
  std::vector<long double> own(graph.nodes.size(), 0);
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    if (figures.fixed_self[i] && figures.further_self[i] == 0 && !split[i]) own[i] = difference(graph.nodes[i].self);
  for (uint32_t i = 0; i < terms.own.size(); ++i) own[table.node_of[i]] += terms.own[i];
  return own;
}

Solved solve_table(const FlowGraph& graph, FlowTable table, const std::vector<bool>& split,
                   const Decomposition& figures, ClusterFactors& factors) {
  Solved solved;
  solved.split = split;
  solved.table = std::move(table);
  const FlowSolver solver(solved.table.shape, solved.table.components, factors);
  solved.solution = solve(solved.table, solver);
  solved.table.detours = find_detours(graph, solved.table, solved.solution);
  if (!solved.table.detours.empty()) solve_common_calls(solved.table, solver, solved.solution);
  find_terms(graph, solver, figures, solved);
  return solved;
}

void price_as_recorded(const FlowGraph& graph, const Decomposition& figures, ClusterFactors& factors, Solved& solved) {
  const FlowSolver solver(solved.table.shape, solved.table.components, factors);
  if (!price_recorded_calls(graph, solver, solved.solution, kWorthPricing * solved.gross, solved.table)) return;
  solved.solution = solve(solved.table, solver);
  find_terms(graph, solver, figures, solved);
}

}  // namespace icount
