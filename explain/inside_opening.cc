#include "icount/explain/inside_opening.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace icount {
namespace {

// What is found inside must come to what the function's terms do, but for what callers are told apart for.
constexpr long double kLeastRatio = 0.75L, kMostRatio = 1.3L;
// Branches are told where they do not cancel and a few of them make most of it up.
constexpr long double kCancelling = 2.5L, kMostOfIt = 0.8L;
constexpr size_t kFewBranches = 6;

}  // namespace

InsideOpening::InsideOpening(const JoinedGraph& joined, const OpenedFlow& flow, const CalleeNodes& of_callee,
                             uint32_t node)
    : flow_(flow), of_callee_(of_callee), node_(node) {
  const FlowGraph& graph = flow.condensed.graph;
  self_ = graph.nodes[node].self;
  for (const FlowEdge& edge : graph.edges_of(node))
    callees_.push_back({edge.callee,
                        edge.calls,
                        {flow.figures.sides[0].worth[edge.callee], flow.figures.sides[1].worth[edge.callee]}});
  price_as_told();
  function_ = flow.condensed.members[node].front();
  folded_ = joined.functions[function_].folded;
}

void InsideOpening::price_as_told() {
  const FlowGraph& graph = flow_.condensed.graph;
  const uint32_t first = graph.first_edge[node_];
  for (uint32_t e = first; e < graph.first_edge[node_ + 1]; ++e)
    if (const auto& prices = flow_.figures.joined_prices[e]; prices[0] > 0 && prices[1] > 0) {
      callees_[e - first].worth = prices;
      callees_[e - first].told_with_calls = true;
    }
  for (const Term& term : flow_.figures.terms) {
    if (term.kind != TermKind::kCalls || graph.edges[term.index].caller != node_) continue;
    const BothSides& calls = graph.edges[term.index].calls;
    if ((calls[0] > 0) == (calls[1] > 0) || flow_.figures.fixed_calls[term.index]) continue;
    const size_t side = calls[1] > 0 ? 1 : 0;
    const long double made = flow_.figures.common_calls[node_] * flow_.figures.sides[side].calls_per_call[term.index];
    const long double price = made > 0 ? term.value * (side == 1 ? 1 : -1) / made : 0;
    if (price > 0) callees_[term.index - first].worth = {price, price};
  }
}

void InsideOpening::open(const JoinedGraph& joined, const std::array<const ProfileCode*, 2>& code) {
  opened_ = open_function(joined.sides, code, folded_, of_callee_);
}

bool InsideOpening::solve(int64_t delta) {
  for (const bool in_total : ways()) {
    in_total_ = in_total;
    told_.clear();
    if (opened_.same_code) choose_branches();
    solve_with(told_);
    if (figures_.has_cycle) return false;
    const long double sum = sum_of_terms();
    const auto wanted = static_cast<long double>(delta);
    if (std::abs(sum - wanted) <= 2 || (sum != 0 && wanted / sum >= kLeastRatio && wanted / sum <= kMostRatio))
      return !blows_up(sum);
  }
  return false;
}

long double InsideOpening::sum_of_terms() const {
  return std::accumulate(figures_.node_terms.begin(), figures_.node_terms.end(), 0.0L) +
         std::accumulate(figures_.edge_terms.begin(), figures_.edge_terms.end(), 0.0L);
}

std::vector<bool> InsideOpening::ways() const {
  if (flow_.figures.fixed_self[node_]) return {true, false};
  return {false, true};
}

void InsideOpening::solve_with(const std::set<uint32_t>& told) {
  graph_ = make_inside_graph(opened_, of_callee_, self_, callees_, told);
  const auto& sides = flow_.figures.sides;
  if (in_total_)
    figures_ = solve_inside(graph_, callees_, {1, 1}, 1);
  else
    figures_ = solve_inside(graph_, callees_, {sides[0].calls[node_], sides[1].calls[node_]},
                            flow_.figures.common_calls[node_]);
}

bool InsideOpening::has_one_way_in(uint32_t region) const {
  for (size_t side = 0; side < 2; ++side)
    for (const uint32_t loop : opened_.regions[region].loops[side])
      if (opened_.shapes[side].loops[loop].irreducible) return false;
  return true;
}

void InsideOpening::choose_branches() {
  std::set<uint32_t> all;
  for (uint32_t r = 0; r < opened_.regions.size(); ++r)
    if (has_one_way_in(r)) all.insert(r);
  solve_with(all);
  if (figures_.has_cycle) return;
  std::map<uint32_t, std::map<uint32_t, long double>> by_region;  // by node
  for (uint32_t n = 0; n < graph_.nodes.size(); ++n)
    if (graph_.nodes[n].kind == InsideKind::kBlock)
      by_region[region_of_block(graph_.nodes[n].number)][n] += figures_.node_terms[n];
  for (uint32_t e = 0; e < graph_.edges.size(); ++e) {
    const InsideNode& from = graph_.nodes[graph_.edges[e].from];
    if (from.kind == InsideKind::kBlock)
      by_region[region_of_block(from.number)][graph_.edges[e].from] += figures_.edge_terms[e];
    else if (graph_.edges[e].is_share)
      by_region[region_around(from)][graph_.edges[e].from] += figures_.edge_terms[e];
  }
  for (const auto& [region, parts] : by_region)
    if (all.contains(region) && is_simple(parts)) told_.insert(region);
}

uint32_t InsideOpening::on_both(const std::array<uint32_t, 2>& regions) {
  return regions[0] == regions[1] ? regions[0] : 0;
}

uint32_t InsideOpening::region_of_block(uint32_t block) const {
  return on_both({opened_.region_of(0, block), opened_.region_of(1, block)});
}

uint32_t InsideOpening::region_around(const InsideNode& from) const {
  if (from.kind == InsideKind::kEntry) return on_both(opened_.regions[from.number].parent);
  return from.kind == InsideKind::kBody ? 0 : from.number;
}

bool InsideOpening::is_simple(const std::map<uint32_t, long double>& parts) {
  long double net = 0, gross = 0, few = 0;
  std::vector<long double> sizes;
  for (const auto& [node, value] : parts) {
    net += value;
    gross += std::abs(value);
    sizes.push_back(std::abs(value));
  }
  std::sort(sizes.rbegin(), sizes.rend());
  for (size_t i = 0; i < sizes.size() && i < kFewBranches; ++i) few += sizes[i];
  return gross > 0 && gross <= kCancelling * std::abs(net) && few >= kMostOfIt * gross;
}

bool InsideOpening::blows_up(long double sum) const {
  if (std::none_of(callees_.begin(), callees_.end(), [this](const InsideCallee& one) { return one.node == node_; }))
    return false;
  long double gross = 0;
  for (const long double value : figures_.node_terms) gross += std::abs(value);
  for (const long double value : figures_.edge_terms) gross += std::abs(value);
  return gross > kCancelling * std::abs(sum);
}

}  // namespace icount
