// The lines of an opened function's regions, what of a block is iterations, and how loops are called.
#include "icount/explain/inside/region_lines.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "written_code.h"

namespace icount {
namespace {

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

TEST_F(RegionLinesTest, TheInlinedFunctionOfALine) {
  opened().shapes[1].flow.instructions[2].inlined = 3;
  EXPECT_EQ(lines(1, {1, 1}), "a.c:11 60 -> 90 omega;");
  opened().shapes[0].flow.instructions[2].inlined = 1;
  EXPECT_EQ(lines(1, {1, 1}), "a.c:11 60 -> 90 alpha;") << "the first that is known";
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

TEST_F(RegionLinesTest, TheLineOfABlockIsHeadsUnlessThatIsNotKnown) {
  EXPECT_EQ(line_of_block(opened(), 1, false), LineKey("a.c", 10));
  opened().shapes[1].flow.instructions[1].line = 0;
  opened().shapes[0].flow.instructions[1].line = 77;
  EXPECT_EQ(line_of_block(opened(), 1, false), LineKey("a.c", 77));
  opened().shapes[0].blocks[1].end = opened().shapes[0].blocks[1].first;
  EXPECT_EQ(line_of_block(opened(), 1, false), LineKey());
  opened().shapes[1].blocks[1].end = 3;
  EXPECT_EQ(line_of_block(opened(), 1, true), LineKey("a.c", 11)) << "its last instruction";
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

TEST(LoopNamesTest, TheLoopAroundAStatementIsTheMeasuringLoop) {
  const WrittenSide side{{{1, 1}, {2, 5, 0}, {1, 5, 1}, {3, 5, 1}}, {{1, 9}, WrittenLoop{9, 90, 0, 2}}};
  WrittenFunction function(side, side);
  OpenedFunction& opened = function.opened;
  opened.regions.resize(3);
  for (uint32_t r = 1; r < 3; ++r) opened.regions[r].loops = {{{r - 1}, {r - 1}}};
  opened.region_of_loop = {{{1, 2}, {1, 2}}};
  opened.regions[1].measuring = true;
  EXPECT_EQ(loop_names(opened), (std::vector<std::string>{"", "measuring loop", "loop at a.c:1-3"}));
}

TEST(LoopNamesTest, LoopsOfTheSameLinesAreToldApart) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(20, false), (Names{"", "loop at a.c:10", "loop at a.c:20"}));
  EXPECT_EQ(names(10, false), (Names{"", "loop at a.c:10 (0x1044)", "loop at a.c:10 (0x1048)"})) << "by address";
  EXPECT_EQ(names(10, true), (Names{"", "loop at a.c:10 (nested 1 deep)", "loop at a.c:10 (nested 2 deep)"}));
}

TEST_F(RegionLinesTest, LinesThatChangedAsMuchKeepTheirOrder) {
  for (const int64_t more : {30, -30}) {
    opened().shapes[1].flow.instructions[1].self = 100 + more;
    opened().shapes[1].flow.instructions[2].self = 60 - more;
    EXPECT_EQ(lines(1, {1, 1}), fmt::format("a.c:10 100 -> {};a.c:11 60 -> {};", 100 + more, 60 - more));
  }
}

}  // namespace
}  // namespace icount
