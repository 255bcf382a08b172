#include "icount/callgraph/allocation_graph.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/graph_builder.h"

namespace icount {
namespace {

CostGraph program() {
  return GraphBuilder()
      .calls("main", "parse", 10)
      .calls("main", "load", 1)
      .calls("load", "parse", 5)
      .calls("parse", "operator new(unsigned long)", 30)
      .calls("operator new(unsigned long)", "malloc", 30)
      .calls("malloc", "_int_malloc", 7)
      .calls("load", "malloc", 2)
      .calls("parse", "free", 4)
      .graph();
}

TEST(AllocationGraphTest, WhoAllocatesIsTheCostAndTheAllocatorIsGone) {
  const auto graph = make_allocation_graph(program(), "allocations");
  ASSERT_TRUE(graph);
  check_cost_graph(*graph);
  EXPECT_EQ(graph->totals.at(0), 32);
  std::map<std::string, int64_t> self;
  for (FunctionIndex f = 0; f < graph->functions.size(); ++f) self[std::string(graph->name(f))] = graph->self[f];
  EXPECT_EQ(self, (std::map<std::string, int64_t>{{"main", 0}, {"parse", 30}, {"load", 2}}));
  for (size_t e = 0; e < graph->edges.size(); ++e) {
    const std::string caller(graph->name(graph->edges[e].caller)), callee(graph->name(graph->edges[e].callee));
    const int64_t expected = callee == "load" ? 12 : caller == "main" ? 20 : 10;
    EXPECT_EQ(graph->inclusive[e], expected) << caller << " to " << callee;
  }
  EXPECT_EQ(make_allocation_graph(program(), "frees")->totals.at(0), 4);
}

TEST(AllocationGraphTest, WhatIsNotKnownHasNoGraph) {
  EXPECT_FALSE(make_allocation_graph(GraphBuilder().calls("main", "malloc", 5).untrusted("why").graph(), "frees"));
}

}  // namespace
}  // namespace icount
