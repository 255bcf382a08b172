#include "icount/callgraph/cut_graph.h"

#include <gtest/gtest.h>

#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(CutGraphTest, RemovedFunctionsTakeTheirCostAndTheirCallsAlong) {
  CostGraph graph = GraphBuilder()
                        .line("work", "work.cc", 3, 100)
                        .line("hook", "hook.cc", 1, 25)
                        .line("leaf", "leaf.cc", 9, 7)
                        .calls("work", "hook", 5, 32)
                        .calls("hook", "leaf", 5, 7)
                        .calls("work", "leaf", 1, 1)
                        .graph();
  remove_functions(graph, [&](FunctionIndex f) { return graph.name(f) == "hook"; });
  check_cost_graph(graph);
  EXPECT_EQ(graph.totals[0], 107);
  ASSERT_EQ(graph.functions.size(), 2u);
  ASSERT_EQ(graph.edges.size(), 1u);
  EXPECT_EQ(graph.name(graph.edges[0].caller), "work");
  EXPECT_EQ(graph.name(graph.edges[0].callee), "leaf");
  ASSERT_EQ(graph.lines.size(), 2u);
  EXPECT_EQ(graph.name(graph.lines[0].function), "work");
}

TEST(CutGraphTest, CallersThatWereActiveBeforeAreRemoved) {
  CostGraph graph = GraphBuilder()
                        .function("work", 100)
                        .function("leaf", 7)
                        .calls("main", "run", 0, 107)
                        .calls("run", "work", 0, 107)
                        .calls("work", "leaf", 2, 7)
                        .graph();
  remove_outer_callers(graph);
  check_cost_graph(graph);
  EXPECT_EQ(graph.totals[0], 107);
  EXPECT_EQ(graph.functions.size(), 2u);
  EXPECT_EQ(graph.edges.size(), 1u);
}

}  // namespace
}  // namespace icount
