// Terms of small graphs, figure by figure, and what a decomposition keeps beside them.
#include "icount/explain/flow/decompose.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
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

TEST(DecomposeTest, OwnCostCountsByTheCallsThatBothMake) {
  EXPECT_EQ(told(on_average(plain({10, 10}, {60, 140}))), "own 1 80;");
  EXPECT_EQ(told(on_average(plain({10, 20}, {60, 280}))), "own 1 80;calls 0 140;")
      << "new calls at what they are worth";
  EXPECT_EQ(told(on_average(plain({20, 10}, {280, 60}))), "own 1 -80;calls 0 -140;") << "gone ones at what they were";
  EXPECT_EQ(told(on_average(plain({10, 0}, {60, 0}))), "calls 0 -60;");
  EXPECT_EQ(told(on_average(plain({10, 10}, {60, 60}))), "");
}

TEST(DecomposeTest, Entries) {
  EXPECT_EQ(told(on_average(plain({10, 20}, {60, 120}, {1, 2}))), "entry 0 60;");
  EXPECT_EQ(told(on_average(plain({10, 0}, {60, 0}, {1, 0}))), "entry 0 -60;");
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

TEST(DecomposeTest, WhatDoesNotScaleIsTakenInTotal) {
  const Decomposition figures = on_average(plain({1000, 10}, {6000, 6100}));
  EXPECT_TRUE(figures.fixed_self[kFirst]);
  EXPECT_EQ(told(figures), "own 1 100;");
  EXPECT_EQ(figures.other_calls[kFirst].calls, (std::array<long double, 2>{0, 0}));
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

TEST(DecomposeTest, ByCallersCallsAreWorthWhatTheyCost) {
  // The first pays 10 for a call, the second 100, who calls twice as often in head.
  const FlowGraph graph = priced({100, 100}, {1000, 1000}, {10, 20}, {1000, 2000});
  EXPECT_EQ(told(by_callers(graph)), "calls 3 1000;");
  EXPECT_NE(told(on_average(graph)), "calls 3 1000;");
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

TEST(DecomposeTest, ASplitFunctionHasNoFixedParts) {
  // Its total stays though it is called ten times less: the calls that are gone cost next to nothing.
  const FlowGraph graph = priced({1000, 10}, {1000, 10}, {10, 10}, {100'000, 100'000});
  EXPECT_TRUE(on_average(graph).fixed_self[kShared]);
  const Decomposition figures = by_callers(graph);
  EXPECT_FALSE(figures.fixed_self[kShared]);
  EXPECT_EQ(told(figures), "calls 2 -990;");
}

TEST(ScalingTableTest, SourcesAreEntriesAndCallsThatDoNotScale) {
  FlowGraph graph = plain({1000, 10}, {6000, 60});
  graph.nodes.push_back({{50, 70}, {}});
  graph.edges.push_back({kFirst, 2, {5, 7}, {}});
  index_edges(graph);
  const Decomposition figures = on_average(graph);
  ASSERT_TRUE(figures.fixed_calls[1]);
  const std::vector<bool> none(3, false);
  const FlowTable table = scaling_table(graph, flow_components(graph), figures, none);
  ASSERT_EQ(table.sources.size(), 2u);
  EXPECT_EQ(table.sources[0].node, kMain);
  EXPECT_EQ(table.sources[0].kind, TermKind::kEntry);
  EXPECT_EQ(table.sources[0].calls, (std::array<long double, 2>{1, 1}));
  EXPECT_EQ(table.sources[1].node, 2u);
  EXPECT_EQ(table.sources[1].kind, TermKind::kCalls);
  EXPECT_EQ(table.sources[1].index, 1u);
  EXPECT_EQ(table.sources[1].calls, (std::array<long double, 2>{5, 7})) << "they moved against their caller's";
  EXPECT_EQ(table.rates[0], (std::vector<long double>{1000, 0}));
  EXPECT_EQ(table.own[0], (std::vector<long double>{0, 6, 10}));
  EXPECT_EQ(table.own[1], (std::vector<long double>{0, 6, 10}));
}

TEST(ScalingTableTest, AFixedPartAndSoMuchForEachFurtherCall) {
  FlowGraph graph = plain({100, 1100}, {1000, 11000});
  graph.nodes.push_back({{50, 60}, {}});
  graph.edges.push_back({kFirst, 2, {50, 60}, {}});
  index_edges(graph);
  const Decomposition figures = on_average(graph);
  ASSERT_TRUE(figures.fixed_calls[1]);
  const FlowTable table = scaling_table(graph, flow_components(graph), figures, std::vector<bool>(3, false));
  EXPECT_EQ(table.rates[0][1], 0.01L);
  EXPECT_EQ(table.rates[1][1], 0.01L);
  EXPECT_NEAR(static_cast<double>(table.sources.at(1).calls[0]), 49, 1e-12);
  EXPECT_EQ(table.sources.at(1).calls[0], table.sources.at(1).calls[1]);
  const FlowTable split = scaling_table(graph, flow_components(graph), figures, {false, true, false});
  EXPECT_EQ(split.sources.size(), 1u) << "of a split function callers tell";
  EXPECT_EQ(split.rates[0][1], 0.5L);
}

/// main calls first and second, which call the shared one, and that a leaf; in this order they have these numbers.
/// Terms by the functions that they tell of.
std::vector<std::string> told_by(const std::array<uint32_t, 5>& numbers) {
  const auto [main, first, second, shared, leaf] = numbers;
  FlowGraph graph;
  graph.nodes.resize(5);
  graph.nodes[main] = {{7, 9}, {1, 1}};
  graph.nodes[shared].self = {1560, 3020};
  graph.nodes[leaf].self = {440, 480};
  graph.edges = {{main, first, {1, 1}, {1000, 1500}},
                 {main, second, {1, 1}, {1000, 2000}},
                 {first, shared, {100, 100}, {1000, 1500}},
                 {second, shared, {10, 20}, {1000, 2000}},
                 {shared, leaf, {220, 240}, {440, 480}}};
  index_edges(graph);
  const auto name = [&](uint32_t node) { return std::find(numbers.begin(), numbers.end(), node) - numbers.begin(); };
  std::vector<std::string> all;
  for (const Decomposition& figures : {on_average(graph), by_callers(graph)})
    for (const Term& term : figures.terms) {
      const bool calls = term.kind == TermKind::kCalls;
      const FlowEdge edge = calls ? graph.edges[term.index] : FlowEdge{term.index, term.index, {}, {}};
      all.push_back(fmt::format("{} {} {:.6f}", name(edge.caller), name(edge.callee), static_cast<double>(term.value)));
    }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(DecomposeTest, TheNumbersOfFunctionsAreNoMatter) {
  const std::vector<std::string> in_order = told_by({0, 1, 2, 3, 4});
  EXPECT_GT(in_order.size(), 4u);
  EXPECT_EQ(told_by({1, 2, 3, 0, 4}), in_order);
  EXPECT_EQ(told_by({1, 2, 3, 4, 0}), in_order);
  EXPECT_EQ(told_by({1, 0, 2, 3, 4}), in_order);
  EXPECT_EQ(told_by({2, 1, 0, 3, 4}), in_order);
}

}  // namespace
}  // namespace icount
