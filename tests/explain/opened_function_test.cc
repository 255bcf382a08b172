// Functions opened on both sides: when their code is the same, their regions, and places of these.
#include "icount/explain/inside/opened_function.h"

#include <gtest/gtest.h>

#include "loop_profile.h"
#include "written_code.h"

namespace icount {
namespace {

class OpenedPair {
 public:
  OpenedPair(const LoopCode& base, const LoopCode& head)
      : profiles_{read_coded(loop_profile(base)), read_coded(loop_profile(head))} {}

  ProfileCode& code(size_t side) { return profiles_[side].code; }
  OpenedFunction open() {
    folded_ = {fold_graph(profiles_[0].graph, 0, false), fold_graph(profiles_[1].graph, 0, false)};
    std::array<uint32_t, 2> functions{};
    for (const size_t side : {0, 1})
      for (uint32_t f = 0; f < folded_[side].functions.size(); ++f)
        if (folded_[side].functions[f].name == "f") functions[side] = f;
    return open_function({&folded_[0], &folded_[1]}, {&profiles_[0].code, &profiles_[1].code}, functions,
                         {std::vector<uint32_t>{0, 1}, std::vector<uint32_t>{0, 1}});
  }

 private:
  std::array<CodedProfile, 2> profiles_;
  std::array<FoldedGraph, 2> folded_;
};

OpenedFunction open(const LoopCode& base, const LoopCode& head) {
  static std::optional<OpenedPair> kept;  // what is opened points into it
  return kept.emplace(base, head).open();
}

TEST(OpenFunctionTest, CodeThatLiesElsewhereIsTheSame) {
  const OpenedFunction opened = open({}, {.address = 0x2100, .first_line = 15});
  EXPECT_TRUE(opened.same_code);
  EXPECT_EQ(opened.shifts, (std::array<uint64_t, 2>{0, 0x100}));
  EXPECT_EQ(opened.lines.at({"a.c", 6}), LineKey("a.c", 16)) << "lines by address";
  EXPECT_EQ(opened.lines.size(), 5u);
  EXPECT_EQ(opened.place_of(1).address, 0x2104u) << "head's own address";
}

TEST(OpenFunctionTest, TheLoopOfAStubIsTheMeasuringLoop) {
  for (const bool other_code : {false, true}) {
    OpenedPair pair({}, {.has_another_block = other_code});
    EXPECT_FALSE(pair.open().regions.at(1).measuring);
    for (const size_t side : {0, 1}) pair.code(side).files[0] = "icount-generated";
    EXPECT_TRUE(pair.open().regions.at(1).measuring);
  }
}

TEST(OpenFunctionTest, ALibrarysLineIsTheProgramsThatLeadsToIt) {
  const WrittenSide side{{{9, 5}, {71, 5, kNoLoop, {}, 2, 5}, {4, 5, kNoLoop, {}, 1, 1}, {71, 5, kNoLoop, {}, 2, 0}}};
  const WrittenFunction written(side, side);
  const auto own_line = [&](size_t at) {
    return written.opened.own_line_of(1, written.opened.shapes[1].flow.instructions[at]);
  };
  EXPECT_EQ(own_line(0), LineKey("a.c", 9));
  EXPECT_EQ(own_line(1), LineKey("b.h", 33)) << "where alpha, of the program, calls std::find";
  EXPECT_EQ(own_line(2), LineKey("b.h", 4)) << "inlined, but the program's own";
  EXPECT_EQ(own_line(3).second, 0u) << "what it is inlined into is not known";
}

TEST(OpenFunctionTest, ItsFileIsThatOfItsOwnCode) {
  OpenedPair pair({}, {});
  for (const size_t side : {0, 1}) {
    ProfileCode& code = pair.code(side);
    code.objects = {{.name = "prog", .has_names = true}};
    code.files.push_back("src/own.c");
    code.inlined = {{"get", 0, 3, 20, 0}};
    for (FunctionCode& function : code.functions)
      for (CodeRow& row : function.rows) (row.line < 8 ? row.inlined : row.file) = 1;
  }
  EXPECT_EQ(pair.open().file, "src/own.c") << "what was inlined from a.c does not count, however often it is executed";
  pair.code(0).objects[0].has_names = false;
  EXPECT_EQ(pair.open().file, "a.c") << "where that is not known it is the profile's";
}

/// One loop on lines 10 and 11 on either side, with the region 1.
class RegionTest : public testing::Test {
 protected:
  RegionTest() : function_(side(), side()) {
    opened().regions.resize(2);
    opened().regions[1].loops = {{{0}, {0}}};
    opened().region_of_loop = {{{1}, {1}}};
  }
  static WrittenSide side() { return {{{9, 1}, {10, 50, 0, {0}}, {11, 50, 0, {0}}}, {{2, 50}}}; }
  OpenedFunction& opened() { return function_.opened; }
  ShapeLoop& loop(size_t side) { return opened().shapes[side].loops[0]; }

  WrittenFunction function_;
};

TEST_F(RegionTest, LastTestsAreAPartOfTheHeader) {
  loop(1).heads = 60;
  loop(1).head_exits = 10;
  EXPECT_EQ(opened().last_tests(1, 1, 120), 20);
  EXPECT_EQ(opened().last_tests(1, 1, int64_t{6} << 59), int64_t{1} << 59) << "no overflow";
  EXPECT_EQ(opened().last_tests(0, 1, 120), 0) << "base's never leave from there";
  loop(1).heads = 0;
  EXPECT_EQ(opened().last_tests(1, 1, 120), 0);
  loop(1).heads = loop(1).head_exits = 1;
  EXPECT_EQ(opened().last_tests(1, 1, 120), 120) << "its only pass";
}

TEST_F(RegionTest, ThePlaceIsOfLinesThatBothSidesHaveInIt) {
  opened().lines = {{{"a.c", 10}, {"a.c", 10}}};
  EXPECT_EQ(opened().place_of(1).text(), "a.c:10") << "line 11 is of one side only";
  opened().lines[{"a.c", 11}] = {"a.c", 11};
  EXPECT_EQ(opened().place_of(1).text(), "a.c:10-11");
  opened().lines.clear();
  EXPECT_EQ(opened().place_of(1).text(), "a.c:10-11") << "of all where they have none in common";
  opened().lines = {{{"a.c", 10}, {"a.c", 10}}};
  opened().same_code = true;
  EXPECT_EQ(opened().place_of(1).text(), "a.c:10-11") << "and where the code is the same";
}

TEST_F(RegionTest, ThePlaceIsHeadsUnlessHeadHasNone) {
  for (Instruction& one : opened().shapes[1].flow.instructions) one.line += 20;
  opened().shifts = {0, 0x40};
  EXPECT_EQ(opened().place_of(1).text(), "a.c:30-31");
  EXPECT_EQ(opened().place_of(1).address, 0x1044u);
  opened().same_code = true;
  for (Instruction& one : opened().shapes[1].flow.instructions) one.line = 0;
  EXPECT_EQ(opened().place_of(1).text(), "a.c:10-11") << "head did not run it with lines";
  opened().same_code = false;
  EXPECT_EQ(opened().place_of(1).text(), "0x1044");
  opened().regions[1].loops[1].clear();
  EXPECT_EQ(opened().place_of(1).text(), "a.c:10-11");
  EXPECT_EQ(opened().place_of(1).address, 0x1004u);
}

/// A loop (region 1) around another one (region 2), each in an inlined function: 1 is alpha, 2 beta inside of it, 3
/// omega.
class NestedRegionTest : public testing::Test {
 protected:
  static WrittenSide side(uint32_t outer, uint32_t inner) {
    return {{{9, 1}, {10, 50, 0, {}, 0, outer}, {11, 5000, 1, {}, 0, inner}},
            {{2, 50}, {.entries = 50, .iterations = 5000, .parent = 0, .depth = 2}}};
  }
  /// Name and line of the call by which the inner loop is entered; or the outer one.
  static std::string entered(uint32_t outer, uint32_t inner, uint32_t region = 2, uint32_t around = 1,
                             bool in_base_alone = false) {
    WrittenFunction function(side(outer, inner), side(outer, inner));
    OpenedFunction& opened = function.opened;
    opened.regions.resize(3);
    opened.regions[1].loops = {{{0}, {0}}};
    opened.regions[2].loops = {{{1}, {1}}};
    if (in_base_alone)
      for (const uint32_t loop : {1, 2}) opened.regions[loop].loops[1].clear();
    const auto found = opened.entered_by(region, around);
    return found ? found->name + ":" + std::to_string(found->line) : "";
  }
};

TEST_F(NestedRegionTest, TheOutermostInlinedFunctionIsWhatIsCalledThere) {
  EXPECT_EQ(entered(0, 2), "alpha:20") << "beta is called by alpha";
  EXPECT_EQ(entered(1, 2), "beta:30") << "the loop around it is in alpha, too";
  EXPECT_EQ(entered(1, 3), "omega:40");
  EXPECT_EQ(entered(0, 2, 2, 1, true), "alpha:20") << "base's, where head has no such loop";
}

/// Instructions at these addresses, each of which falls through to the next.
CodeFlow code_at(const std::vector<uint64_t>& addresses) {
  CodeFlow flow;
  for (uint64_t address : addresses) {
    Instruction one;
    one.address = address;
    one.executions = one.falls = 1;
    flow.instructions.push_back(one);
  }
  return flow;
}

bool is_same_both_ways(const CodeFlow& a, const CodeFlow& b) {
  EXPECT_EQ(is_same_code(a, b), is_same_code(b, a));
  return is_same_code(a, b);
}

TEST(SameCodeTest, HalfOfTheSmallerSideMustLieAtTheSamePlaces) {
  EXPECT_TRUE(is_same_both_ways(code_at({4, 8, 12, 16}), code_at({4, 8, 12, 16})));
  // What the sides have beside the common part lies where the other has nothing, behind jumps that are none here.
  CodeFlow base = code_at({4, 8, 100, 104}), head = code_at({4, 8, 200, 204});
  base.instructions[1].falls = head.instructions[1].falls = 0;
  base.instructions[3].falls = head.instructions[3].falls = 0;
  EXPECT_TRUE(is_same_both_ways(base, head)) << "two of four";
  CodeFlow longer_base = code_at({4, 8, 100, 104, 108}), longer_head = code_at({4, 8, 200, 204, 208});
  longer_base.instructions[1].falls = longer_head.instructions[1].falls = 0;
  EXPECT_FALSE(is_same_both_ways(longer_base, longer_head)) << "two of five";
  EXPECT_TRUE(is_same_both_ways(base, longer_head)) << "two of the smaller side's four";
}

TEST(SameCodeTest, WhatReturnsHereAndGoesOnThereIsAnother) {
  CodeFlow base = code_at({4, 8, 12}), head = base;
  base.instructions[1].falls = 0;
  EXPECT_TRUE(is_same_both_ways(base, head)) << "a jump that was always taken";
  base.instructions[1].returns = true;
  EXPECT_FALSE(is_same_both_ways(base, head));
  head.instructions[1].falls = 0;
  EXPECT_TRUE(is_same_both_ways(base, head));
  head.instructions[1].returns = true;
  EXPECT_TRUE(is_same_both_ways(base, head));
}

TEST(SameCodeTest, AJumpThatAlwaysGoesToOnePlaceGoesThereOnBothSides) {
  CodeFlow base = code_at({4, 8, 12, 16}), head = base;
  base.jumps = {{0, 2, 5}};
  EXPECT_TRUE(is_same_both_ways(base, head)) << "a jump that one side never takes";
  head.jumps = {{0, 2, 7}};
  EXPECT_TRUE(is_same_both_ways(base, head));
  head.jumps = {{0, 3, 7}};
  EXPECT_FALSE(is_same_both_ways(base, head));
  head.jumps = {{0, 1, 7}, {0, 3, 7}};
  EXPECT_TRUE(is_same_both_ways(base, head)) << "an indirect jump may go anywhere";
  head.jumps = {{0, 3, 7}, {1, 3, 7}};
  EXPECT_FALSE(is_same_both_ways(base, head)) << "its neighbour's jump is another's";
  head.jumps = {{0, 2, 7}, {1, 3, 7}};
  base.jumps = {{0, 2, 5}, {1, 0, 5}};
  EXPECT_FALSE(is_same_both_ways(base, head)) << "the last jump counts, too";
}

TEST(SameCodeTest, ABlockIsRunByASideAsAWholeOrNotAtAll) {
  CodeFlow base = code_at({4, 8, 12, 16}), head = code_at({4, 8});
  EXPECT_EQ(common_starts(base, base), std::vector<uint64_t>{4});
  EXPECT_EQ(common_starts(base, head), (std::vector<uint64_t>{4, 12}));
  EXPECT_EQ(common_starts(head, base), (std::vector<uint64_t>{4, 12}));
  const CodeFlow tail = code_at({12, 16});
  EXPECT_EQ(common_starts(head, tail), (std::vector<uint64_t>{4, 12})) << "each has its own";
  EXPECT_EQ(common_starts(code_at({4, 8, 23}), code_at({4, 8, 23})), std::vector<uint64_t>{4})
      << "15 bytes is the longest instruction";
  EXPECT_EQ(common_starts(code_at({4, 8, 24}), code_at({4, 8, 24})), (std::vector<uint64_t>{4, 24}));
}

}  // namespace
}  // namespace icount
