// The listing of an opened function: its rows one after the other, their sums, lines and loops side by side.
#include "icount/explain/inside/region_lines.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

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

TEST_F(InsideListingTest, AFunctionThatStaysClosedSaysWhy) {
  opened().closed = "too deep";
  EXPECT_EQ(list().closed, "too deep");
  EXPECT_TRUE(list().rows.empty());
  EXPECT_EQ(list().function, "scan");
}

TEST_F(InsideListingTest, LinesOfOneSide) {
  opened().lines.erase({"a.c", 11});
  const std::vector<std::string> found = rows();
  EXPECT_EQ(found.at(8), "   a.c:11 0 -> 70 (0 -> 2.8)");
  EXPECT_EQ(found.at(9), "   a.c:11 60 -> 0 (3 -> 0)") << "a line of base that head does not have";
  opened().same_code = true;
  EXPECT_EQ(rows().at(8), "   a.c:11 60 -> 70 (3 -> 2.8)") << "the code is the same";
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

TEST_F(InsideListingTest, OfSeveralInstructionsOfALineTheMostExecutionsCount) {
  for (FunctionShape& shape : opened().shapes) shape.flow.instructions.back().line = 10;
  const FunctionListing listing = list();
  EXPECT_EQ(listing.rows.at(7).executions, (std::array<int64_t, 2>{100, 100}));
  EXPECT_EQ(listing.rows.at(7).total, (std::array<int64_t, 2>{160, 170}));
  EXPECT_EQ(listing.lines[0].at(1).executions, 100);
  EXPECT_EQ(listing.lines[0].at(1).self, 160);
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

}  // namespace
}  // namespace icount
