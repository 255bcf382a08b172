// What calls cost inside an opened function: the change of a callee's worth is the callee's, or the calls'.
#include <gtest/gtest.h>

#include <numeric>

#include "icount/explain/inside/inside_graph.h"

namespace icount {
namespace {

constexpr uint32_t kCalleeNode = 5;

/// Entered once by a body called 10 times on both sides, a loop iterates 2 and 3 times per entry and calls a function
/// once per iteration.
InsideGraph loop_that_calls() {
  InsideGraph graph;
  graph.nodes = {{InsideKind::kBody, 0, {}},
                 {InsideKind::kEntry, 1, {}},
                 {InsideKind::kIteration, 1, {}},
                 {InsideKind::kCallee, kCalleeNode, {}}};
  graph.edges = {{0, 1, {10, 10}, false}, {1, 2, {20, 30}, false}, {2, 3, {20, 30}, false}};
  return graph;
}

long double sum_of(const InsideFigures& figures) {
  return std::accumulate(figures.edge_terms.begin(), figures.edge_terms.end(), 0.0L) +
         std::accumulate(figures.node_terms.begin(), figures.node_terms.end(), 0.0L);
}

TEST(InsidePricesTest, WhatACalleeCostsMoreIsItsOwnOrTheCalls) {
  const auto solve = [](bool told_with_calls) {
    const std::vector<InsideCallee> callees = {{kCalleeNode, {20, 30}, {100, 80}, told_with_calls}};
    return solve_inside(loop_that_calls(), callees, {10, 10}, 10);
  };
  EXPECT_DOUBLE_EQ(static_cast<double>(sum_of(solve(false))), 10 * 80.0) << "10 further iterations";
  const InsideFigures with_calls = solve(true);
  EXPECT_DOUBLE_EQ(static_cast<double>(sum_of(with_calls)), 30 * 80.0 - 20 * 100.0);
  EXPECT_DOUBLE_EQ(static_cast<double>(with_calls.edge_terms[1]), 10 * 80.0);
  EXPECT_DOUBLE_EQ(static_cast<double>(with_calls.edge_terms[2]), -20 * 20.0) << "20 common calls";
}

TEST(InsidePricesTest, OfAFunctionThatIsCalledOnce) {
  InsideGraph graph = loop_that_calls();
  graph.edges = {{0, 1, {1, 1}, false}, {1, 2, {2, 3}, false}, {2, 3, {2, 3}, false}};
  const InsideFigures figures = solve_inside(graph, {{kCalleeNode, {2, 3}, {100, 80}, false}}, {1, 1}, 1);
  EXPECT_DOUBLE_EQ(static_cast<double>(sum_of(figures)), 80) << "one iteration more";
}

}  // namespace
}  // namespace icount
