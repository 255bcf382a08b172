// Calls that went another way are booked on the shorter one: explain/flow/edge_prices.h.
#include "icount/explain/flow/edge_prices.h"

#include <gtest/gtest.h>

#include "icount/explain/flow/opened_flow.h"

namespace icount {
namespace {

struct Call {
  uint32_t caller, callee;
  BothSides calls, inclusive;
};

/// Nodes are numbered; node 0 is entered once on both sides.
FlowGraph flow_of(uint32_t nodes, const std::vector<Call>& calls) {
  FlowGraph graph;
  graph.nodes.resize(nodes);
  for (FlowNode& node : graph.nodes) node.self = {100, 100};
  graph.nodes[0].entries = {1, 1};
  for (const Call& call : calls) graph.edges.push_back({call.caller, call.callee, call.calls, call.inclusive});
  index_edges(graph);
  return graph;
}

const FlowEdge& edge(const FlowGraph& graph, uint32_t caller, uint32_t callee) {
  for (const FlowEdge& edge : graph.edges)
    if (edge.caller == caller && edge.callee == callee) return edge;
  throw std::runtime_error("no such edge");
}

TEST(CallMovesTest, CallsThroughAFunctionOfOneSideAreTheCallersOwn) {
  // 0 calls 2 by way of 1 in base, itself in head.
  FlowGraph graph = flow_of(3, {{0, 1, {10, 0}, {1100, 0}}, {1, 2, {10, 0}, {1000, 0}}, {0, 2, {0, 10}, {0, 1000}}});
  const std::vector<CallMove> moves = join_call_moves(graph);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(edge(graph, 0, 2).calls, (BothSides{10, 10}));
  EXPECT_EQ(edge(graph, 0, 2).inclusive, (BothSides{1000, 1000}));
  EXPECT_EQ(edge(graph, 1, 2).calls, (BothSides{0, 0}));
  EXPECT_EQ(edge(graph, 0, 1).inclusive, (BothSides{100, 0})) << "what the way costs itself is left";
}

TEST(CallMovesTest, FunctionsOfOneSideAreLookedThroughToAnyDepth) {
  FlowGraph graph = flow_of(
      4,
      {{0, 1, {0, 10}, {0, 1200}}, {1, 2, {0, 10}, {0, 1100}}, {2, 3, {0, 10}, {0, 1000}}, {0, 3, {10, 0}, {1000, 0}}});
  ASSERT_EQ(join_call_moves(graph).size(), 1u);
  EXPECT_EQ(edge(graph, 0, 3).calls, (BothSides{10, 10}));
  EXPECT_EQ(edge(graph, 2, 3).calls, (BothSides{0, 0}));
}

TEST(CallMovesTest, EachCallerOfAFunctionOfOneSideTakesItsPart) {
  // Nodes 1 and 2 call 4 by way of 3 in base, themselves in head; half of what 3 calls belongs to each.
  FlowGraph graph = flow_of(5, {{0, 1, {1, 1}, {2000, 1500}},
                                {0, 2, {1, 1}, {2000, 1500}},
                                {1, 3, {10, 0}, {1500, 0}},
                                {2, 3, {10, 0}, {1500, 0}},
                                {3, 4, {200, 0}, {2000, 0}},
                                {1, 4, {0, 100}, {0, 1000}},
                                {2, 4, {0, 100}, {0, 1000}}});
  ASSERT_EQ(join_call_moves(graph).size(), 2u);
  EXPECT_EQ(edge(graph, 1, 4).calls, (BothSides{100, 100}));
  EXPECT_EQ(edge(graph, 2, 4).calls, (BothSides{100, 100})) << "not half of what the first one left";
  EXPECT_EQ(edge(graph, 3, 4).calls, (BothSides{0, 0}));
}

TEST(CallMovesTest, BetweenFunctionsOfBothSidesALossIsAGain) {
  // 1 calls 2 ten times less, 0 ten times more: the step went from callee to caller.
  FlowGraph graph =
      flow_of(3, {{0, 1, {10, 10}, {2000, 1000}}, {1, 2, {10, 0}, {1000, 0}}, {0, 2, {0, 10}, {0, 1000}}});
  ASSERT_EQ(join_call_moves(graph).size(), 1u);
  EXPECT_EQ(edge(graph, 0, 2).calls, (BothSides{10, 10}));
}

TEST(CallMovesTest, AnotherNumberOfCallsIsNoMove) {
  FlowGraph graph =
      flow_of(3, {{0, 1, {10, 10}, {2000, 1000}}, {1, 2, {100, 0}, {1000, 0}}, {0, 2, {0, 10}, {0, 1000}}});
  const std::vector<FlowEdge> before = graph.edges;
  EXPECT_TRUE(join_call_moves(graph).empty());
  EXPECT_EQ(edge(graph, 1, 2).calls, (BothSides{100, 0}));
}

TEST(CallMovesTest, WhatOthersCallThroughTheSameFunctionStays) {
  // Of a hundred calls of 1 only ten come from 0: what 1 lost is mostly others' doing.
  FlowGraph graph = flow_of(4, {{0, 1, {10, 10}, {1100, 100}},
                                {3, 1, {90, 90}, {9900, 900}},
                                {0, 3, {1, 1}, {9900, 900}},
                                {1, 2, {100, 0}, {10000, 0}},
                                {0, 2, {0, 10}, {0, 1000}}});
  EXPECT_TRUE(join_call_moves(graph).empty());
}

TEST(CallMovesTest, CallsAndTotalsOfEachSideStay) {
  FlowGraph graph = flow_of(
      4,
      {{0, 1, {10, 0}, {1100, 0}}, {1, 2, {7, 0}, {1000, 0}}, {0, 2, {3, 10}, {300, 1000}}, {0, 3, {5, 5}, {50, 50}}});
  const std::vector<BothSides> before = calls_of(graph);
  join_call_moves(graph);
  EXPECT_EQ(calls_of(graph), before);
}

TEST(CallMovesTest, TheyAreBookedBeforeAFlowIsDecomposed) {
  const FlowGraph graph =
      flow_of(3, {{0, 1, {10, 0}, {1100, 0}}, {1, 2, {10, 0}, {1000, 0}}, {0, 2, {0, 10}, {0, 1000}}});
  const OpenedFlow flow = decompose_with_leading_clusters_open(graph);
  ASSERT_EQ(flow.moves.size(), 1u);
  EXPECT_EQ(flow.moves[0].callee, 2u);
  for (const Term& term : flow.figures.terms)
    EXPECT_FALSE(term.kind == TermKind::kCalls && flow.condensed.graph.edges[term.index].callee == 2u) << "as before";
}

}  // namespace
}  // namespace icount
