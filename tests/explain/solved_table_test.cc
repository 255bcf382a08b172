// What the terms of a solved table come to, which changes calls tell.
#include "icount/explain/flow/decompose.h"

#include <gtest/gtest.h>

#include "written_table.h"

namespace icount {
namespace {

using Figures = std::vector<long double>;

/// Nothing is fixed, and calls per call are the table's.
Decomposition figures_of(const FlowGraph& graph, const FlowTable& table) {
  Decomposition figures;
  figures.fixed_self.assign(graph.nodes.size(), false);
  figures.further_self.assign(graph.nodes.size(), 0);
  for (size_t side = 0; side < 2; ++side) {
    figures.sides[side].calls_per_call.assign(graph.edges.size(), 0);
    for (size_t e = 0; e < table.edge_of.size(); ++e)
      figures.sides[side].calls_per_call[table.edge_of[e]] = table.rates[side][e];
  }
  return figures;
}

/// main calls 1 so often, at so much.
struct Called {
  std::array<long double, 2> rates{100, 100}, price{10, 10};
  BothSides counts{100, 150};
  std::array<long double, 2> entries{1, 1};
};

Solved solved(const Called& of, bool figures_differ = true) {
  FlowGraph graph;
  graph.nodes.resize(2);
  graph.nodes[1].self = {1000, 1700};
  graph.edges = {{0, 1, of.counts, {}}};
  index_edges(graph);
  FlowTable table = table_of(graph);
  table.caller_edge[1] = 0;
  for (size_t side = 0; side < 2; ++side) {
    table.own[side][1] = of.price[side];
    table.rates[side][0] = of.rates[side];
  }
  table.sources[0].calls = of.entries;
  Decomposition figures = figures_of(graph, table);
  if (!figures_differ) figures.sides[1] = figures.sides[0];
  ClusterFactors factors;
  const std::vector<bool> split(2, false);
  Solved found = solve_table(graph, table, split, figures, factors);
  EXPECT_EQ(found.split, split);
  return found;
}

double number(long double value) { return static_cast<double>(value); }

TEST(SolvedTableTest, MoreCallsThatAreCheaperEachAreOneChange) {
  // 50 calls more at 9.75: 487.5; a hundred by 0.25 cheaper.
  const Solved one = solved({{100, 150}, {10, 9.75L}});
  EXPECT_EQ(one.told, (TellingPlaces{Told::kBelow, Told::kWithCalls}));
  EXPECT_EQ(one.terms.own, (Figures{0, 0}));
  EXPECT_EQ(one.terms.calls, Figures{462.5L});
  EXPECT_EQ(one.gross, 462.5L);
  EXPECT_EQ(one.solution.common_calls, (Figures{1, 100}));
  const Solved back = solved({{150, 100}, {9.75L, 10}});
  EXPECT_EQ(back.told[1], Told::kWithCalls);
  EXPECT_EQ(back.terms.calls, Figures{-462.5L});
}

TEST(SolvedTableTest, BelowATwentiethOfTheCallsTheirPriceIsAChangeOfItsOwn) {
  const Solved two = solved({{100, 150}, {10, 9.76L}});
  EXPECT_EQ(two.told, TellingPlaces(2, Told::kBelow));
  EXPECT_NEAR(number(two.terms.own[1]), -24, 1e-12);
  EXPECT_NEAR(number(two.terms.calls[0]), 488, 1e-12);
  EXPECT_NEAR(number(two.gross), 512, 1e-12);
}

TEST(SolvedTableTest, AboveThreeQuartersOfTheCallsToo) {
  EXPECT_EQ(solved({{100, 150}, {10, 7.28L}}).told[1], Told::kWithCalls);
  EXPECT_EQ(solved({{100, 150}, {10, 7.27L}}).told[1], Told::kBelow);
  EXPECT_EQ(solved({{150, 100}, {7.28L, 10}}).told[1], Told::kWithCalls);
  EXPECT_EQ(solved({{150, 100}, {7.27L, 10}}).told[1], Told::kBelow);
}

TEST(SolvedTableTest, MoreCallsThatAreDearerAreTwoChanges) {
  EXPECT_EQ(solved({{100, 150}, {10, 11}}).told[1], Told::kBelow);
  EXPECT_EQ(solved({{150, 100}, {10, 9}}).told[1], Told::kBelow);
  EXPECT_EQ(solved({{100, 150}, {10, 9}, {100, 0}}).told[1], Told::kBelow) << "head counts none";
  EXPECT_EQ(solved({{100, 150}, {10, 9}, {0, 150}}).told[1], Told::kBelow) << "base counts none";
}

TEST(SolvedTableTest, CallsThatWereMadeUpCountThreeTimes) {
  EXPECT_NEAR(number(solved({{100, 150}, {10, 12}}).gross), 200 + 50 * 12, 1e-9);
  EXPECT_NEAR(number(solved({{100, 150}, {10, 12}}, false).gross), 200 + 3 * 50 * 12, 1e-9)
      << "as many for each call as before";
  EXPECT_NEAR(number(solved({{99, 100}, {10, 12}}).gross), 198 + 3 * 12, 1e-9) << "to a hundredth";
  EXPECT_NEAR(number(solved({{98.9L, 100}, {10, 12}}).gross), 197.8 + 1.1 * 12, 1e-9);
  EXPECT_NEAR(number(solved({{100, 98.9L}, {12, 10}}).gross), 197.8 + 1.1 * 12, 1e-9);
}

TEST(SolvedTableTest, EntriesCountToo) {
  const Solved twice = solved({.rates = {100, 100}, .price = {10, 9}, .entries = {1, 3}});
  EXPECT_EQ(twice.terms.entry, (Figures{2 * 900, 0}));
  EXPECT_EQ(twice.gross, 1800 + 100);
}

TEST(OwnTermsTest, WhatDoesNotScaleIsItsOwnTerm) {
  FlowGraph graph;
  graph.nodes = {{{100, 130}, {}}, {{50, 20}, {}}};
  index_edges(graph);
  FlowTable table = table_of(graph);
  Decomposition figures = figures_of(graph, table);
  FlowTerms terms;
  terms.own = {3, 4};
  std::vector<bool> split(2, false);
  EXPECT_EQ(own_terms(graph, table, terms, split, figures), (Figures{3, 4}));
  figures.fixed_self = {true, true};
  EXPECT_EQ(own_terms(graph, table, terms, split, figures), (Figures{33, -26}));
  figures.further_self[1] = 2;
  EXPECT_EQ(own_terms(graph, table, terms, split, figures), (Figures{33, 4})) << "it has a part that scales";
  split[0] = true;
  EXPECT_EQ(own_terms(graph, table, terms, split, figures), (Figures{3, 4}));
  table.node_of = {1, 1};
  EXPECT_EQ(own_terms(graph, table, terms, split, figures), (Figures{0, 7})) << "two nodes of one function";
}

/// main calls two functions, which call a third one ten times each; that is split.
class SplitTableTest : public testing::Test {
 protected:
  SplitTableTest() {
    graph_.nodes.resize(4);
    graph_.edges = {
        {0, 1, {1, 1}, {}}, {0, 2, {1, 1}, {}}, {1, 3, {10, 10}, {1000, 1001}}, {2, 3, {10, 10}, {3000, 3500}}};
    index_edges(graph_);
  }
  TellingPlaces told() {
    FlowGraph of_table;
    of_table.nodes.resize(5);
    of_table.edges = {{0, 1, {}, {}}, {0, 2, {}, {}}, {1, 3, {}, {}}, {2, 4, {}, {}}};
    index_edges(of_table);
    FlowTable table = table_of(of_table);
    table.node_of = {0, 1, 2, 3, 3};
    table.is_split = {false, false, false, true, is_split_};
    table.caller_edge = {FlowTable::kAllCallers, 0, 1, 2, 3};
    table.prices = {Figures{1, 1, 1, shares_[0], 1.5L}, Figures{1, 1, 1, shares_[1], 1.5L}};
    table.own = {Figures{0, 0, 0, 100, 300}, Figures{0, 0, 0, 90, 360}};
    table.rates = {Figures{1, 1, 10, 10}, Figures{1, 1, 10, 10}};
    ClusterFactors factors;
    solved_ = solve_table(graph_, table, {false, false, false, true}, figures_of(graph_, table), factors);
    return solved_.told;
  }
  static TellingPlaces only(uint32_t node) {
    TellingPlaces told(5, Told::kBelow);
    told[node] = Told::kWithCalls;
    return told;
  }

  FlowGraph graph_;
  std::array<long double, 2> shares_ = {0.5L, 0.45L};
  bool is_split_ = true;
  Solved solved_;
  const TellingPlaces below_ = TellingPlaces(5, Told::kBelow);
};

TEST_F(SplitTableTest, ACallerWhoseCallsCostWhatTheyDidHasNoTermBelow) {
  EXPECT_EQ(told(), only(3));
  EXPECT_EQ(solved_.terms.own, (Figures{0, 0, 0, 0, 600}));
  EXPECT_EQ(solved_.terms.calls, (Figures{0, 0, -100, 0}));
  EXPECT_EQ(solved_.gross, 600 + 3 * 100);
}

TEST_F(SplitTableTest, CostsThatDifferByLessThanAThousandthAreTheSame) {
  graph_.edges[2].inclusive = {1002, 1000};
  EXPECT_EQ(told(), below_);
  graph_.edges[2].inclusive = {1001, 1000};
  EXPECT_EQ(told(), only(3));
  graph_.edges[2].calls = {10, 0};
  EXPECT_EQ(told(), below_) << "head does not make them";
  graph_.edges[2].calls = {0, 10};
  EXPECT_EQ(told(), below_);
}

TEST_F(SplitTableTest, WhereNoOtherCallersCallsChangedThereIsNothingToTellApart) {
  graph_.edges[3].inclusive = {3000, 3030};
  EXPECT_EQ(told(), below_) << "a hundredth";
  graph_.edges[3].inclusive = {3000, 3031};
  EXPECT_EQ(told(), only(3));
  graph_.edges[3].inclusive = {3031, 3000};
  EXPECT_EQ(told(), only(3));
  graph_.edges[3].inclusive = {3000, 3000};
  graph_.edges[3].calls = {10, 0};
  EXPECT_EQ(told(), only(3)) << "the other's are gone";
  graph_.edges[3].calls = {10, 10};
  graph_.edges[3].inclusive = {3000, 3500};
  is_split_ = false;
  EXPECT_EQ(told(), below_) << "it is no node of the split function";
}

TEST_F(SplitTableTest, ACallerOfTheSameShareHasNoTermsThatWereMadeUp) {
  shares_ = {0.5L, 0.491L};
  EXPECT_EQ(told(), below_);
  shares_ = {0.5L, 0.489L};
  EXPECT_EQ(told(), only(3));
  shares_ = {0.489L, 0.5L};
  EXPECT_EQ(told(), only(3));
}

}  // namespace
}  // namespace icount
