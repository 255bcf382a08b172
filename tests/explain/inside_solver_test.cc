// Figures and terms of a function's inside: a body, a loop, a branch and a callee, figure by figure.
#include "icount/explain/inside/inside_graph.h"

#include <gtest/gtest.h>

#include <numeric>

namespace icount {
namespace {

constexpr uint32_t kBody = 0, kEntry = 1, kIteration = 2, kCallee = 3;  // nodes of the graph below
using Figures = std::vector<long double>;

/// A function that is called ten times; its loop is entered once per call, and each iteration calls node 7.
struct Loop {
  BothSides body{50, 50}, iterations{100, 100}, cost{200, 200}, calls{100, 100};
  std::array<long double, 2> worth{4, 4};
};

InsideGraph graph_of(const Loop& loop) {
  InsideGraph graph;
  graph.nodes = {{InsideKind::kBody, 0, loop.body},
                 {InsideKind::kEntry, 1, {0, 0}},
                 {InsideKind::kIteration, 1, loop.cost},
                 {InsideKind::kCallee, 7, {0, 0}}};
  graph.edges = {{kBody, kEntry, {10, 10}}, {kEntry, kIteration, loop.iterations}, {kIteration, kCallee, loop.calls}};
  return graph;
}

InsideFigures solved(const Loop& loop, const std::array<long double, 2>& calls = {10, 10}, long double common = 10) {
  return solve_inside(graph_of(loop), {{7, {100, 100}, loop.worth}}, calls, common);
}

TEST(InsideSolverTest, TimesRatesAndWorths) {
  const InsideFigures figures = solved({.iterations = {100, 300}, .cost = {200, 900}, .calls = {100, 600}});
  EXPECT_FALSE(figures.has_cycle);
  EXPECT_EQ(figures.times[0], (Figures{10, 10, 100, 100}));
  EXPECT_EQ(figures.times[1], (Figures{10, 10, 300, 600}));
  EXPECT_EQ(figures.own_cost[0], (Figures{5, 0, 2, 0}));
  EXPECT_EQ(figures.own_cost[1], (Figures{5, 0, 3, 0}));
  EXPECT_EQ(figures.rates[0], (Figures{1, 10, 1}));
  EXPECT_EQ(figures.rates[1], (Figures{1, 30, 2}));
  EXPECT_EQ(figures.worth[0], (Figures{65, 60, 6, 4}));
  EXPECT_EQ(figures.worth[1], (Figures{335, 330, 11, 4}));
}

TEST(InsideSolverTest, TermsCountByWhatIsCommon) {
  const InsideFigures more = solved({.iterations = {100, 300}, .cost = {200, 600}, .calls = {100, 300}});
  EXPECT_EQ(more.edge_terms, (Figures{0, 10 * 20 * 6, 0})) << "twenty more iterations per entry at what one is worth";
  EXPECT_EQ(more.node_terms, (Figures{0, 0, 0, 0}));
  const InsideFigures dearer = solved({.cost = {200, 700}});
  EXPECT_EQ(dearer.node_terms, (Figures{0, 0, 500, 0}));
  EXPECT_EQ(dearer.edge_terms, (Figures{0, 0, 0}));
  const InsideFigures both = solved({.iterations = {100, 300}, .cost = {200, 900}, .calls = {100, 300}});
  EXPECT_EQ(both.node_terms, (Figures{0, 0, 100, 0})) << "by the hundred iterations of both";
  EXPECT_EQ(both.edge_terms, (Figures{0, 200 * 7, 0}));
}

TEST(InsideSolverTest, SwappingTheSidesNegatesTheTerms) {
  const Loop there{
      .body = {50, 90}, .iterations = {100, 300}, .cost = {200, 900}, .calls = {100, 150}, .worth = {4, 6}};
  Loop back = there;
  for (BothSides* figure : {&back.body, &back.iterations, &back.cost, &back.calls})
    std::swap((*figure)[0], (*figure)[1]);
  std::swap(back.worth[0], back.worth[1]);
  const InsideFigures one = solved(there), other = solved(back);
  for (size_t i = 0; i < one.node_terms.size(); ++i) EXPECT_EQ(one.node_terms[i], -other.node_terms[i]);
  for (size_t i = 0; i < one.edge_terms.size(); ++i) EXPECT_EQ(one.edge_terms[i], -other.edge_terms[i]);
}

TEST(InsideSolverTest, ASideThatDoesNotComeToANodeTakesTheOthersFigures) {
  const InsideFigures figures = solved({.iterations = {0, 300}, .cost = {0, 900}, .calls = {0, 300}});
  EXPECT_EQ(figures.own_cost[0][kIteration], 3);
  EXPECT_EQ(figures.rates[0], (Figures{1, 0, 1}));
  EXPECT_EQ(figures.node_terms, (Figures{0, 0, 0, 0}));
  EXPECT_EQ(figures.edge_terms, (Figures{0, 10 * 30 * 7, 0}));
}

/// What terms come to, less what the callee's own terms tell of: the calls that both sides make of it.
long double told(const InsideFigures& figures) {
  return std::accumulate(figures.node_terms.begin(), figures.node_terms.end(), 0.0L) +
         std::accumulate(figures.edge_terms.begin(), figures.edge_terms.end(), 0.0L);
}

TEST(InsideSolverTest, WhatACalleeItselfCostsMoreIsItsOwnTerm) {
  EXPECT_EQ(told(solved({.worth = {4, 9}})), 0) << "the calls of both sides are told with the callee";
  // Ten times as many iterations of a tenth of the calls each: as many calls as before.
  const InsideFigures turned = solved({.iterations = {100, 1000}, .cost = {200, 2000}, .worth = {4, 9}});
  EXPECT_EQ(told(turned), 1800) << "the iterations alone";
  EXPECT_NE(turned.edge_terms[2], 0) << "given back where the calls are made";
}

TEST(InsideSolverTest, WhatIsGivenBackGoesToTheEdgeWithTheMostCalls) {
  Loop loop{.iterations = {100, 1000}, .cost = {200, 2000}, .calls = {90, 90}, .worth = {4, 9}};
  InsideGraph graph = graph_of(loop);
  graph.edges.insert(graph.edges.begin() + 1, {kBody, kCallee, {10, 10}});
  const auto terms = [&] { return solve_inside(graph, {{7, {100, 100}, loop.worth}}, {10, 10}, 10).edge_terms; };
  EXPECT_EQ(terms()[1], 0);
  EXPECT_NE(terms()[3], 0);
  graph.edges[1].times = {500, 500};
  graph.edges[3].times = {90, 900};
  const Figures other = terms();
  EXPECT_NEAR(static_cast<double>(std::accumulate(other.begin(), other.end(), 0.0L)), 1800 + (900 - 90) * 9, 1e-9)
      << "calls that came are the callee's worth in head";
}

TEST(InsideSolverTest, ACalleeThatTheWholeGraphDoesNotKnowIsWorthNothing) {
  const InsideFigures figures = solve_inside(graph_of({.calls = {100, 200}}), {}, {10, 10}, 10);
  EXPECT_EQ(figures.worth[1][kCallee], 0);
  EXPECT_EQ(told(figures), 0);
}

TEST(InsideSolverTest, SharesHaveTheMeanInCommon) {
  InsideGraph graph;
  graph.nodes = {{InsideKind::kBody, 0, {0, 0}}, {InsideKind::kBlock, 1, {80, 20}}, {InsideKind::kBlock, 2, {20, 80}}};
  graph.edges = {{0, 1, {8, 2}, true}, {0, 2, {2, 8}, true}};
  const InsideFigures figures = solve_inside(graph, {}, {10, 10}, 10);
  EXPECT_EQ(figures.node_terms, (Figures{0, 0, 0}));
  EXPECT_NEAR(static_cast<double>(figures.edge_terms[0]), -60, 1e-9) << "three less and three less again, at ten";
  EXPECT_NEAR(static_cast<double>(figures.edge_terms[1]), 60, 1e-9);
  for (InsideEdge& edge : graph.edges) edge.is_share = false;
  EXPECT_NEAR(static_cast<double>(solve_inside(graph, {}, {10, 10}, 10).edge_terms[0]), -60, 1e-9);
  graph.nodes[1].self = {80, 40};
  EXPECT_NEAR(static_cast<double>(solve_inside(graph, {}, {10, 10}, 10).node_terms[1]), 20, 1e-9) << "by the lesser";
  for (InsideEdge& edge : graph.edges) edge.is_share = true;
  EXPECT_NEAR(static_cast<double>(solve_inside(graph, {}, {10, 10}, 10).node_terms[1]), 50, 1e-9) << "by the mean";
}

TEST(InsideSolverTest, ACycleHasNoFigures) {
  InsideGraph graph = graph_of({});
  graph.edges.push_back({kIteration, kEntry, {1, 1}});
  EXPECT_TRUE(solve_inside(graph, {}, {10, 10}, 10).has_cycle);
}

}  // namespace
}  // namespace icount
