// Calls that took another way, and whose calls go through a dispatcher: explain/flow/edge_prices.h.
#include "icount/explain/flow/edge_prices.h"

#include <gtest/gtest.h>

#include "icount/explain/explain.h"
#include "icount/explain/flow/opened_flow.h"
#include "support/graph_builder.h"

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
  join_call_moves(graph);
  EXPECT_EQ(edge(graph, 0, 2).calls, (BothSides{10, 10}));
  EXPECT_EQ(edge(graph, 0, 2).inclusive, (BothSides{1000, 1000}));
  EXPECT_EQ(edge(graph, 1, 2).calls, (BothSides{0, 0}));
  EXPECT_EQ(edge(graph, 0, 1).inclusive, (BothSides{100, 0})) << "what the way costs itself is left";
}

TEST(CallMovesTest, FunctionsOfOneSideAreLookedThroughToAnyDepth) {
  FlowGraph graph = flow_of(
      4,
      {{0, 1, {0, 10}, {0, 1200}}, {1, 2, {0, 10}, {0, 1100}}, {2, 3, {0, 10}, {0, 1000}}, {0, 3, {10, 0}, {1000, 0}}});
  join_call_moves(graph);
  EXPECT_EQ(edge(graph, 0, 3).calls, (BothSides{10, 10}));
  EXPECT_EQ(edge(graph, 2, 3).calls, (BothSides{0, 0}));
}

TEST(CallMovesTest, TheyAreBookedBeforeAFlowIsDecomposed) {
  const FlowGraph graph =
      flow_of(3, {{0, 1, {10, 0}, {1100, 0}}, {1, 2, {10, 0}, {1000, 0}}, {0, 2, {0, 10}, {0, 1000}}});
  const OpenedFlow flow = decompose_with_leading_clusters_open(graph);
  for (const Term& term : flow.figures.terms)
    EXPECT_FALSE(term.kind == TermKind::kCalls && flow.condensed.graph.edges[term.index].callee == 2u) << "as before";
}

/// 0 calls 1 and 2, both call the dispatcher 3, which calls 4 and 5. A dispatched call costs 10 itself.
FlowGraph dispatcher(BothSides first, BothSides second, BothSides of_four, BothSides of_five) {
  FlowGraph graph;
  graph.nodes.resize(6);
  graph.nodes[0].entries = {1, 1};
  const auto sum = [](BothSides a, BothSides b) { return BothSides{a[0] + b[0], a[1] + b[1]}; };
  const auto costs = [](BothSides calls, BothSides below) {
    return BothSides{10 * calls[0] + below[0], 10 * calls[1] + below[1]};
  };
  const BothSides calls = sum(first, second);
  graph.nodes[3].self = {10 * calls[0], 10 * calls[1]};
  graph.nodes[4].self = of_four;
  graph.nodes[5].self = of_five;
  graph.edges = {{0, 1, {1, 1}, costs(first, of_four)},
                 {0, 2, {1, 1}, costs(second, of_five)},
                 {1, 3, first, costs(first, of_four)},
                 {2, 3, second, costs(second, of_five)},
                 {3, 4, first, of_four},
                 {3, 5, second, of_five}};
  index_edges(graph);
  return graph;
}

uint32_t number_of(const FlowGraph& graph, uint32_t caller, uint32_t callee) {
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (graph.edges[e].caller == caller && graph.edges[e].callee == callee) return e;
  return kAnyCaller;
}

const std::vector<bool> kDispatcher = {false, false, false, true, false, false};

TEST(CallOriginsTest, TwoCallersThatPayTheSameTellNothing) {
  const FlowGraph graph = dispatcher({10, 10}, {10, 10}, {5000, 9000}, {5000, 9000});
  const std::vector<uint32_t> origins = find_call_origins(graph, kDispatcher);
  EXPECT_EQ(origins[number_of(graph, 3, 4)], kAnyCaller);
  EXPECT_EQ(origins[number_of(graph, 3, 5)], kAnyCaller);
}

TEST(CallOriginsTest, ACallThroughADispatcherIsWorthWhatItWasRecordedWith) {
  // `construct` and `call` go through `dispatch`; head constructs 120 times instead of once.
  GraphBuilder base, head;
  for (GraphBuilder* side : {&base, &head}) {
    const int64_t built = side == &head ? 120 : 1;
    side->function("run", 1000).function("construct", 20 * built).function("call", 20 * 121);
    side->function("dispatch", 30 * (built + 121)).function("compile", 4500 * built).function("test", 1150 * 121);
    side->calls("run", "construct", built, 4550 * built).calls("run", "call", 121, 1200 * 121);
    side->calls("construct", "dispatch", built, 4530 * built).calls("call", "dispatch", 121, 1180 * 121);
    side->calls("dispatch", "compile", built, 4500 * built).calls("dispatch", "test", 121, 1150 * 121);
  }
  const Explanation explanation = explain(base.graph(), head.graph());
  ASSERT_FALSE(explanation.causes.empty());
  EXPECT_EQ(explanation.causes[0].caller, "run");
  EXPECT_EQ(explanation.causes[0].callee, "construct");
  EXPECT_EQ(explanation.causes[0].delta, 4550 * 119);
}

}  // namespace
}  // namespace icount
