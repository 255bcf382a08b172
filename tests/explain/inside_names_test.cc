// What the parts of an opened function are called, and what every cause inside it has.
#include "icount/explain/inside/inside_causes.h"

#include <gtest/gtest.h>

#include "icount/explain/inside/loop_matching.h"
#include "icount/report/cause_sentence.h"
#include "written_code.h"

namespace icount {
namespace {

constexpr uint32_t kBody = 0, kEntry = 1, kIteration = 2, kBlock = 3, kBaseEntry = 4;  // nodes of the graph below

/// Line 9 and a loop on lines 10 and 11, in it a second one, which base alone has, on line 11.
class InsideNamesTest : public testing::Test {
 protected:
  InsideNamesTest()
      : function_({{{9, 1}, {10, 5, 0}, {11, 5, 1}}, {{20, 200}, {3, 30, 0, 2}}},
                  {{{9, 1}, {10, 5, 0}, {11, 5, 0}}, {{20, 100}}}),
        graph_{.nodes = {{InsideKind::kBody, 0, {}},
                         {InsideKind::kEntry, 1, {}},
                         {InsideKind::kIteration, 1, {}},
                         {InsideKind::kBlock, 1, {}},
                         {InsideKind::kEntry, 2, {}}}},
        source_{.opened = function_.opened,
                .of_callee = function_.of_callee,
                .graph = graph_,
                .figures = figures_,
                .function = "`scan`",
                .function_field = "scan",
                .loops = {"", "loop at a.c:10-11", "loop at a.c:11"},
                .file = "src/a.c",
                .object = "prog",
                .line = 4} {
    OpenedFunction& opened = function_.opened;
    opened.regions.resize(3);
    opened.regions[1] = {.loops = {{{0}, {0}}}, .entries = {20, 20}, .iterations = {200, 100}};
    opened.regions[2] = {.loops = {{{1}, {}}}, .parent = {1, 0}, .entries = {3, 0}, .iterations = {30, 0}};
    opened.region_of_loop = {{{1, 2}, {1}}};
    figures_.times = {std::vector<long double>{10, 20, 200, 50, 3}, {1, 20, 100, 50, 0}};
  }
  InsideNames names() const { return InsideNames(source_); }

  WrittenFunction function_;
  InsideGraph graph_;
  InsideFigures figures_;
  InsideSource source_;
};

TEST_F(InsideNamesTest, WhoDoesIt) {
  const auto who = [&](uint32_t node) {
    return cause_sentence({.facts = fact::InsideCalls{.doer = names().doer(node),
                                                      .in_total = source_.in_total,
                                                      .callee = "`g`",
                                                      .rate = {0, 2},
                                                      .calls = {0, 20}}});
  };
  EXPECT_EQ(who(kBody), "`scan` now calls `g` 20 times (2 per call)");
  EXPECT_EQ(who(kEntry), "leaving the loop at a.c:10-11 in `scan` now calls `g` 20 times (2 per entry)");
  EXPECT_EQ(who(kIteration), "the loop at a.c:10-11 in `scan` now calls `g` 20 times (2 per iteration)");
  EXPECT_EQ(who(kBlock), "the code at a.c:10 in `scan` now calls `g` 20 times (2 per run)");
  function_.opened.regions[1].reshaped = true;
  EXPECT_EQ(who(kEntry), "the loop at a.c:10-11 in `scan` now calls `g` 20 times (2 per entry)");
  function_.opened.regions.resize(1);
  source_.in_total = true;
  EXPECT_EQ(who(kBody), "`scan` now calls `g` 20 times");
}

TEST_F(InsideNamesTest, HowOften) {
  EXPECT_EQ(names().both_times(kBody), (fact::Rates{10, 1}));
  EXPECT_EQ(names().times(0, kIteration), 200);
  EXPECT_EQ(names().times(1, kIteration), 100);
}

TEST_F(InsideNamesTest, RegionsOfNodesAndAroundThem) {
  EXPECT_EQ(names().region_of(graph_.nodes[kBody]), 0u);
  EXPECT_EQ(names().region_of(graph_.nodes[kEntry]), 1u);
  EXPECT_EQ(names().region_of(graph_.nodes[kIteration]), 1u);
  EXPECT_EQ(names().region_of(graph_.nodes[kBlock]), 1u);
  EXPECT_EQ(names().region_of(graph_.nodes[kBaseEntry]), 2u);
  EXPECT_EQ(names().region_of({InsideKind::kCallee, 1, {}}), 0u);
  EXPECT_EQ(names().parent_of(1), 0u);
  EXPECT_EQ(names().parent_of(2), 1u) << "base's, where head has no such loop";
  function_.opened.regions[1].parent = {0, 2};
  EXPECT_EQ(names().parent_of(1), 2u) << "else head's";
}

TEST_F(InsideNamesTest, Places) {
  EXPECT_EQ(names().place_text(1, false), "a.c:10");
  EXPECT_EQ(names().target(kBlock).line, 10u);
  EXPECT_EQ(names().target(kEntry).place, "loop at a.c:10-11");
  EXPECT_TRUE(names().target(kEntry).is_loop);
  source_.file = "src/b.h";
  EXPECT_EQ(names().target(kBlock).line, 0u);
  EXPECT_EQ(names().target(kBlock).place, "a.c:10") << "another file than the function's";
  for (FunctionShape& shape : function_.opened.shapes)
    for (Instruction& one : shape.flow.instructions) one.line = 0;
  function_.opened.shifts = {0, 0x100};
  EXPECT_EQ(names().place_text(1, false), "0x1104");
  EXPECT_EQ(names().target(kBlock).place, "0x1104");
}

TEST_F(InsideNamesTest, ACauseOfTheBodyLiesWhereTheFunctionDoes) {
  const Cause cause = names().new_cause(CauseKind::kBranch, 0);
  EXPECT_EQ(cause.kind, CauseKind::kBranch);
  EXPECT_EQ(cause.function, "scan");
  EXPECT_EQ(cause.file, "src/a.c");
  EXPECT_EQ(cause.object, "prog");
  EXPECT_EQ(cause.line, 4u);
  EXPECT_FALSE(cause.loop);
  EXPECT_FALSE(cause.entries);
}

TEST_F(InsideNamesTest, ACauseOfALoopHasItsFigures) {
  const Cause cause = names().new_cause(CauseKind::kIterations, 2);
  ASSERT_TRUE(cause.loop);
  EXPECT_EQ(cause.loop->file, "a.c");
  EXPECT_EQ(cause.loop->first_line, 11u);
  EXPECT_EQ(cause.loop->last_line, 11u);
  EXPECT_EQ(cause.loop->address, 0x1008u);
  EXPECT_EQ(cause.loop->depth, 2);
  EXPECT_EQ(cause.entries, (BothSides{3, 0}));
  EXPECT_EQ(cause.iterations, (BothSides{30, 0}));
  EXPECT_EQ(cause.line, 11u);
  EXPECT_EQ(names().new_cause(CauseKind::kIterations, 1).loop->depth, 1);
}

TEST_F(InsideNamesTest, ALoopOfAnInlinedFunctionIsCalledByIt) {
  EXPECT_EQ(names().loop_name(1).loop, "loop at a.c:10-11");
  EXPECT_EQ(names().loop_name(1).inlined, "");
  for (FunctionShape& shape : function_.opened.shapes)
    for (Instruction& one : shape.flow.instructions) one.inlined = 3;
  EXPECT_EQ(names().loop_name(1).inlined, "`omega`");
  EXPECT_EQ(names().loop_name(1).function, "`scan`");
  const Cause cause = names().new_cause(CauseKind::kIterations, 1);
  ASSERT_TRUE(cause.inlined);
  EXPECT_EQ(cause.inlined->name, "omega");
  EXPECT_EQ(cause.inlined->file, "b.h");
  EXPECT_EQ(cause.inlined->line, 9u);
}

/// The place of a cause in the loop of a function of src/a.c, whose loop lies in that file (0) or in b.h (1).
std::pair<std::string, uint64_t> place_of_loop(uint32_t file) {
  const WrittenSide side{{{9, 5}, {10, 100, 0, {}, file}, {11, 100, 0, {}, file}}, {{1, 100}}};
  WrittenFunction function(side, side);
  match_loops(function.opened, WrittenFunction::callees());
  const InsideGraph graph;
  const InsideFigures figures;
  const InsideSource source{.opened = function.opened,
                            .of_callee = function.of_callee,
                            .graph = graph,
                            .figures = figures,
                            .function = "`f`",
                            .function_field = "f",
                            .callees = {},
                            .loops = {"", "loop"},
                            .file = "src/a.c",
                            .object = "prog",
                            .line = 9};
  const Cause cause = InsideNames(source).new_cause(CauseKind::kIterations, 1);
  return {cause.file, cause.line};
}

TEST(InsideCausePlaceTest, AFileAndALineBelongTogether) {
  EXPECT_EQ(place_of_loop(0), (std::pair<std::string, uint64_t>{"src/a.c", 10})) << "with its folders";
  EXPECT_EQ(place_of_loop(1), (std::pair<std::string, uint64_t>{"b.h", 10})) << "of an inlined function";
}

}  // namespace
}  // namespace icount
