#include "icount/callgraph/graph_sum.h"

#include <gtest/gtest.h>

#include "support/graph_builder.h"

namespace icount {
namespace {

int64_t inclusive(const CostGraph& graph, std::string_view caller, std::string_view callee) {
  for (size_t e = 0; e < graph.edges.size(); ++e)
    if (graph.name(graph.edges[e].caller) == caller && graph.name(graph.edges[e].callee) == callee)
      return graph.inclusive_of(e, 0);
  return -1;
}

TEST(GraphSumTest, AddsCostsAndCallsOfTheSameFunctions) {
  const CostGraph a = GraphBuilder().function("main", 5).function("f", 20).calls("main", "f", 2, 20).graph();
  const CostGraph b = GraphBuilder().function("f", 7).function("main", 1).calls("main", "f", 1, 7).graph();
  const CostGraph* both[] = {&a, &b};
  const CostGraph sum = sum_graphs(both);
  EXPECT_NO_THROW(check_cost_graph(sum));
  EXPECT_EQ(sum.totals, (std::vector<int64_t>{33}));
  EXPECT_EQ(sum.functions.size(), 2u);
  EXPECT_EQ(inclusive(sum, "main", "f"), 27);
  EXPECT_EQ(sum.edges.at(0).calls, 3);
  EXPECT_EQ(sum.parts, 2);
}

TEST(GraphSumTest, AnEventThatOneLacksCountsAsZeroAndDistrustStays) {
  const CostGraph a = GraphBuilder("Ir").function("f", 3).graph();
  const CostGraph b = GraphBuilder("Bc").function("f", 4).untrusted("sampled").graph();
  const CostGraph* both[] = {&a, &b};
  const CostGraph sum = sum_graphs(both);
  EXPECT_EQ(sum.events, (std::vector<std::string>{"Ir", "Bc"}));
  EXPECT_EQ(sum.totals, (std::vector<int64_t>{3, 4}));
  EXPECT_FALSE(sum.call_counts.trusted);
  EXPECT_NO_THROW(check_cost_graph(sum));
}

TEST(GraphSumTest, CallsThatWereActiveAtADumpGetTheirCostBack) {
  CostGraph graph = GraphBuilder()
                        .function("main", 10)
                        .function("work", 100)
                        .function("leaf", 1000)
                        .function("other", 1)
                        .calls("main", "work", 1, 0)
                        .calls("work", "leaf", 3, 700)
                        .calls("other", "leaf", 1, 100)
                        .graph();
  complete_inclusive(graph);
  EXPECT_EQ(inclusive(graph, "work", "leaf"), 900);
  EXPECT_EQ(inclusive(graph, "other", "leaf"), 100);
  EXPECT_EQ(inclusive(graph, "main", "work"), 1000);
  const std::vector<int64_t> once = graph.inclusive;
  complete_inclusive(graph);
  EXPECT_EQ(graph.inclusive, once) << "what is whole stays as it is";
}

}  // namespace
}  // namespace icount
