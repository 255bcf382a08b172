// What grows with the calls of a function and what does not (docs/decisions/0002-what-does-not-scale.md).
#include "icount/explain/flow/decompose.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

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

TEST(ScalingTest, FiguresPerCall) {
  const Figures made = figures_of({4, 8}, {20, 80}, {12, 8});
  EXPECT_EQ(made.result.sides[0].calls[1], 4);
  EXPECT_EQ(made.result.sides[1].calls[1], 8);
  EXPECT_EQ(made.result.sides[0].own_cost[1], 5);
  EXPECT_EQ(made.result.sides[1].own_cost[1], 10);
  EXPECT_EQ(made.result.sides[0].calls_per_call[1], 3);
  EXPECT_EQ(made.result.sides[1].calls_per_call[1], 1);
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

TEST(ScalingTest, WhatStaysWhileCallsGrowIsFixed) {
  const Figures made = figures_of({100, 200}, {1000, 1000}, {50, 50});
  EXPECT_TRUE(made.result.fixed_self[1]);
  EXPECT_TRUE(made.result.fixed_calls[1]);
  EXPECT_EQ(made.result.further_self[1], 0);
  EXPECT_EQ(made.result.further_calls[1], 0);
  const Figures scales = figures_of({100, 200}, {1000, 2000}, {50, 100});
  EXPECT_FALSE(scales.result.fixed_self[1]);
  EXPECT_FALSE(scales.result.fixed_calls[1]);
}

TEST(ScalingTest, AQuarterMoreCallsShowWhatScales) {
  EXPECT_TRUE(figures_of({100, 125}, {1000, 1000}, {0, 0}).result.fixed_self[1]);
  EXPECT_TRUE(figures_of({125, 100}, {1000, 1000}, {0, 0}).result.fixed_self[1]);
  EXPECT_FALSE(figures_of({100, 124}, {1000, 1000}, {0, 0}).result.fixed_self[1]);
  EXPECT_FALSE(figures_of({124, 100}, {1000, 1000}, {0, 0}).result.fixed_self[1]);
}

TEST(ScalingTest, ATotalMustBeFourTimesAsSteadyAsTheAverage) {
  // Of twice as many calls the average moves a total of 1000 + x by 150 times (10 - (1000 + x) / 200): four times x at
  // x = 157.9.
  EXPECT_TRUE(figures_of({100, 200}, {1000, 1157}, {0, 0}).result.fixed_self[1]);
  EXPECT_FALSE(figures_of({100, 200}, {1000, 1158}, {0, 0}).result.fixed_self[1]);
  EXPECT_TRUE(figures_of({100, 200}, {0, 0}, {1000, 1157}).result.fixed_calls[1]);
  EXPECT_FALSE(figures_of({100, 200}, {0, 0}, {1000, 1158}).result.fixed_calls[1]);
}

TEST(ScalingTest, WhatAFurtherCallTakesIsWhatCameForEach) {
  const Figures more = figures_of({100, 200}, {1000, 1100}, {500, 550});
  EXPECT_EQ(more.result.further_self[1], 1);
  EXPECT_EQ(more.result.further_calls[1], 0.5L);
  const Figures fewer = figures_of({200, 100}, {1100, 1000}, {550, 500});
  EXPECT_EQ(fewer.result.further_self[1], 1);
  EXPECT_EQ(fewer.result.further_calls[1], 0.5L);
  const Figures against = figures_of({100, 200}, {1000, 990}, {500, 490});
  EXPECT_TRUE(against.result.fixed_self[1]);
  EXPECT_EQ(against.result.further_self[1], 0) << "it moved against the calls";
  EXPECT_EQ(against.result.further_calls[1], 0);
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

TEST(ScalingTest, DifferenceIsHeadLessBase) { EXPECT_EQ(difference({3, 10}), 7); }

TEST(ScalingTest, AsSteadyAsThatIsNotEnough) {
  // Of twice as many calls 19 and 22 are 3 apart; the average moves a total by 8 times 1.5: four times as much.
  EXPECT_FALSE(figures_of({1, 2}, {19, 22}, {0, 0}).result.fixed_self[1]);
  EXPECT_FALSE(figures_of({1, 2}, {0, 0}, {19, 22}).result.fixed_calls[1]);
  EXPECT_TRUE(figures_of({1, 2}, {20, 23}, {0, 0}).result.fixed_self[1]);
}

}  // namespace
}  // namespace icount
