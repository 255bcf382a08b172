// Which terms are one sum, and which cycle is one node: explain/claims/relations.h, explain/claims/relations.h and
// explain/flow/opened_flow.h on flows that are written down.
#include <gtest/gtest.h>

#include "icount/explain/claims/relations.h"
#include "support/written_flow.h"

namespace icount {
namespace {

using Positions = std::vector<uint32_t>;

/// Terms of each sum of callees that are shared.
std::vector<Positions> shared(const std::vector<WrittenTerm>& terms) {
  const OpenedFlow flow = flow_of(6, terms);
  std::vector<Positions> found;
  for (const HeadedSum& sum : find_shared_callees(flow, none(flow))) found.push_back(sum.terms);
  return found;
}

constexpr TermKind kCalls = TermKind::kCalls, kOwn = TermKind::kOwnCost;

TEST(SharedCalleesTest, TwoCallersOfWhichNoneHasMostOfIt) {
  EXPECT_EQ(shared({{kCalls, 1, 3, {0, 5}, 59}, {kCalls, 2, 3, {0, 5}, 41}}), (std::vector<Positions>{{0, 1}}));
  EXPECT_TRUE(shared({{kCalls, 1, 3, {0, 5}, 61}, {kCalls, 2, 3, {0, 5}, 39}}).empty());
  EXPECT_TRUE(shared({{kCalls, 1, 3, {0, 5}, 100}}).empty());
  EXPECT_EQ(shared({{kCalls, 1, 3, {5, 0}, -59}, {kCalls, 2, 3, {5, 0}, -41}}), (std::vector<Positions>{{0, 1}}));
}

TEST(SharedCalleesTest, TenTimesAsManyCallsCountAsOneSides) {
  EXPECT_EQ(shared({{kCalls, 1, 3, {1, 10}, 50}, {kCalls, 2, 3, {0, 5}, 50}}), (std::vector<Positions>{{0, 1}}));
  EXPECT_TRUE(shared({{kCalls, 1, 3, {1, 9}, 50}, {kCalls, 2, 3, {0, 5}, 50}}).empty());
  EXPECT_EQ(shared({{kCalls, 1, 3, {10, 1}, -50}, {kCalls, 2, 3, {5, 0}, -50}}), (std::vector<Positions>{{0, 1}}));
}

/// Callers of function 3 that call it so many times instead of five; own cost of another function beside.
std::vector<Positions> called_more(const std::vector<int64_t>& calls, long double elsewhere) {
  std::vector<WrittenTerm> terms = {{kOwn, 5, 0, {1, 2}, elsewhere}};
  const uint32_t callers[] = {0, 1, 2, 4};
  for (size_t i = 0; i < calls.size(); ++i) terms.push_back({kCalls, callers[i], 3, {5, calls[i]}, 50});
  return shared(terms);
}

TEST(SharedCalleesTest, TwiceAsManyCallsByThreeCountWhereNothingSaysAsMuch) {
  EXPECT_EQ(called_more({10, 10, 10}, 149), (std::vector<Positions>{{1, 2, 3}}));
  EXPECT_TRUE(called_more({10, 10, 10}, 150).empty()) << "another term is as large";
  EXPECT_TRUE(called_more({10, 10, 9}, 10).empty()) << "not twice as often";
  EXPECT_TRUE(called_more({10, 10}, 10).empty()) << "two callers";
  EXPECT_EQ(called_more({10, 50, 50}, 10), (std::vector<Positions>{{2, 3}})) << "ten times as often says it";
}

TEST(SharedCalleesTest, GainsAndLossesAndRecursionsAreApart) {
  EXPECT_TRUE(shared({{kCalls, 1, 3, {0, 5}, 50}, {kCalls, 2, 3, {5, 0}, -40}}).empty());
  EXPECT_TRUE(shared({{kCalls, 1, 3, {0, 5}, 50}, {kCalls, 3, 3, {0, 5}, 50}}).empty()) << "its calls of itself";
  EXPECT_TRUE(shared({{kCalls, 1, 3, {0, 5}, 50}, {kOwn, 2, 0, {0, 5}, 50}}).empty());
}

TEST(SharedCalleesTest, ASumMattersFromAFifthOfTheLargestTermOn) {
  EXPECT_EQ(shared({{kCalls, 1, 3, {0, 5}, 51}, {kCalls, 2, 3, {0, 5}, 51}, {kOwn, 4, 0, {1, 2}, 500}}),
            (std::vector<Positions>{{0, 1}}));
  EXPECT_TRUE(shared({{kCalls, 1, 3, {0, 5}, 49}, {kCalls, 2, 3, {0, 5}, 49}, {kOwn, 4, 0, {1, 2}, 500}}).empty());
}

TEST(SharedCalleesTest, TakenTermsAreLeftAlone) {
  const OpenedFlow flow =
      flow_of(6, {{kCalls, 0, 3, {0, 5}, 40}, {kCalls, 1, 3, {0, 5}, 40}, {kCalls, 2, 3, {0, 5}, 40}});
  EXPECT_EQ(find_shared_callees(flow, {true, false, false}).at(0).terms, (Positions{1, 2}));
}

TEST(SharedCalleesTest, OneThatTakesAnothersPlaceIsInOneSum) {
  const auto found = [](BothSides calls) {
    const OpenedFlow flow = flow_of(6, {{kCalls, 1, 3, {5, 0}, -50},
                                        {kCalls, 1, 4, {0, 5}, 80},
                                        {kCalls, 2, 3, {7, 0}, -60},
                                        {kCalls, 2, 4, calls, 70}});
    return find_shared_callees(flow, none(flow));
  };
  const auto sums = found({0, 7});
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].node, 4u);
  EXPECT_EQ(sums[0].instead_of, 3u);
  EXPECT_EQ(sums[0].terms, (Positions{1, 3, 0, 2}));
  EXPECT_EQ(found({0, 8}).size(), 2u) << "called more often than the other was";
}

/// The terms of the recursion of function 1: its own cost, its calls of itself and of 2.
std::vector<Positions> recursions(long double own, long double itself, long double other = 0,
                                  BothSides calls_of_2 = {5, 9}, long double elsewhere = 0) {
  const OpenedFlow flow = flow_of(4, {{kOwn, 1, 0, {100, 200}, own},
                                      {kCalls, 1, 1, {5, 50}, itself},
                                      {kCalls, 1, 2, calls_of_2, other},
                                      {kOwn, 3, 0, {1, 2}, elsewhere}});
  std::vector<Positions> found;
  for (const HeadedSum& sum : find_grown_recursions(flow, none(flow))) {
    EXPECT_EQ(sum.node, 1u);
    found.push_back(sum.terms);
  }
  return found;
}

TEST(GrownRecursionsTest, OwnCostAndCallsOfItselfGoOneWay) {
  EXPECT_EQ(recursions(80, 20), (std::vector<Positions>{{0, 1}}));
  EXPECT_EQ(recursions(-80, -20), (std::vector<Positions>{{0, 1}}));
  EXPECT_EQ(recursions(89, 11), (std::vector<Positions>{{0, 1}}));
  EXPECT_TRUE(recursions(91, 9).empty()) << "its own cost says it";
  EXPECT_TRUE(recursions(-80, 20).empty());
  EXPECT_TRUE(recursions(4, 96).empty()) << "its calls of itself say it";
  EXPECT_EQ(recursions(6, 94), (std::vector<Positions>{{0, 1}}));
}

TEST(GrownRecursionsTest, WhatElseItCallsOnBothSidesGoesWithThem) {
  EXPECT_EQ(recursions(10, 60, 30), (std::vector<Positions>{{0, 1, 2}}));
  EXPECT_EQ(recursions(-10, -60, -30), (std::vector<Positions>{{0, 1, 2}}));
  EXPECT_EQ(recursions(21, 49, 30), (std::vector<Positions>{{0, 1}})) << "its calls of itself are less than half";
  EXPECT_EQ(recursions(20, 51, 29), (std::vector<Positions>{{0, 1, 2}}));
  EXPECT_EQ(recursions(10, 60, 30, {0, 9}), (std::vector<Positions>{{0, 1}})) << "a call that one side alone makes";
  EXPECT_EQ(recursions(10, 81, 9, {0, 9}), (std::vector<Positions>{{0, 1, 2}})) << "unless it is less than a tenth";
  EXPECT_EQ(recursions(40, 100, -29), (std::vector<Positions>{{0, 1}})) << "parts that cancel";
  EXPECT_EQ(recursions(40, 100, -27), (std::vector<Positions>{{0, 1, 2}}));
}

TEST(GrownRecursionsTest, ASumMattersFromAFifthOfTheLargestTermOn) {
  EXPECT_EQ(recursions(51, 51, 0, {1, 1}, 500).size(), 1u);
  EXPECT_TRUE(recursions(49, 49, 0, {1, 1}, 500).empty());
}

/// 1 calls the dispatcher 2, which calls 3.
size_t dispatched(BothSides of_2, long double first, BothSides of_3, long double second, long double elsewhere = 0) {
  const OpenedFlow flow =
      flow_of(5, {{kCalls, 1, 2, of_2, first}, {kCalls, 2, 3, of_3, second}, {kOwn, 4, 0, {1, 2}, elsewhere}});
  const auto found = find_dispatched_calls(flow, none(flow));
  for (const DispatchedCalls& one : found) {
    EXPECT_EQ(one.by, 0u);
    EXPECT_EQ(one.through, 1u);
    EXPECT_EQ(one.terms, (Positions{0, 1}));
  }
  return found.size();
}

TEST(DispatchedCallsTest, AsManyMoreCallsThroughADispatcherAreOne) {
  EXPECT_EQ(dispatched({100, 200}, 50, {10, 110}, 50), 1u);
  EXPECT_EQ(dispatched({200, 100}, -50, {110, 10}, -50), 1u);
  EXPECT_EQ(dispatched({100, 200}, 50, {10, 111}, 50), 1u) << "but for one in a hundred";
  EXPECT_EQ(dispatched({100, 200}, 50, {10, 113}, 50), 0u);
  EXPECT_EQ(dispatched({100, 200}, 50, {10, 107}, 50), 0u);
  EXPECT_EQ(dispatched({100, 200}, 50, {110, 10}, -50), 0u) << "the other way";
  EXPECT_EQ(dispatched({200, 100}, 50, {110, 10}, 50), 0u) << "fewer calls that cost more are no more calls";
  EXPECT_EQ(dispatched({100, 200}, 96, {10, 110}, 4), 0u) << "one term says it";
  EXPECT_EQ(dispatched({100, 200}, 6, {10, 110}, 94), 1u);
  EXPECT_EQ(dispatched({100, 200}, 51, {10, 110}, 51, 500), 1u);
  EXPECT_EQ(dispatched({100, 200}, 49, {10, 110}, 49, 500), 0u) << "less than a fifth of the largest term";
}

TEST(DispatchedCallsTest, OneCallThatLeadsToSeveralIsNoDispatch) {
  const auto found = [](long double another, BothSides calls) {
    const OpenedFlow flow =
        flow_of(5, {{kCalls, 1, 2, {0, 100}, 50}, {kCalls, 2, 3, {0, 100}, 50}, {kCalls, 2, 4, calls, another}});
    return find_dispatched_calls(flow, none(flow)).size();
  };
  EXPECT_EQ(found(9, {5, 105}), 1u) << "less than a fifth of the call";
  EXPECT_EQ(found(10, {5, 105}), 0u);
  EXPECT_EQ(found(40, {5, 110}), 1u) << "not as many more";
}

/// Terms of the sum about function 1, which is called so often and costs itself and by two calls so much more.
std::vector<Positions> grown(long double own, long double first, long double second,
                             std::array<long double, 2> calls = {5, 5}, long double elsewhere = 0) {
  OpenedFlow flow = flow_of(5, {{kCalls, 1, 2, {5, 9}, first},
                                {kCalls, 1, 3, {5, 9}, second},
                                {kOwn, 1, 0, {100, 200}, own},
                                {kOwn, 4, 0, {1, 2}, elsewhere}});
  for (size_t side = 0; side < 2; ++side) flow.figures.sides[side].calls = {1, calls[side], 1, 1, 1};
  std::vector<Positions> found;
  for (const HeadedSum& sum : find_grown_functions(flow, none(flow))) found.push_back(sum.terms);
  return found;
}

TEST(GrownFunctionsTest, MostlyOwnCostAndItsCallsGoAlong) {
  EXPECT_EQ(grown(70, 20, 10), (std::vector<Positions>{{2, 0, 1}})) << "its own cost first";
  EXPECT_TRUE(grown(69, 20, 11).empty()) << "calls are nearly a third";
  EXPECT_EQ(grown(90, 5, 5), (std::vector<Positions>{{2, 0, 1}}));
  EXPECT_TRUE(grown(91, 4, 5).empty()) << "own cost says it";
  EXPECT_EQ(grown(-70, -20, -10), (std::vector<Positions>{{2, 0, 1}}));
  EXPECT_TRUE(grown(80, 21, -1).empty()) << "a call goes against it";
  EXPECT_TRUE(grown(70, 20, 10, {5, 6}).empty()) << "called more often";
  EXPECT_TRUE(grown(70, 20, 10, {0, 0}).empty());
  EXPECT_FALSE(grown(70, 20, 10, {1, 1}).empty()) << "called once";
  EXPECT_EQ(grown(70, 20, 10, {5, 5}, 500), (std::vector<Positions>{{2, 0, 1}}));
  EXPECT_TRUE(grown(70, 20, 10, {5, 5}, 501).empty()) << "less than a fifth of the largest term";
}

/// Terms of the sum about a cycle (1), which is called so often: own cost and three calls.
std::vector<Positions> grown_cycle(long double own, const std::array<long double, 3>& by_calls,
                                   std::array<long double, 2> calls = {5, 5}, long double elsewhere = 0) {
  OpenedFlow flow = flow_of(6, {{kOwn, 1, 0, {100, 200}, own},
                                {kCalls, 1, 2, {5, 9}, by_calls[0]},
                                {kCalls, 1, 3, {5, 9}, by_calls[1]},
                                {kCalls, 1, 4, {5, 9}, by_calls[2]},
                                {kOwn, 5, 0, {1, 2}, elsewhere}});
  flow.condensed.members[1] = {1, 6};
  for (size_t side = 0; side < 2; ++side) flow.figures.sides[side].calls = {1, calls[side], 1, 1, 1, 1};
  std::vector<Positions> found;
  for (const HeadedSum& sum : find_grown_cycles(flow, none(flow))) found.push_back(sum.terms);
  return found;
}

TEST(GrownCyclesTest, AllAboutARecursionWentOneWay) {
  EXPECT_EQ(grown_cycle(30, {40, 20, 10}), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_EQ(grown_cycle(-30, {-40, -20, -10}), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_TRUE(grown_cycle(20, {61, 9, 10}).empty()) << "one term says it";
  EXPECT_EQ(grown_cycle(30, {50, 20, -4}), (std::vector<Positions>{{0, 1, 2, 3}})) << "104 in magnitudes, 96 together";
  EXPECT_TRUE(grown_cycle(30, {50, 20, -5}).empty()) << "105 and 95";
  EXPECT_TRUE(grown_cycle(30, {40, 0, 0}).empty()) << "two terms";
  EXPECT_FALSE(grown_cycle(30, {40, 20, 10}, {1, 1}).empty()) << "called once";
  EXPECT_TRUE(grown_cycle(30, {40, 20, 10}, {5, 6}).empty()) << "called more often";
  EXPECT_EQ(grown_cycle(30, {40, 20, 10}, {5, 5}, 99), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_TRUE(grown_cycle(30, {40, 20, 10}, {5, 5}, 100).empty()) << "another term is as large";
}

/// A chain 0 -> 1 of which 1 and what it calls do `factor` times the work, own cost by own cost.
std::vector<Positions> longer_loops(const std::vector<int64_t>& head, BothSides calls = {1, 1}) {
  std::vector<WrittenTerm> terms = {{kOwn, 1, 0, {1000, head[0]}, static_cast<long double>(head[0] - 1000)}};
  for (uint32_t i = 1; i < head.size(); ++i)
    terms.push_back({kCalls, 1, 1 + i, {1000, head[i]}, static_cast<long double>(head[i] - 1000)});
  terms.push_back({kCalls, 0, 1, calls, 0});
  const OpenedFlow flow = [&] {
    OpenedFlow made = flow_of(2 + static_cast<uint32_t>(head.size()), terms);
    for (size_t side = 0; side < 2; ++side)
      for (const BothSides& of : calls_of(made.condensed.graph))
        made.figures.sides[side].calls.push_back(static_cast<long double>(of[side]));
    return made;
  }();
  std::vector<Positions> found;
  for (const HeadedSum& sum : find_longer_loops(flow, none(flow))) found.push_back(sum.terms);
  return found;
}

TEST(LongerLoopsTest, AllOfAFunctionGrewByOneFactor) {
  EXPECT_EQ(longer_loops({2000, 2000, 2000, 2000}), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_EQ(longer_loops({500, 500, 500, 500}), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_TRUE(longer_loops({2000, 2000, 2000}).empty()) << "three terms";
  EXPECT_TRUE(longer_loops({1090, 1090, 1090, 1090}).empty()) << "less than a tenth more";
  EXPECT_EQ(longer_loops({1110, 1110, 1110, 1110}), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_TRUE(longer_loops({2000, 2000, 3000, 4000}).empty()) << "by other factors";
  EXPECT_EQ(longer_loops({2000, 2200, 2000, 2000}), (std::vector<Positions>{{0, 1, 2, 3}})) << "about the same";
  EXPECT_EQ(longer_loops({2000, 2290, 2000, 2000}), (std::vector<Positions>{{0, 1, 2, 3}}));
  EXPECT_TRUE(longer_loops({2000, 2310, 2000, 2000}).empty()) << "2 to the power of 1.2 is 2.297";
  EXPECT_EQ(longer_loops({10'000, 15'800, 6400, 10'000}), (std::vector<Positions>{{0, 1, 2, 3}})) << "about ten times";
  EXPECT_TRUE(longer_loops({10'000, 15'900, 10'000, 10'000}).empty());
}

/// Functions 1 and 2 call each other; 0 calls 1. Whether they are told apart.
bool is_opened(BothSides self_of_1, BothSides self_of_2) {
  FlowGraph graph;
  graph.nodes.resize(3);
  graph.nodes[0].entries = {1, 1};
  graph.nodes[1].self = self_of_1;
  graph.nodes[2].self = self_of_2;
  graph.edges = {{0, 1, {10, 10}, {}}, {1, 2, {20, 20}, {}}, {2, 1, {10, 10}, {}}};
  index_edges(graph);
  const OpenedFlow flow = decompose_with_leading_clusters_open(graph);
  return flow.condensed.node_of[1] != flow.condensed.node_of[2];
}

TEST(ClusterOpeningTest, ACycleWhoseInsideCancelsIsClosedAgain) {
  EXPECT_TRUE(is_opened({1000, 3000}, {3000, 3000}));
  EXPECT_TRUE(is_opened({1000, 3000}, {3000, 2200})) << "2,000 and -800: magnitudes 2.3 times their sum";
  EXPECT_FALSE(is_opened({1000, 3000}, {3000, 2100})) << "2,000 and -900: 2.6 times";
  EXPECT_FALSE(is_opened({3000, 1000}, {2100, 3000})) << "the other way round";
}

}  // namespace
}  // namespace icount
