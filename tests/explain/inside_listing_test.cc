// Rows, lines and names of what lies inside a function.
#include "icount/explain/inside/region_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "icount/explain/inside/inside_causes.h"
#include "icount/report/cause_sentence.h"
#include "written_code.h"

namespace icount {
namespace {

/// "  a.c:9 5 -> 6" for a line's row, "  calls g 1 -> 2"; with figures per time in brackets.
std::string text_of(const ListingRow& row) {
  const std::string what = row.file.empty() ? row.label : fmt::format("{}:{}", row.file, row.line);
  return fmt::format("{}{}{} {} -> {} ({:.4g} -> {:.4g})", std::string(static_cast<size_t>(row.indent), ' '), what,
                     row.is_cost ? "" : " #", row.total[0], row.total[1], row.per[0], row.per[1]);
}

/// Line 9, and a loop on lines 10 and 11 that calls function 0; head has another loop, on line 20, in the first one.
class InsideListingTest : public testing::Test {
 protected:
  InsideListingTest()
      : function_({{{9, 40}, {10, 100, 0}, {11, 60, 0, {0}}}, {{4, 20}}},
                  {{{9, 50}, {10, 100, 0}, {20, 30, 1}, {11, 70, 0, {0}}}, {{5, 25}, {10, 30, 0, 2}}}) {
    opened().regions.resize(3);
    opened().regions[1] = {.loops = {{{0}, {0}}}, .entries = {4, 5}, .iterations = {20, 25}};
    opened().regions[2] = {.loops = {{{}, {1}}}, .parent = {0, 1}, .entries = {0, 10}, .iterations = {0, 30}};
    opened().region_of_loop = {{{1}, {1, 2}}};
    for (const uint64_t line : {9, 10, 11}) opened().lines[{"a.c", line}] = {"a.c", line};
  }
  OpenedFunction& opened() { return function_.opened; }
  FunctionListing list(const BothSides& self = {200, 250}, const CalleeNodes& callees = WrittenFunction::callees()) {
    return make_listing(opened(), "scan", {10, 10}, self, callees, {"g", "h"});
  }
  std::vector<std::string> rows(const BothSides& self = {200, 250}) {
    std::vector<std::string> texts;
    for (const ListingRow& row : list(self).rows) texts.push_back(text_of(row));
    return texts;
  }

  WrittenFunction function_;
};

TEST_F(InsideListingTest, RowByRow) {
  EXPECT_EQ(rows(), (std::vector<std::string>{
                        "self cost per call 200 -> 250 (20 -> 25)",
                        " calls # 10 -> 10 (10 -> 10)",
                        " outside its loops 40 -> 50 (4 -> 5)",
                        "  a.c:9 40 -> 50 (4 -> 5)",
                        " loop at a.c:11: entered # 4 -> 5 (0.4 -> 0.5)",
                        "  iterations per entry # 20 -> 25 (5 -> 5)",
                        "  self cost per iteration 160 -> 170 (8 -> 6.8)",
                        "   a.c:10 100 -> 100 (5 -> 4)",
                        "   a.c:11 60 -> 70 (3 -> 2.8)",
                        "   calls g # 1 -> 1 (0.05 -> 0.04)",
                        "  loop at a.c:20: entered # 0 -> 10 (0 -> 0.4)",
                        "   iterations per entry # 0 -> 30 (0 -> 3)",
                        "   self cost per iteration 0 -> 30 (0 -> 1)",
                        "    a.c:20 0 -> 30 (0 -> 1)",
                    }));
}

TEST_F(InsideListingTest, WhatTheShapesLackIsARowOfItsOwn) {
  EXPECT_EQ(rows({210, 255}).at(2), " without an address 10 -> 5 (1 -> 0.5)");
  EXPECT_EQ(rows({200, 255}).at(2), " without an address 0 -> 5 (0 -> 0.5)");
}

TEST_F(InsideListingTest, WithoutLoopsItsLinesAreItsOwn) {
  opened().regions.resize(1);
  opened().region_of_loop = {{{0}, {0, 0}}};
  EXPECT_EQ(rows().at(2), " own lines 200 -> 250 (20 -> 25)");
}

TEST_F(InsideListingTest, CodeWithoutALineIsOneRow) {
  for (FunctionShape& shape : opened().shapes) shape.flow.instructions[0].line = 0;
  EXPECT_EQ(rows().at(3), "  no line 40 -> 50 (4 -> 5)");
}

TEST_F(InsideListingTest, ALinesRowHasItsPlacesAndTheMostExecutions) {
  opened().lines[{"a.c", 10}] = {"a.c", 11};
  opened().lines.erase({"a.c", 11});
  opened().shapes[0].flow.instructions[1].executions = 33;
  const FunctionListing listing = list();
  const auto row = std::find_if(listing.rows.begin(), listing.rows.end(),
                                [](const ListingRow& one) { return one.line == 11 && one.total[0] == 100; });
  ASSERT_NE(row, listing.rows.end());
  EXPECT_EQ(row->total, (std::array<int64_t, 2>{100, 70}));
  EXPECT_EQ(row->executions, (std::array<int64_t, 2>{33, 70}));
  EXPECT_EQ(row->places[0].file, "src/a.c");
  EXPECT_EQ(row->places[0].line, 10u);
  EXPECT_EQ(row->places[1].line, 11u);
}

TEST_F(InsideListingTest, CallsOfWhatIsNotKnownAreNoRows) {
  const auto called = [&](const CalleeNodes& callees) {
    std::string all;
    for (const ListingRow& row : list({200, 250}, callees).rows)
      if (row.label.starts_with("calls ")) all += row.label + ";";
    return all;
  };
  EXPECT_EQ(called({{{1}, {1}}}), "calls h;");
  EXPECT_EQ(called({{{kNoFunction}, {kNoFunction}}}), "");
  EXPECT_EQ(called({}), "");
}

TEST_F(InsideListingTest, WholeLinesSideBySide) {
  const FunctionListing listing = list();
  const auto numbers = [&](size_t side) {
    std::vector<std::tuple<uint64_t, int64_t, int64_t>> found;
    for (const ListedLine& line : listing.lines[side]) found.emplace_back(line.place.line, line.executions, line.self);
    return found;
  };
  using Numbers = std::vector<std::tuple<uint64_t, int64_t, int64_t>>;
  EXPECT_EQ(numbers(0), (Numbers{{9, 40, 40}, {10, 100, 100}, {11, 60, 60}}));
  EXPECT_EQ(numbers(1), (Numbers{{9, 50, 50}, {10, 100, 100}, {11, 70, 70}, {20, 30, 30}}));
  ASSERT_EQ(listing.same_lines.size(), 3u);
  EXPECT_EQ(listing.same_lines[0].first.file, "src/a.c");
  EXPECT_EQ(listing.same_lines[0].first.line, 9u);
  EXPECT_EQ(listing.same_lines[2].second.line, 11u);
}

TEST_F(InsideListingTest, OnlyLinesThatBothSidesRanAreTheSame) {
  opened().lines[{"a.c", 77}] = {"a.c", 9};
  opened().lines[{"a.c", 9}] = {"a.c", 77};
  EXPECT_EQ(list().same_lines.size(), 2u);
}

TEST_F(InsideListingTest, Loops) {
  const std::vector<ListedLoop> loops = list().loops;
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].file, "a.c");
  EXPECT_EQ(loops[0].first_line, 11u) << "where it calls";
  EXPECT_EQ(loops[0].last_line, 11u);
  EXPECT_EQ(loops[0].depth, 1);
  EXPECT_TRUE(loops[0].in_head);
  EXPECT_EQ(loops[0].entries, (BothSides{4, 5}));
  EXPECT_EQ(loops[0].iterations, (BothSides{20, 25}));
  EXPECT_EQ(loops[0].self, (BothSides{160, 170}));
  EXPECT_EQ(loops[1].depth, 2) << "by head's nesting";
  opened().regions[1].loops[1].clear();
  opened().regions[1].parent = {0, 2};
  EXPECT_FALSE(list().loops[0].in_head);
  EXPECT_EQ(list().loops[0].depth, 1) << "by base's, where head has no such loop";
}

/// Line 9 and a loop on lines 10 and 11, in either side's figures.
class RegionLinesTest : public testing::Test {
 protected:
  RegionLinesTest()
      : function_({{{9, 5}, {10, 100, 0}, {11, 60, 0}}, {{4, 20}}}, {{{9, 5}, {10, 100, 0}, {11, 90, 0}}, {{5, 25}}}) {
    opened().regions.resize(2);
    opened().regions[1].loops = {{{0}, {0}}};
    opened().region_of_loop = {{{1}, {1}}};
    for (const uint64_t line : {9, 10, 11}) opened().lines[{"a.c", line}] = {"a.c", line};
  }
  OpenedFunction& opened() { return function_.opened; }
  std::string lines(uint32_t region, const std::array<long double, 2>& times) {
    std::string all;
    for (const CauseLine& line : lines_of_region(opened(), region, times))
      all += fmt::format("{}:{} {} -> {}{};", line.file, line.line, line.base, line.head,
                         line.inlined.empty() ? "" : " " + line.inlined);
    return all;
  }

  WrittenFunction function_;
};

TEST_F(RegionLinesTest, LinesThatChangedTheMostFirst) {
  EXPECT_EQ(lines(1, {1, 1}), "a.c:11 60 -> 90;");
  EXPECT_EQ(lines(1, {10, 5}), "a.c:11 6 -> 18;a.c:10 10 -> 20;") << "per time";
  EXPECT_EQ(lines(0, {1, 1}), "") << "what stayed";
  EXPECT_EQ(lines(0, {1, 5}), "a.c:9 5 -> 1;");
}

TEST_F(RegionLinesTest, ALineThatBaseAloneHasIsOneOfItsOwn) {
  opened().lines.erase({"a.c", 11});
  EXPECT_EQ(lines(1, {1, 1}), "a.c:11 0 -> 90;a.c:11 60 -> 0;");
  opened().lines[{"a.c", 11}] = {"a.c", 10};
  EXPECT_EQ(lines(1, {1, 1}), "a.c:11 0 -> 90;a.c:10 160 -> 100;");
}

TEST_F(RegionLinesTest, ASideThatDoesNotRunItHasNone) {
  EXPECT_EQ(lines(1, {0, 1}), "a.c:10 0 -> 100;a.c:11 0 -> 90;");
  EXPECT_EQ(lines(1, {1, 0}), "a.c:10 100 -> 0;a.c:11 60 -> 0;");
}

TEST_F(RegionLinesTest, OfTheHeaderThatEndsItsLoopAPartIsIterations) {
  opened().shapes[1].loops[0].heads = 100;
  opened().shapes[1].loops[0].iterations = 75;
  EXPECT_EQ(iteration_part(opened(), 1, 1, 1), 0.75L);
  EXPECT_EQ(iteration_part(opened(), 1, 1, 2), 1) << "no header";
  EXPECT_EQ(iteration_part(opened(), 1, 0, 0), 1) << "the body has none";
  EXPECT_EQ(lines(1, {1, 1}), "a.c:11 60 -> 90;a.c:10 100 -> 75;");
  opened().shapes[1].loops[0].heads = 0;
  EXPECT_EQ(iteration_part(opened(), 1, 1, 1), 1);
  opened().shapes[1].loops[0].heads = 1;
  opened().shapes[1].loops[0].iterations = 0;
  EXPECT_EQ(iteration_part(opened(), 1, 1, 1), 0) << "one pass, which ended it";
  opened().shapes[1].loops[0].heads = 100;
  opened().regions[1].reshaped = true;
  EXPECT_EQ(iteration_part(opened(), 1, 1, 1), 1) << "all of a reshaped one is told per entry";
}

/// The names of two loops, on lines 10 and `second`, the second one inside the first where that is said.
std::vector<std::string> names(uint64_t second, bool nested) {
  const WrittenSide side{{{9, 1}, {10, 5, 0}, {second, 5, 1}},
                         {{1, 9}, nested ? WrittenLoop{9, 90, 0, 2} : WrittenLoop{1, 9}}};
  WrittenFunction function(side, side);
  OpenedFunction& opened = function.opened;
  opened.regions.resize(3);
  for (uint32_t r = 1; r < 3; ++r) opened.regions[r].loops = {{{r - 1}, {r - 1}}};
  opened.region_of_loop = {{{1, 2}, {1, 2}}};
  opened.shifts = {0, 0x40};
  opened.same_code = true;
  return loop_names(opened);
}

TEST(LoopNamesTest, LoopsOfTheSameLinesAreToldApart) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(20, false), (Names{"", "loop at a.c:10", "loop at a.c:20"}));
  EXPECT_EQ(names(10, false), (Names{"", "loop at a.c:10 (1 of 2 there)", "loop at a.c:10 (2 of 2 there)"}))
      << "by address";
  EXPECT_EQ(names(10, true), (Names{"", "loop at a.c:10 (nested 1 deep)", "loop at a.c:10 (nested 2 deep)"}));
}

TEST_F(RegionLinesTest, LinesThatChangedAsMuchKeepTheirOrder) {
  for (const int64_t more : {30, -30}) {
    opened().shapes[1].flow.instructions[1].self = 100 + more;
    opened().shapes[1].flow.instructions[2].self = 60 - more;
    EXPECT_EQ(lines(1, {1, 1}), fmt::format("a.c:10 100 -> {};a.c:11 60 -> {};", 100 + more, 60 - more));
  }
}

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

}  // namespace
}  // namespace icount
