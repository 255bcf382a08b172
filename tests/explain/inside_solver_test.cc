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

InsideFigures solved(const Loop& loop) {
  return solve_inside(graph_of(loop), {{7, {100, 100}, loop.worth}}, {10, 10}, 10);
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

TEST(InsideSolverTest, ACycleHasNoFigures) {
  InsideGraph graph = graph_of({});
  graph.edges.push_back({kIteration, kEntry, {1, 1}});
  EXPECT_TRUE(solve_inside(graph, {}, {10, 10}, 10).has_cycle);
}

constexpr uint32_t kFirst = 3, kSecond = 4;     // callees' nodes of the graph below; the others are those above
constexpr uint32_t kEnters = 0, kIterates = 1;  // edges
constexpr uint32_t kCheap = 7, kDear = 8;       // callees

/// A function that is called ten times; its loop is entered once per call, and its iterations call two others.
struct TwoCallees {
  BothSides entries{10, 10}, iterations{100, 100}, cost{200, 200}, of_cheap{100, 100}, of_dear{50, 50};

  InsideGraph graph() const {
    InsideGraph graph;
    graph.nodes = {{InsideKind::kBody, 0, {50, 50}},
                   {InsideKind::kEntry, 1, {0, 0}},
                   {InsideKind::kIteration, 1, cost},
                   {InsideKind::kCallee, kCheap, {0, 0}},
                   {InsideKind::kCallee, kDear, {0, 0}}};
    graph.edges = {{0, kEntry, entries},
                   {kEntry, kIteration, iterations},
                   {kIteration, kFirst, of_cheap},
                   {kIteration, kSecond, of_dear}};
    return graph;
  }
  InsideFigures solved() const {
    return solve_inside(graph(), {{kCheap, of_cheap, {4, 4}}, {kDear, of_dear, {30, 30}}}, {10, 10}, 10);
  }
  InsideContents behind(const std::vector<uint32_t>& edges) const { return contents_behind(graph(), solved(), edges); }
};

TEST(InsideContentsTest, ALoopOfOneSideIsAllThatItDoes) {
  const TwoCallees gone{
      .entries = {10, 0}, .iterations = {100, 0}, .cost = {200, 0}, .of_cheap = {100, 0}, .of_dear = {50, 0}};
  const InsideContents contents = gone.behind({kEnters});
  EXPECT_EQ(contents.own_cost, -200);
  EXPECT_EQ(contents.calls.at(kCheap).value, -400);
  EXPECT_EQ(contents.calls.at(kDear).calls, -50);
  EXPECT_EQ(contents.calls.at(kDear).value, -1500);
  EXPECT_EQ(gone.solved().edge_terms[kEnters], -2100);
}

TEST(InsideContentsTest, WhatBothSidesDoAsOftenIsNone) {
  const InsideContents contents = TwoCallees{}.behind({kEnters, kIterates});
  EXPECT_EQ(contents.own_cost, 0);
  EXPECT_TRUE(contents.calls.empty());
}

}  // namespace
}  // namespace icount
