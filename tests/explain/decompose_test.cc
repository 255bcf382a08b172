// The terms of a change, and what does not scale with the calls.
#include "icount/explain/flow/decompose.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace icount {
namespace {

constexpr uint32_t kMain = 0, kFirst = 1, kSecond = 2, kShared = 3;  // nodes of the graphs below

/// "own 1 80;" of a term of node 1.
std::string told(const Decomposition& figures) {
  std::string all;
  for (const Term& term : figures.terms) {
    const std::string kind = term.kind == TermKind::kOwnCost ? "own"
                             : term.kind == TermKind::kCalls ? "calls"
                                                             : "entry";
    const long double whole = std::round(term.value);
    EXPECT_NEAR(static_cast<double>(term.value), static_cast<double>(whole), 1e-9);
    if (whole != 0) all += fmt::format("{} {} {};", kind, term.index, static_cast<int64_t>(whole));
  }
  return all;
}

Decomposition on_average(const FlowGraph& graph) {
  ClusterFactors factors;
  return decompose_on_average(graph, factors);
}

/// main calls 1, which costs so much in all.
FlowGraph plain(const BothSides& calls, const BothSides& self, const BothSides& entries = {1, 1}) {
  FlowGraph graph;
  graph.nodes.resize(2);
  graph.nodes[kMain].entries = entries;
  graph.nodes[kFirst].self = self;
  graph.edges = {{kMain, kFirst, calls, self}};
  index_edges(graph);
  return graph;
}

TEST(DecomposeTest, WhatItKeepsBesideTheTerms) {
  const Decomposition figures = on_average(plain({10, 20}, {60, 280}));
  EXPECT_EQ(figures.common_calls, (std::vector<long double>{1, 10}));
  for (const size_t side : {0, 1}) EXPECT_EQ(figures.own_cost_calls[side], (std::vector<long double>{1, 10}));
  EXPECT_EQ(figures.sides[0].worth, (std::vector<long double>{60, 6}));
  EXPECT_EQ(figures.sides[1].worth, (std::vector<long double>{280, 14}));
  EXPECT_TRUE(figures.caller_shares.empty());
  ASSERT_EQ(figures.joined_prices.size(), 1u);
  EXPECT_EQ(figures.joined_prices[0], (std::array<long double, 2>{0, 0}));
  ASSERT_EQ(figures.other_calls.size(), 2u);
  EXPECT_FALSE(figures.other_calls[kFirst].are_told);
  EXPECT_EQ(figures.other_calls[kFirst].calls, (std::array<long double, 2>{10, 20}));
  EXPECT_EQ(figures.other_calls[kFirst].own_cost, (std::array<long double, 2>{6, 14}));
}

/// main calls first and second, each once, which call the shared one so often at so much in all.
FlowGraph priced(const BothSides& calls_of_first, const BothSides& first, const BothSides& calls_of_second,
                 const BothSides& second) {
  FlowGraph graph;
  graph.nodes.resize(4);
  graph.nodes[kMain].entries = {1, 1};
  for (const size_t side : {0, 1}) graph.nodes[kShared].self[side] = first[side] + second[side];
  graph.edges = {{kMain, kFirst, {1, 1}, first},
                 {kMain, kSecond, {1, 1}, second},
                 {kFirst, kShared, calls_of_first, first},
                 {kSecond, kShared, calls_of_second, second}};
  index_edges(graph);
  return graph;
}

Decomposition by_callers(const FlowGraph& graph) {
  ClusterFactors factors;
  return decompose_by_callers(graph, decompose_on_average(graph, factors), factors);
}

TEST(DecomposeTest, ByCallersTheShareOfEachIsKept) {
  const FlowGraph graph = priced({100, 100}, {1000, 1500}, {10, 10}, {1000, 1000});
  const Decomposition figures = by_callers(graph);
  EXPECT_EQ(told(figures), "own 3 500;");
  ASSERT_EQ(figures.caller_shares.size(), 1u) << "the other's has not changed";
  const CallerShare& share = figures.caller_shares[0];
  EXPECT_EQ(share.edge, 2u);
  EXPECT_NEAR(static_cast<double>(share.common_calls), 100, 1e-9);
  EXPECT_NEAR(static_cast<double>(share.own_cost[0]), 10, 1e-9);
  EXPECT_NEAR(static_cast<double>(share.own_cost[1]), 15, 1e-9);
  EXPECT_NEAR(static_cast<double>(share.value), 500, 1e-9);
  EXPECT_NEAR(static_cast<double>(figures.common_calls[kShared]), 110, 1e-9);
  const auto own = [&](size_t side) {
    return static_cast<double>(figures.sides[side].own_cost[kShared] * figures.own_cost_calls[side][kShared]);
  };
  EXPECT_NEAR(own(1) - own(0), 500, 1e-9);
}

/// Function 0 calls 1, which costs `self` and calls 2.
struct Figures {
  FlowGraph graph;
  Decomposition result;
};

Figures figures_of(BothSides calls, BothSides self, BothSides calls_of_2) {
  Figures made;
  made.graph.nodes.resize(3);
  made.graph.nodes[0].entries = {1, 1};
  made.graph.nodes[1].self = self;
  made.graph.edges = {{0, 1, calls, {}}, {1, 2, calls_of_2, {}}};
  index_edges(made.graph);
  for (size_t side = 0; side < 2; ++side)
    made.result.sides[side] = per_call_figures(made.graph, calls_of(made.graph), side);
  find_fixed(made.graph, made.result);
  return made;
}

TEST(ScalingTest, ASideThatDoesNotCallAFunctionTakesTheOthersFigures) {
  for (const size_t missing : {size_t{0}, size_t{1}}) {
    const auto both = [&](int64_t value) { return missing == 0 ? BothSides{0, value} : BothSides{value, 0}; };
    const Figures made = figures_of(both(4), both(20), both(12));
    EXPECT_EQ(made.result.sides[missing].calls[1], 0);
    EXPECT_EQ(made.result.sides[missing].own_cost[1], 5);
    EXPECT_EQ(made.result.sides[missing].calls_per_call[1], 3);
    EXPECT_FALSE(made.result.fixed_self[1]) << "one side shows nothing about growth";
    EXPECT_FALSE(made.result.fixed_calls[1]);
  }
}

TEST(ScalingTest, AQuarterMoreCallsShowWhatScales) {
  EXPECT_TRUE(figures_of({100, 125}, {1000, 1000}, {0, 0}).result.fixed_self[1]);
  EXPECT_TRUE(figures_of({125, 100}, {1000, 1000}, {0, 0}).result.fixed_self[1]);
  EXPECT_FALSE(figures_of({100, 124}, {1000, 1000}, {0, 0}).result.fixed_self[1]);
  EXPECT_FALSE(figures_of({124, 100}, {1000, 1000}, {0, 0}).result.fixed_self[1]);
}

TEST(ScalingTest, FixedPartsAreTakenOutOfTheTable) {
  Figures made = figures_of({100, 200}, {1000, 1100}, {500, 550});
  const std::vector<bool> none(3, false), split = {false, true, false};
  const FlowTable table = scaling_table(made.graph, flow_components(made.graph), made.result, none);
  EXPECT_EQ(table.own[0][1], 1);
  EXPECT_EQ(table.own[1][1], 1);
  EXPECT_EQ(table.rates[0][1], 0.5L);
  EXPECT_EQ(table.rates[1][1], 0.5L);
  // The root's entry, and 500 - 0.5 x 100 calls of function 2 that no caller's calls carry.
  ASSERT_EQ(table.sources.size(), 2u);
  EXPECT_EQ(table.sources[0].kind, TermKind::kEntry);
  EXPECT_EQ(table.sources[0].calls, (std::array<long double, 2>{1, 1}));
  EXPECT_EQ(table.sources[1].kind, TermKind::kCalls);
  EXPECT_EQ(table.sources[1].node, 2u);
  EXPECT_EQ(table.sources[1].index, 1u);
  EXPECT_EQ(table.sources[1].calls, (std::array<long double, 2>{450, 450}));
  const FlowTable of_split = scaling_table(made.graph, flow_components(made.graph), made.result, split);
  EXPECT_EQ(of_split.own[0][1], 10) << "a split function has no fixed parts";
  EXPECT_EQ(of_split.rates[1][1], 2.75L);
  EXPECT_EQ(of_split.sources.size(), 1u);
}

TEST(ScalingTest, AsSteadyAsThatIsNotEnough) {
  // Of twice as many calls 19 and 22 are 3 apart; the average moves a total by 8 times 1.5: four times as much.
  EXPECT_FALSE(figures_of({1, 2}, {19, 22}, {0, 0}).result.fixed_self[1]);
  EXPECT_FALSE(figures_of({1, 2}, {0, 0}, {19, 22}).result.fixed_calls[1]);
  EXPECT_TRUE(figures_of({1, 2}, {20, 23}, {0, 0}).result.fixed_self[1]);
}

}  // namespace
}  // namespace icount
