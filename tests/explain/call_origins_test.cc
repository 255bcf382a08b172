// Which caller a dispatcher's calls come from: explain/flow/edge_prices.h.
#include "icount/explain/flow/edge_prices.h"

#include <gtest/gtest.h>

#include "icount/explain/explain.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

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

uint32_t edge(const FlowGraph& graph, uint32_t caller, uint32_t callee) {
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (graph.edges[e].caller == caller && graph.edges[e].callee == callee) return e;
  return kAnyCaller;
}

const std::vector<bool> kDispatcher = {false, false, false, true, false, false};

TEST(CallOriginsTest, CostsTellWhoseCallsTheyAre) {
  const FlowGraph graph = dispatcher({1, 120}, {121, 121}, {7600, 549680}, {140000, 140000});
  const std::vector<uint32_t> origins = find_call_origins(graph, kDispatcher);
  EXPECT_EQ(origins[edge(graph, 3, 4)], edge(graph, 1, 3));
  EXPECT_EQ(origins[edge(graph, 3, 5)], edge(graph, 2, 3));
  EXPECT_EQ(origins[edge(graph, 1, 3)], kAnyCaller);
}

TEST(CallOriginsTest, TwoCallersThatPayTheSameTellNothing) {
  const FlowGraph graph = dispatcher({10, 10}, {10, 10}, {5000, 9000}, {5000, 9000});
  const std::vector<uint32_t> origins = find_call_origins(graph, kDispatcher);
  EXPECT_EQ(origins[edge(graph, 3, 4)], kAnyCaller);
  EXPECT_EQ(origins[edge(graph, 3, 5)], kAnyCaller);
}

TEST(CallOriginsTest, CallsThatBothMakeTellNothing) {
  FlowGraph graph = dispatcher({10, 10}, {30, 30}, {5000, 9000}, {50000, 50000});
  graph.edges[edge(graph, 1, 3)].inclusive = {20000, 20000};  // more than 4 costs, less than 5
  graph.edges[edge(graph, 2, 3)].inclusive = {35400, 39400};
  EXPECT_EQ(find_call_origins(graph, kDispatcher)[edge(graph, 3, 4)], kAnyCaller);
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
