// What the change of a loop or a branch is of: self cost and calls behind an edge (explain/inside/inside_graph.h).
#include "icount/explain/inside/inside_graph.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

constexpr uint32_t kEntry = 1, kIteration = 2, kFirst = 3, kSecond = 4;  // nodes; 0 is the body
constexpr uint32_t kEnters = 0, kIterates = 1;                           // edges
constexpr uint32_t kCheap = 7, kDear = 8;                                // callees

/// A function that is called ten times; its loop is entered once per call, and its iterations call two others.
struct Loop {
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

TEST(InsideContentsTest, FurtherIterationsBringTheirOwnCostAndTheirCalls) {
  const Loop more{.iterations = {100, 300}, .cost = {200, 600}, .of_cheap = {100, 300}, .of_dear = {50, 150}};
  const InsideContents contents = more.behind({kIterates});
  EXPECT_EQ(contents.own_cost, 200 * 2);
  ASSERT_EQ(contents.calls.size(), 2u);
  EXPECT_EQ(contents.calls.at(kCheap).calls, 200);
  EXPECT_EQ(contents.calls.at(kCheap).value, 200 * 4);
  EXPECT_EQ(contents.calls.at(kDear).calls, 100);
  EXPECT_EQ(contents.calls.at(kDear).value, 100 * 30);
  EXPECT_EQ(more.solved().edge_terms[kIterates], 400 + 800 + 3000) << "all of the term";
}

TEST(InsideContentsTest, ALoopOfOneSideIsAllThatItDoes) {
  const Loop gone{
      .entries = {10, 0}, .iterations = {100, 0}, .cost = {200, 0}, .of_cheap = {100, 0}, .of_dear = {50, 0}};
  const InsideContents contents = gone.behind({kEnters});
  EXPECT_EQ(contents.own_cost, -200);
  EXPECT_EQ(contents.calls.at(kCheap).value, -400);
  EXPECT_EQ(contents.calls.at(kDear).calls, -50);
  EXPECT_EQ(contents.calls.at(kDear).value, -1500);
  EXPECT_EQ(gone.solved().edge_terms[kEnters], -2100);
}

TEST(InsideContentsTest, EachSideHasItsOwnRates) {
  const Loop other{
      .entries = {10, 20}, .iterations = {100, 100}, .cost = {200, 300}, .of_cheap = {0, 100}, .of_dear = {100, 0}};
  const InsideContents contents = other.behind({kEnters, kIterates});
  const InsideFigures figures = other.solved();
  long double sum = contents.own_cost;
  for (const auto& [callee, calls] : contents.calls) sum += calls.value;
  EXPECT_NEAR(static_cast<double>(sum),
              static_cast<double>(figures.edge_terms[kEnters] + figures.edge_terms[kIterates]), 1e-9);
  // Ten more entries of five iterations each, and five fewer iterations in each of ten.
  EXPECT_EQ(contents.own_cost, 50 * 3 - 50 * 2);
  EXPECT_EQ(contents.calls.at(kCheap).calls, 50);
  EXPECT_EQ(contents.calls.at(kDear).calls, -50);
}

TEST(InsideContentsTest, WhatBothSidesDoAsOftenIsNone) {
  const InsideContents contents = Loop{}.behind({kEnters, kIterates});
  EXPECT_EQ(contents.own_cost, 0);
  EXPECT_TRUE(contents.calls.empty());
}

}  // namespace
}  // namespace icount
