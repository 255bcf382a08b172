#include "icount/explain/function_opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "icount/explain/cause_text.h"
#include "icount/explain/inside_causes.h"
#include "icount/explain/inside_graph.h"
#include "icount/explain/inside_listing.h"
#include "icount/explain/opened_function.h"
#include "icount/explain/rounding.h"

namespace icount {
namespace {

// A function is opened when one of its causes is at least this part of the largest; so many at most.
constexpr int64_t kLeadingPart = 100;
constexpr size_t kMostOpened = 16;
// What is found inside must come to what the function's terms do, but for what callers are told apart for.
constexpr long double kLeastRatio = 0.75L, kMostRatio = 1.3L;
// Branches are told where they do not cancel and a few of them make most of it up.
constexpr long double kCancelling = 2.5L, kMostOfIt = 0.8L;
constexpr size_t kFewBranches = 6;

using FoldedIds = std::array<uint32_t, 2>;

bool has_code(const JoinedGraph& joined, const std::array<const ProfileCode*, 2>& code, const FoldedIds& folded) {
  for (size_t side = 0; side < 2; ++side) {
    if (folded[side] == kNoFunction) return false;
    const auto& functions = code[side]->functions;
    if (std::none_of(functions.begin(), functions.end(), [&](const FunctionCode& one) {
          return joined.sides[side]->folded_of[one.function] == folded[side];
        }))
      return false;
  }
  return true;
}

/// One function being opened in a flow.
class Opening {
 public:
  Opening(const JoinedGraph& joined, const OpenedFlow& flow, const CalleeNodes& of_callee, uint32_t node)
      : flow_(flow), of_callee_(of_callee), node_(node) {
    const FlowGraph& graph = flow.condensed.graph;
    self_ = graph.nodes[node].self;
    for (const FlowEdge& edge : graph.edges_of(node))
      callees_.push_back({edge.callee,
                          edge.calls,
                          {flow.figures.sides[0].worth[edge.callee], flow.figures.sides[1].worth[edge.callee]}});
    function_ = flow.condensed.members[node].front();
    folded_ = joined.functions[function_].folded;
  }

  uint32_t function() const { return function_; }
  const FoldedIds& folded() const { return folded_; }
  const OpenedFunction& opened() const { return opened_; }
  void open(const JoinedGraph& joined, const std::array<const ProfileCode*, 2>& code) {
    opened_ = open_function(joined.sides, code, folded_, of_callee_);
  }

  /// Chooses what is told by branches and solves, so that terms come to about `delta`; false when they do not.
  bool solve(int64_t delta) {
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

  long double sum_of_terms() const {
    return std::accumulate(figures_.node_terms.begin(), figures_.node_terms.end(), 0.0L) +
           std::accumulate(figures_.edge_terms.begin(), figures_.edge_terms.end(), 0.0L);
  }

  const InsideGraph& graph() const { return graph_; }
  const InsideFigures& figures() const { return figures_; }
  bool in_total() const { return in_total_; }

 private:
  /// Per call, and where something does not scale with the calls in total.
  std::vector<bool> ways() const {
    if (flow_.figures.fixed_self[node_]) return {true, false};
    return {false, true};
  }

  void solve_with(const std::set<uint32_t>& told) {
    graph_ = make_inside_graph(opened_, of_callee_, self_, callees_, told);
    const auto& sides = flow_.figures.sides;
    if (in_total_)
      figures_ = solve_inside(graph_, callees_, {1, 1}, 1);
    else
      figures_ = solve_inside(graph_, callees_, {sides[0].calls[node_], sides[1].calls[node_]},
                              flow_.figures.common_calls[node_]);
  }

  bool has_one_way_in(uint32_t region) const {
    for (size_t side = 0; side < 2; ++side)
      for (const uint32_t loop : opened_.regions[region].loops[side])
        if (opened_.shapes[side].loops[loop].irreducible) return false;
    return true;
  }

  void choose_branches() {
    std::set<uint32_t> all;
    for (uint32_t r = 0; r < opened_.regions.size(); ++r)
      if (has_one_way_in(r)) all.insert(r);
    solve_with(all);
    if (figures_.has_cycle) return;
    std::map<uint32_t, std::map<uint32_t, long double>> by_region;  // by node
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n)
      if (graph_.nodes[n].kind == InsideKind::kBlock)
        by_region[opened_.region_of(0, graph_.nodes[n].number)][n] += figures_.node_terms[n];
    for (uint32_t e = 0; e < graph_.edges.size(); ++e) {
      const InsideNode& from = graph_.nodes[graph_.edges[e].from];
      if (from.kind == InsideKind::kBlock)
        by_region[opened_.region_of(0, from.number)][graph_.edges[e].from] += figures_.edge_terms[e];
      else if (graph_.edges[e].is_share)
        by_region[region_around(from)][graph_.edges[e].from] += figures_.edge_terms[e];
    }
    for (const auto& [region, parts] : by_region)
      if (all.contains(region) && is_simple(parts)) told_.insert(region);
  }

  uint32_t region_around(const InsideNode& from) const {
    if (from.kind == InsideKind::kEntry) return opened_.regions[from.number].parent[1];
    return from.kind == InsideKind::kBody ? 0 : from.number;
  }

  static bool is_simple(const std::map<uint32_t, long double>& parts) {
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

  /// A recursive function whose inside cancels is better told as one.
  bool blows_up(long double sum) const {
    if (std::none_of(callees_.begin(), callees_.end(), [this](const InsideCallee& one) { return one.node == node_; }))
      return false;
    long double gross = 0;
    for (const long double value : figures_.node_terms) gross += std::abs(value);
    for (const long double value : figures_.edge_terms) gross += std::abs(value);
    return gross > kCancelling * std::abs(sum);
  }

  const OpenedFlow& flow_;
  const CalleeNodes& of_callee_;
  uint32_t node_, function_ = 0;
  FoldedIds folded_{};
  BothSides self_{};
  std::vector<InsideCallee> callees_;
  OpenedFunction opened_;
  std::set<uint32_t> told_;
  InsideGraph graph_;
  InsideFigures figures_;
  bool in_total_ = false;
};

/// By side and folded function: its node of the condensed graph.
CalleeNodes nodes_of_callees(const JoinedGraph& joined, const OpenedFlow& flow) {
  CalleeNodes nodes;
  for (size_t side = 0; side < 2; ++side)
    for (const uint32_t node : joined.node_of[side]) nodes[side].push_back(flow.condensed.node_of[node]);
  return nodes;
}

/// Nodes whose causes lead, the largest first, with what their causes come to.
std::vector<std::pair<uint32_t, int64_t>> leading_nodes(const std::vector<GroupedCause>& causes) {
  std::map<uint32_t, std::pair<int64_t, int64_t>> of_node;  // largest and sum
  std::set<uint32_t> barred;
  int64_t largest = 0;
  for (const GroupedCause& grouped : causes) {
    const int64_t size = std::abs(grouped.cause.delta);
    largest = std::max(largest, size);
    if (grouped.node == GroupedCause::kNoNode) continue;
    if (grouped.cause.kind == CauseKind::kRenamed || grouped.cause.kind == CauseKind::kCluster ||
        !grouped.group.empty())
      barred.insert(grouped.node);
    auto& [most, sum] = of_node[grouped.node];
    most = std::max(most, size);
    sum += grouped.cause.delta;
  }
  std::vector<std::pair<int64_t, uint32_t>> order;
  for (const auto& [node, figures] : of_node)
    if (!barred.contains(node) && figures.first > 0 && figures.first >= largest / kLeadingPart)
      order.emplace_back(-figures.first, node);
  std::sort(order.begin(), order.end());
  if (order.size() > kMostOpened) order.resize(kMostOpened);
  std::vector<std::pair<uint32_t, int64_t>> nodes;
  for (const auto& [size, node] : order) nodes.emplace_back(node, of_node[node].second);
  return nodes;
}

/// Only own cost and calls of the body: no more than was said before.
bool says_no_more(const std::vector<InsideCause>& causes) {
  return std::all_of(causes.begin(), causes.end(),
                     [](const InsideCause& one) { return !one.cause.loop && one.cause.kind != CauseKind::kBranch; });
}

/// The causes, rounded so that they come to `delta`; those of nothing are left out.
std::vector<Cause> round_causes(std::vector<InsideCause> inside, long double sum, int64_t delta) {
  const long double scale = sum == 0 ? 1 : static_cast<long double>(delta) / sum;
  std::vector<long double> values;
  for (const InsideCause& one : inside) values.push_back(one.value * scale);
  std::vector<uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return std::abs(values[a]) > std::abs(values[b]); });
  RoundedTerms rounded = round_to_total(values, delta, order);
  if (!order.empty()) rounded.whole[order.front()] += rounded.rest;
  std::vector<Cause> causes;
  for (size_t i = 0; i < inside.size(); ++i) {
    if (rounded.whole[i] == 0) continue;
    causes.push_back(std::move(inside[i].cause));
    causes.back().delta = rounded.whole[i];
  }
  return causes;
}

void exchange(std::vector<GroupedCause>& causes, uint32_t node, std::vector<Cause> inside) {
  std::array<std::string_view, 2> objects;
  for (const GroupedCause& grouped : causes)
    if (grouped.node == node) objects = grouped.objects;
  std::erase_if(causes, [&](const GroupedCause& grouped) { return grouped.node == node; });
  for (Cause& cause : inside) causes.push_back({std::move(cause), {}, objects});
}

}  // namespace

void FunctionOpener::open(const OpenedFlow& flow, std::vector<GroupedCause>& causes) {
  const CalleeNodes of_callee = nodes_of_callees(joined_, flow);
  std::optional<SentenceSource> source;
  const auto names = [&]() -> const SentenceSource& {
    return source ? *source : source.emplace(make_sentence_source(joined_, flow));
  };
  std::vector<std::string> fields;
  const auto field_names = [&]() -> const std::vector<std::string>& {
    for (uint32_t n = static_cast<uint32_t>(fields.size()); n < flow.condensed.graph.nodes.size(); ++n)
      fields.push_back(node_label(names(), n));
    return fields;
  };
  for (const auto& [node, delta] : leading_nodes(causes)) {
    if (flow.condensed.members[node].size() != 1) continue;
    Opening opening(joined_, flow, of_callee, node);
    if (!has_code(joined_, code_, opening.folded())) continue;
    opening.open(joined_, code_);
    if (!opening.opened().closed.empty()) {
      notes.push_back(fmt::format("{} was not looked into: {}", names().names[node], opening.opened().closed));
      continue;
    }
    if (!opening.solve(delta)) continue;
    const JoinedFunction& function = joined_.functions[opening.function()];
    const InsideSource inside{.opened = opening.opened(),
                              .graph = opening.graph(),
                              .figures = opening.figures(),
                              .function = names().names[node],
                              .function_field = field_names()[node],
                              .callees = names().names,
                              .callee_fields = field_names(),
                              .loops = loop_names(opening.opened()),
                              .file = std::string(function.file),
                              .in_total = opening.in_total()};
    std::vector<InsideCause> found = make_inside_causes(inside);
    if (found.empty() || says_no_more(found)) continue;
    exchange(causes, node, round_causes(std::move(found), opening.sum_of_terms(), delta));
    if (list_opened_ && std::find(list_.begin(), list_.end(), opening.function()) == list_.end())
      list_.push_back(opening.function());
  }
}

void FunctionOpener::list(const OpenedFlow& flow) {
  if (list_.empty()) return;
  const CalleeNodes of_callee = nodes_of_callees(joined_, flow);
  const SentenceSource source = make_sentence_source(joined_, flow);
  const std::vector<BothSides> calls = calls_of(joined_.flow);
  for (const uint32_t function : list_) {
    const FoldedIds& folded = joined_.functions[function].folded;
    const std::string name(joined_.functions[function].name);
    if (!has_code(joined_, code_, folded)) {
      listings.push_back({.function = name, .closed = "not both profiles recorded addresses and jumps inside it"});
      continue;
    }
    const OpenedFunction opened = open_function(joined_.sides, code_, folded, of_callee);
    listings.push_back(
        make_listing(opened, name, calls[function], joined_.flow.nodes[function].self, of_callee, source.names));
  }
}

}  // namespace icount
