// What happens inside functions, of several processes as one: addresses of one object that lay at different places.
#include "icount/callgraph/code_sum.h"

#include <gtest/gtest.h>

#include "icount/callgraph/graph_sum.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

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

}  // namespace
}  // namespace icount
