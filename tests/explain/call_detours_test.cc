// Calls that a function makes itself on one side and through another one on the other: which of them are common.
#include "icount/explain/flow/edge_prices.h"

#include <gtest/gtest.h>

#include "icount/explain/flow/decompose.h"

namespace icount {
namespace {

constexpr uint32_t kCaller = 0, kBetween = 1, kTarget = 2;  // nodes; edges below are in this order
constexpr uint32_t kThrough = 0, kDirect = 1;

/// The caller calls one function, which calls the target so often per call, and the target itself.
struct Calls {
  BothSides through = {10, 20}, direct = {10, 0};
  int64_t of_target = 1;                          ///< by a call of the one between
  std::array<long double, 2> worth = {100, 100};  ///< of the target
  BothSides inclusive_through = {0, 0}, inclusive_direct = {0, 0};
};

std::vector<FlowDetour> detours(const Calls& calls) {
  FlowGraph graph;
  graph.nodes.resize(3);
  graph.nodes[kCaller].entries = {1, 1};
  graph.edges = {{kCaller, kBetween, calls.through, calls.inclusive_through},
                 {kCaller, kTarget, calls.direct, calls.inclusive_direct},
                 {kBetween, kTarget, {calls.through[0] * calls.of_target, calls.through[1] * calls.of_target}, {}}};
  index_edges(graph);
  Decomposition figures;
  for (const size_t side : {0, 1}) figures.sides[side] = per_call_figures(graph, calls_of(graph), side);
  figures.fixed_self.assign(3, false);
  figures.fixed_calls.assign(3, false);
  const FlowTable table = scaling_table(graph, flow_components(graph), figures, std::vector<bool>(3, false));
  FlowSolution solution;
  for (const size_t side : {0, 1}) {
    const long double target = calls.worth[side];
    solution.worth[side] = {1000, 5 + static_cast<long double>(calls.of_target) * target, target};
  }
  solution.common_calls = {1, 10, 10};
  return find_detours(graph, table, solution);
}

long double common(const Calls& calls) {
  const std::vector<FlowDetour> found = detours(calls);
  return found.empty() ? 0 : found[0].calls;
}

TEST(CallDetoursOfATableTest, CallsThatGoAnotherWayAreCommon) {
  const std::vector<FlowDetour> found = detours({});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].node, kTarget);
  EXPECT_EQ(found[0].through, kThrough);
  EXPECT_EQ(found[0].direct, kDirect);
  EXPECT_EQ(found[0].side, 1u);
  EXPECT_EQ(found[0].calls, 10);
  const std::vector<FlowDetour> turned = detours({.through = {20, 10}, .direct = {0, 10}});
  ASSERT_EQ(turned.size(), 1u);
  EXPECT_EQ(turned[0].side, 0u);
  EXPECT_EQ(turned[0].calls, 10);
}

TEST(CallDetoursOfATableTest, TheLesserOfWhatCameAndWhatIsGone) {
  EXPECT_EQ(common({.through = {10, 30}}), 10) << "ten direct calls are gone";
  EXPECT_EQ(common({.through = {10, 14}}), 4) << "four calls more through the other";
  EXPECT_EQ(common({.of_target = 3}), 10);
}

TEST(CallDetoursOfATableTest, BothWaysGrowingIsNoDetour) {
  EXPECT_TRUE(detours({.direct = {10, 15}}).empty());
  EXPECT_TRUE(detours({.direct = {10, 10}}).empty());
  EXPECT_TRUE(detours({.through = {10, 10}}).empty());
  EXPECT_TRUE(detours({.through = {10, 5}}).empty());
  EXPECT_TRUE(detours({.of_target = 0}).empty()) << "the one between does not call it";
}

TEST(CallDetoursOfATableTest, OfANewCallAQuarterIsMadeByTheLongerWay) {
  // Ten new calls, worth 105 each, that make ten calls of the target: nearly all of what they are worth.
  EXPECT_EQ(common({.through = {0, 10}}), 10);
  EXPECT_EQ(common({.through = {0, 10}, .direct = {3, 0}}), 3) << "300 of 1,050";
  EXPECT_EQ(common({.through = {0, 10}, .direct = {2, 0}}), 0) << "200 of it";
  EXPECT_EQ(common({.through = {1, 11}, .direct = {2, 0}}), 2) << "a call that is not new";
}

TEST(CallDetoursOfATableTest, NoMoreThanWasRecordedOfACallOfOneSide) {
  EXPECT_EQ(common({.through = {0, 10}, .inclusive_through = {0, 1000}}), 10);
  EXPECT_EQ(common({.through = {0, 10}, .inclusive_through = {0, 999}}), 0) << "its calls of the target cost less";
  EXPECT_EQ(common({.through = {1, 11}, .inclusive_through = {1, 999}}), 10) << "both sides make it";
  EXPECT_EQ(common({.inclusive_direct = {1000, 0}}), 10);
  EXPECT_EQ(common({.inclusive_direct = {999, 0}}), 0) << "the direct ones cost less";
  EXPECT_EQ(common({.direct = {11, 1}, .inclusive_direct = {999, 1}}), 10);
}

TEST(CallDetoursOfATableTest, WhatOneWayTookIsNotTakenTwice) {
  // Ten direct calls are gone, and each of two other ways makes eight more.
  constexpr uint32_t kOtherWay = 3;
  for (const size_t side : {0, 1}) {
    FlowGraph graph;
    graph.nodes.resize(4);
    FlowTable table;
    table.edge_of = {0, 1, 2, 3, 4};
    table.shape = {{kBetween, kTarget, kOtherWay, kTarget, kTarget}, {0, 3, 4, 4, 5}};
    for (const size_t of : {0, 1}) {
      const bool more = of == side;
      table.rates[of] = {more ? 10.0L : 2, more ? 0.0L : 10, more ? 10.0L : 2, 1, 1};
    }
    graph.edges = {{kCaller, kBetween, {5, 5}, {}},
                   {kCaller, kTarget, {5, 5}, {}},
                   {kCaller, kOtherWay, {5, 5}, {}},
                   {kBetween, kTarget, {5, 5}, {}},
                   {kOtherWay, kTarget, {5, 5}, {}}};
    index_edges(graph);
    FlowSolution solution;
    solution.worth = {std::vector<long double>(4, 1), std::vector<long double>(4, 1)};
    solution.common_calls = {1, 2, 10, 2};
    const std::vector<FlowDetour> found = find_detours(graph, table, solution);
    ASSERT_EQ(found.size(), 2u);
    for (const FlowDetour& one : found) EXPECT_EQ(one.side, side);
    EXPECT_EQ(found[0].through, 0u);
    EXPECT_EQ(found[0].calls, 8);
    EXPECT_EQ(found[1].through, 2u);
    EXPECT_EQ(found[1].calls, 2);
    EXPECT_EQ(found[1].direct, kDirect);
  }
}

}  // namespace
}  // namespace icount
