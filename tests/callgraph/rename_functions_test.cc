#include "icount/callgraph/rename_functions.h"

#include <gtest/gtest.h>

#include "support/graph_builder.h"

namespace icount {
namespace {

TEST(RenameFunctionsTest, AddsUpFunctionsWhoseNamesBecomeEqual) {
  CostGraph graph = GraphBuilder()
                        .function("main", 5)
                        .function("f<int>", 20)
                        .function("f<long>", 7)
                        .calls("main", "f<int>", 2, 24)
                        .calls("main", "f<long>", 1, 3)
                        .calls("f<int>", "f<long>", 1, 4)
                        .graph();
  const auto without_arguments = [](std::string_view name) { return std::string(name.substr(0, name.find('<'))); };
  EXPECT_EQ(rename_functions(graph, without_arguments), 2u);
  EXPECT_NO_THROW(check_cost_graph(graph));
  ASSERT_EQ(graph.functions.size(), 2u);
  EXPECT_EQ(graph.name(1), "f");
  EXPECT_EQ(graph.self_of(1, 0), 27);
  EXPECT_EQ(graph.totals, (std::vector<int64_t>{32}));
  EXPECT_EQ(calls_into(graph), (std::vector<int64_t>{0, 4})) << "the call between the two is recursion now";
}

TEST(RenameFunctionsTest, LeavesAGraphAloneWhenNoNameChanges) {
  CostGraph graph = GraphBuilder().function("main", 5).graph();
  EXPECT_EQ(rename_functions(graph, [](std::string_view name) { return std::string(name); }), 0u);
  EXPECT_EQ(graph.functions.size(), 1u);
  EXPECT_EQ(graph.parts, 1);
}

}  // namespace
}  // namespace icount
