#include <gtest/gtest.h>

#include "icount/callgraph/graph_sum.h"
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

// What happens inside functions, of several processes as one: addresses of one object that lay at different places.

/// `main` and `f` of one program, loaded at `bias`; f has two instructions of which the second is inlined.
CostGraph process(uint64_t bias, int64_t executions, std::string_view first = "main") {
  CostGraph graph = GraphBuilder()
                        .function(first, 0)
                        .function(first == "main" ? "f" : "main", 0)
                        .function("f", 2 * executions)
                        .function("main", 1)
                        .calls("main", "f", executions, 2 * executions)
                        .graph();
  FunctionIndex f = 0;
  while (graph.name(f) != "f") ++f;
  auto code = std::make_shared<ProfileCode>();
  code->files = {"f.cc"};
  code->inlined = {{"g", 0, 3, 8, 0}};
  code->objects = {{"prog", "/prog", "ab", bias, "", true}};
  FunctionCode& one = code->functions.emplace_back();
  one.function = f;
  one.rows = {{bias + 0x10, 0, 7, executions}, {bias + 0x14, 0, 3, executions, 1}};
  one.self = {executions, executions};
  one.jumps = {{bias + 0x14, f, bias + 0x10, executions - 1}};
  one.entries = {{bias + 0x10, 1 - f, false, 1}};
  graph.code = std::move(code);
  return graph;
}

TEST(CodeSumTest, AddsUpWhereTheObjectLayElsewhere) {
  const CostGraph a = process(0x1000, 10), b = process(0x7000, 5, "f");
  const CostGraph* both[] = {&a, &b};
  const CostGraph sum = sum_graphs(both);
  ASSERT_TRUE(sum.code);
  ASSERT_EQ(sum.code->functions.size(), 1u);
  const FunctionCode& f = sum.code->functions[0];
  EXPECT_EQ(sum.name(f.function), "f");
  ASSERT_EQ(f.rows.size(), 2u);
  EXPECT_EQ(f.rows[0].address, 0x1010u);
  EXPECT_EQ(f.rows[0].executions, 15);
  EXPECT_EQ(sum.code->inlined.at(f.rows[1].inlined - 1).name, "g");
  ASSERT_EQ(f.jumps.size(), 1u);
  EXPECT_EQ(f.jumps[0].followed, 13);
  EXPECT_EQ(f.jumps[0].to_function, f.function);
  ASSERT_EQ(f.entries.size(), 1u);
  EXPECT_EQ(f.entries[0].times, 2);
  ASSERT_EQ(sum.code->objects.size(), 1u);
  EXPECT_EQ(sum.code->objects[0].load_bias, 0x1000u);
}

TEST(CodeSumTest, AFunctionOfWhichAPartHasNoInsideStaysClosed) {
  const CostGraph a = process(0x1000, 10);
  CostGraph b = process(0x1000, 5);
  b.code = nullptr;
  const CostGraph* both[] = {&a, &b};
  EXPECT_FALSE(sum_graphs(both).code);
}

TEST(CodeSumTest, InlinedFunctionsThatPartsShareAreKeptOnce) {
  const CostGraph a = process(0x1000, 10), b = process(0x7000, 5);
  const CostGraph* both[] = {&a, &b};
  const CostGraph sum = sum_graphs(both);
  ASSERT_TRUE(sum.code);
  EXPECT_EQ(sum.code->inlined.size(), 1u);
}

TEST(CodeSumTest, NamesThatNothingUsesAreDropped) {
  ProfileCode code;
  code.files = {"a.h", "b.h", "c.h", "d.h"};
  code.inlined = {{"unused", 0, 1, 0, 0}, {"outer", 2, 3, 8, 0}, {"also unused", 0, 1, 9, 2}, {"inner", 1, 4, 9, 2}};
  FunctionCode& one = code.functions.emplace_back();
  one.rows = {{0x10, 3, 7, 5, 0}, {0x14, 2, 8, 5, 4}};
  one.self = {5, 5};
  const ProfileCode less = drop_unused_names(std::move(code));
  EXPECT_EQ(less.files, (std::vector<std::string>{"b.h", "c.h", "d.h"}));
  ASSERT_EQ(less.inlined.size(), 2u);
  EXPECT_EQ(less.inlined[0].name, "outer");
  EXPECT_EQ(less.files[less.inlined[0].file], "c.h");
  EXPECT_EQ(less.inlined[1].name, "inner");
  EXPECT_EQ(less.inlined[1].outer, 1u);
  EXPECT_EQ(less.files[less.inlined[1].file], "b.h");
  const auto& rows = less.functions.at(0).rows;
  EXPECT_EQ(less.files[rows[0].file], "d.h");
  EXPECT_EQ(rows[0].inlined, 0u);
  EXPECT_EQ(less.files[rows[1].file], "c.h");
  EXPECT_EQ(rows[1].inlined, 2u);
}

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
