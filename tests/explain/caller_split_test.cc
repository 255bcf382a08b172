// Which functions' callers pay different prices, what each pays, and the table of nodes that are split by caller.
#include "icount/explain/flow/edge_prices.h"

#include <gtest/gtest.h>

#include <set>

namespace icount {
namespace {

constexpr uint32_t kMain = 0, kFirst = 1, kSecond = 2, kShared = 3, kLeaf = 4;  // nodes of the graph below

/// Calls of the shared function by one caller, and what they cost in all.
struct Paid {
  BothSides calls{}, cost{};
};

/// main calls first and second, which call the shared one; that calls a leaf, whose calls cost so much of it.
FlowGraph priced(const Paid& first, const Paid& second, const BothSides& below = {0, 0}) {
  FlowGraph graph;
  graph.nodes.resize(5);
  graph.nodes[kMain].entries = {1, 1};
  graph.nodes[kLeaf].self = below;
  for (const size_t side : {0, 1}) graph.nodes[kShared].self[side] = first.cost[side] + second.cost[side] - below[side];
  graph.edges = {{kMain, kFirst, {1, 1}, first.cost},
                 {kMain, kSecond, {1, 1}, second.cost},
                 {kFirst, kShared, first.calls, first.cost},
                 {kSecond, kShared, second.calls, second.cost}};
  if (below != BothSides{}) graph.edges.push_back({kShared, kLeaf, {2, 2}, below});
  index_edges(graph);
  return graph;
}

bool can_split(const FlowGraph& graph) { return splittable(graph, flow_components(graph))[kShared]; }
bool is_consistent(const FlowGraph& graph) { return has_consistent_costs(graph)[kShared]; }

TEST(SplittableTest, CallersThatPayDifferentPrices) {
  EXPECT_TRUE(can_split(priced({{10, 10}, {100, 100}}, {{10, 10}, {300, 300}})));
  EXPECT_FALSE(can_split(priced({{10, 10}, {100, 100}}, {{20, 20}, {200, 200}}))) << "ten each";
  EXPECT_TRUE(can_split(priced({{10, 10}, {100, 100}}, {{10, 10}, {100, 300}}))) << "on one side";
  EXPECT_TRUE(can_split(priced({{10, 10}, {300, 100}}, {{10, 10}, {100, 100}})));
  EXPECT_TRUE(can_split(priced({{100, 100}, {98900, 98900}}, {{100, 100}, {101100, 101100}}))) << "1.1 % off";
  EXPECT_FALSE(can_split(priced({{100, 100}, {99100, 99100}}, {{100, 100}, {100900, 100900}}))) << "0.9 % off";
}

TEST(SplittableTest, OneCallOfEachIsEnough) {
  const FlowGraph graph = priced({{1, 1}, {1, 1}}, {{1, 1}, {3, 3}});
  EXPECT_TRUE(is_consistent(graph));
  EXPECT_TRUE(can_split(graph));
}

TEST(SplittableTest, OneCallerHasNothingToBeToldApartFrom) {
  EXPECT_FALSE(can_split(priced({{10, 10}, {100, 300}}, {{0, 0}, {0, 0}})));
  EXPECT_FALSE(can_split(priced({{10, 0}, {100, 0}}, {{0, 10}, {0, 100}}))) << "each is its side's only one";
  EXPECT_TRUE(can_split(priced({{10, 0}, {100, 0}}, {{10, 10}, {300, 100}}))) << "one that calls on one side alone";
}

TEST(SplittableTest, NeitherEnteredFromOutsideNorRecursive) {
  const FlowGraph plain = priced({{10, 10}, {100, 100}}, {{10, 10}, {300, 300}});
  for (const size_t side : {0, 1}) {
    FlowGraph entered = plain;
    entered.nodes[kShared].entries[side] = 1;
    EXPECT_FALSE(can_split(entered));
  }
  FlowGraph recursive = plain;
  recursive.edges.push_back({kShared, kShared, {5, 5}, {0, 0}});
  index_edges(recursive);
  EXPECT_FALSE(can_split(recursive));
  FlowGraph cycle = plain;
  cycle.edges.push_back({kShared, kFirst, {5, 5}, {1, 1}});
  index_edges(cycle);
  EXPECT_FALSE(can_split(cycle));
}

TEST(SplittableTest, CallsWithoutACostAndCostsWithoutACallTellNothing) {
  for (const size_t side : {0, 1}) {
    FlowGraph free = priced({{10, 10}, {100, 100}}, {{10, 10}, {300, 300}});
    free.edges[2].inclusive[side] = 0;
    free.nodes[kShared].self[side] = 300;
    EXPECT_FALSE(can_split(free));
    FlowGraph uncounted = priced({{10, 10}, {100, 100}}, {{10, 10}, {300, 300}});
    uncounted.edges[2].calls[side] = 0;
    EXPECT_FALSE(can_split(uncounted));
  }
}

TEST(SplittableTest, CostsThatContradictThemselvesTellNothing) {
  const auto with_self = [](int64_t base, int64_t head) {
    FlowGraph graph = priced({{10, 10}, {250, 250}}, {{10, 10}, {750, 750}});
    graph.nodes[kShared].self = {base, head};
    EXPECT_EQ(can_split(graph), is_consistent(graph));
    return can_split(graph);
  };
  EXPECT_TRUE(with_self(1000, 1000));
  EXPECT_TRUE(with_self(980, 1000)) << "2 %";
  EXPECT_FALSE(with_self(979, 1000));
  EXPECT_FALSE(with_self(1000, 979));
  EXPECT_TRUE(with_self(1020, 1000));
  EXPECT_FALSE(with_self(1021, 1000));
}

TEST(SplittableTest, WhatItsCallsCostIsOfItsCost) {
  FlowGraph graph = priced({{10, 10}, {250, 250}}, {{10, 10}, {750, 750}}, {400, 400});
  EXPECT_TRUE(can_split(graph));
  graph.nodes[kShared].self = {1000, 1000};
  EXPECT_FALSE(can_split(graph)) << "with its calls it comes to 1,400";
  graph.nodes[kShared].self = {600, 600};
  graph.edges.back().inclusive = {300, 300};
  EXPECT_FALSE(can_split(graph));
}

TEST(SplittableTest, AHubOfManyEdgesIsNot) {
  const auto hub = [](uint32_t callees) {
    FlowGraph graph = priced({{10, 10}, {2 * callees, 2 * callees}}, {{10, 10}, {4 * callees, 4 * callees}});
    for (uint32_t i = 0; i < callees; ++i) {
      graph.nodes.push_back({{1, 1}, {}});
      graph.edges.push_back({kShared, static_cast<uint32_t>(graph.nodes.size() - 1), {1, 1}, {1, 1}});
    }
    graph.nodes[kShared].self = {5 * callees, 5 * callees};
    index_edges(graph);
    return can_split(graph);
  };
  EXPECT_TRUE(hub(10'000)) << "twice as many, for two callers";
  EXPECT_FALSE(hub(10'001));
}

CallerPrices prices_of(const FlowGraph& graph) {
  return caller_prices(graph, splittable(graph, flow_components(graph)));
}

TEST(CallerPricesTest, AsAPartOfTheAverage) {
  const CallerPrices prices = prices_of(priced({{10, 20}, {100, 400}}, {{10, 20}, {300, 400}}));
  EXPECT_EQ(prices.parts[0], (std::vector<long double>{1, 1, 0.5L, 1.5L}));
  EXPECT_EQ(prices.parts[1], (std::vector<long double>{1, 1, 1, 1}));
}

TEST(CallerPricesTest, OfOneCallToo) {
  const CallerPrices prices = prices_of(priced({{1, 2}, {1, 4}}, {{1, 2}, {3, 4}}));
  EXPECT_EQ(prices.parts[0], (std::vector<long double>{1, 1, 0.5L, 1.5L}));
  EXPECT_EQ(prices.parts[1], (std::vector<long double>{1, 1, 1, 1}));
}

TEST(CallerPricesTest, WhereACallerHasNoCallsItsPriceIsTheOtherSides) {
  const CallerPrices prices = prices_of(priced({{10, 0}, {100, 0}}, {{10, 20}, {300, 500}}));
  EXPECT_EQ(prices.parts[0], (std::vector<long double>{1, 1, 0.5L, 1.5L}));
  EXPECT_EQ(prices.parts[1], (std::vector<long double>{1, 1, 0.5L, 1}));
}

/// first and second pay 1 to 3 in base, 1 to 1 in head, of a function that calls another one.
CallerPrices shared(const BothSides& calls_of_first) {
  return prices_of(priced({calls_of_first, {1000, 2000}}, {{1000, 1000}, {3000, 2000}}, {1, 1}));
}

TEST(CallerPricesTest, CallersThatCallAsOftenAsBeforeShareAlike) {
  const CallerPrices alike = shared({1000, 1000});
  for (const size_t side : {0, 1}) {
    EXPECT_EQ(alike.parts[side][2], 0.75L) << "the mean of 0.5 and 1";
    EXPECT_EQ(alike.parts[side][3], 1.25L);
  }
  EXPECT_EQ(shared({1000, 1011}).parts[0][2], 0.5L) << "more than a hundredth more";
  EXPECT_EQ(shared({1011, 1000}).parts[1][2], 1) << "or fewer";
}

TEST(CallerPricesTest, WhateverItsNumber) {
  FlowGraph graph;
  graph.nodes.resize(5);
  graph.nodes[0].self = {3999, 3999};
  graph.nodes[3].entries = {1, 1};
  graph.nodes[4].self = {1, 1};
  graph.edges = {{0, 4, {2, 2}, {1, 1}},
                 {1, 0, {1000, 1000}, {1000, 2000}},
                 {2, 0, {1000, 1000}, {3000, 2000}},
                 {3, 1, {1, 1}, {1000, 2000}},
                 {3, 2, {1, 1}, {3000, 2000}}};
  index_edges(graph);
  const CallerPrices prices = prices_of(graph);
  for (const size_t side : {0, 1}) EXPECT_EQ(prices.parts[side], (std::vector<long double>{1, 0.75L, 1.25L, 1, 1}));
}

TEST(CallerPricesTest, SharesStillComeToTheWhole) {
  for (const int64_t calls : {990, 1000, 1010}) {
    const CallerPrices prices = shared({1000, calls});
    EXPECT_NE(prices.parts[0][2], 0.5L);
    EXPECT_NE(prices.parts[0][2], 1);
    const auto of_first = static_cast<long double>(calls);
    EXPECT_NEAR(static_cast<double>(prices.parts[0][2] + prices.parts[0][3]), 2, 1e-12);
    EXPECT_NEAR(static_cast<double>(of_first * prices.parts[1][2] + 1000 * prices.parts[1][3]),
                static_cast<double>(of_first + 1000), 1e-9);
  }
}

TEST(CallerPricesTest, AFunctionThatCallsNothingKeepsItsPrices) {
  const CallerPrices prices = prices_of(priced({{10, 10}, {100, 200}}, {{10, 10}, {300, 200}}));
  EXPECT_EQ(prices.parts[0][2], 0.5L);
  EXPECT_EQ(prices.parts[1][2], 1);
}

TEST(CallerPricesTest, OfTheOthersNothingIsTold) {
  const FlowGraph graph = priced({{10, 10}, {100, 100}}, {{10, 10}, {300, 300}});
  const CallerPrices prices = caller_prices(graph, std::vector<bool>(graph.nodes.size(), false));
  for (const size_t side : {0, 1}) EXPECT_EQ(prices.parts[side], std::vector<long double>(4, 1));
  EXPECT_EQ(prices.origins, std::vector<uint32_t>(4, kAnyCaller));
}

TEST(CallerPricesTest, WhereTheOriginOfCallsIsKnownItTellsThePrice) {
  // Only the second's calls lead to the leaf, which costs 200 of their 300.
  const CallerPrices prices = prices_of(priced({{10, 10}, {100, 100}}, {{10, 10}, {300, 300}}, {200, 200}));
  EXPECT_EQ(prices.origins, (std::vector<uint32_t>{kAnyCaller, kAnyCaller, kAnyCaller, kAnyCaller, 3}));
  for (const size_t side : {0, 1}) EXPECT_EQ(prices.parts[side], std::vector<long double>(5, 1));
}

/// The table of the graph itself: what costs 8 per call in base and 16 in head, and calls once per call.
FlowTable whole_table(const FlowGraph& graph) {
  FlowTable table;
  table.components = flow_components(graph);
  for (const size_t side : {0, 1}) {
    table.own[side].assign(graph.nodes.size(), side == 0 ? 8 : 16);
    table.rates[side].assign(graph.edges.size(), side == 0 ? 1 : 2);
  }
  return table;
}

class SplitByCallersTest : public testing::Test {
 protected:
  FlowGraph graph_ = priced({{10, 10}, {100, 100}}, {{10, 10}, {300, 300}}, {40, 40});
  FlowTable split(const CallerPrices& prices, bool shared = true) const {
    FlowTable whole = whole_table(graph_);
    whole.sources = {{kMain, {1, 1}, TermKind::kEntry, kMain}, {kShared, {3, 4}, TermKind::kCalls, 3}};
    std::vector<bool> of(graph_.nodes.size(), false);
    of[kShared] = shared;
    return split_by_callers(graph_, whole, of, prices);
  }
  CallerPrices prices_ = {{std::vector<long double>{1, 1, 0.5L, 1.5L, 1}, {1, 1, 0.25L, 1.75L, 1}},
                          std::vector<uint32_t>(5, kAnyCaller)};
};

TEST_F(SplitByCallersTest, ANodeForEachCaller) {
  const FlowTable table = split(prices_);
  EXPECT_EQ(table.node_of, (std::vector<uint32_t>{kMain, kFirst, kSecond, kLeaf, kShared, kShared}));
  EXPECT_EQ(table.is_split, (std::vector<bool>{false, false, false, false, true, true}));
  EXPECT_EQ(table.caller_edge, (std::vector<uint32_t>{FlowTable::kAllCallers, 0, 1, 4, 2, 3}));
  EXPECT_EQ(table.prices[0], (std::vector<long double>{1, 1, 1, 1, 0.5L, 1.5L}));
  EXPECT_EQ(table.prices[1], (std::vector<long double>{1, 1, 1, 1, 0.25L, 1.75L}));
  EXPECT_EQ(table.own[0], (std::vector<long double>{8, 8, 8, 8, 4, 12}));
  EXPECT_EQ(table.own[1], (std::vector<long double>{16, 16, 16, 16, 4, 28}));
}

TEST_F(SplitByCallersTest, EachNodeCallsItsShare) {
  const FlowTable table = split(prices_);
  EXPECT_EQ(table.shape.first_edge, (std::vector<uint32_t>{0, 2, 3, 4, 4, 5, 6}));
  EXPECT_EQ(table.shape.callee, (std::vector<uint32_t>{1, 2, 4, 5, 3, 3}));
  EXPECT_EQ(table.edge_of, (std::vector<uint32_t>{0, 1, 2, 3, 4, 4}));
  EXPECT_EQ(table.rates[0], (std::vector<long double>{1, 1, 1, 1, 0.5L, 1.5L}));
  EXPECT_EQ(table.rates[1], (std::vector<long double>{2, 2, 2, 2, 0.5L, 3.5L}));
  EXPECT_EQ(table.components.count(), 6u);
  EXPECT_EQ(std::set<uint32_t>(table.components.of.begin(), table.components.of.end()).size(), 6u);
  EXPECT_EQ(table.components.sizes, std::vector<uint32_t>(6, 1));
  for (uint32_t i = 0; i < table.node_of.size(); ++i)
    for (uint32_t e = table.shape.first_edge[i]; e < table.shape.first_edge[i + 1]; ++e)
      EXPECT_LT(table.components.of[table.shape.callee[e]], table.components.of[i]) << "callees first";
}

TEST_F(SplitByCallersTest, WhereTheOriginOfCallsIsKnownOneNodeMakesThem) {
  prices_.origins[4] = 2;  // all that first had it call
  FlowTable table = split(prices_);
  EXPECT_EQ(table.rates[0][4], 0.2L) << "2 calls for 10";
  EXPECT_EQ(table.rates[0][5], 0);
  graph_.edges[2].calls = {10, 0};
  table = split(prices_);
  EXPECT_EQ(table.rates[1][4], 0.2L) << "the other side's, where that caller does not call";
  table = split(prices_, false);
  EXPECT_EQ(table.rates[0].back(), 1) << "a function that is not split";
}

TEST_F(SplitByCallersTest, SourcesGoWhereTheirCallsDo) {
  const FlowTable table = split(prices_);
  ASSERT_EQ(table.sources.size(), 2u);
  EXPECT_EQ(table.sources[0].node, 0u);
  EXPECT_EQ(table.sources[1].node, 5u) << "the node of the edge's caller";
}

TEST_F(SplitByCallersTest, OnlyOneEdgeByWhichANodeIsCalled) {
  EXPECT_EQ(split(prices_, false).caller_edge,
            (std::vector<uint32_t>{FlowTable::kAllCallers, 0, 1, FlowTable::kAllCallers, 4}));
  graph_.edges[3].calls = {0, 0};
  EXPECT_EQ(split(prices_, false).caller_edge[kShared], 2u) << "an edge without calls is none";
  graph_.nodes[kLeaf].entries = {0, 1};
  EXPECT_EQ(split(prices_, false).caller_edge[kLeaf], FlowTable::kAllCallers) << "it is entered, too";
}

TEST_F(SplitByCallersTest, ACycleStaysOneComponent) {
  graph_.edges.push_back({kFirst, kMain, {1, 1}, {1, 1}});
  index_edges(graph_);
  prices_.parts = {std::vector<long double>(6, 1), std::vector<long double>(6, 1)};
  prices_.origins.assign(6, kAnyCaller);
  const FlowTable table = split(prices_);
  EXPECT_EQ(table.components.of[kMain], table.components.of[kFirst]);
  EXPECT_EQ(table.components.count(), 5u);
  EXPECT_EQ(table.components.sizes[table.components.of[kMain]], 2u);
}

}  // namespace
}  // namespace icount
