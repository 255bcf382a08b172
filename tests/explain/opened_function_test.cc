// A function opened on both sides: whether its code is the same, its regions with their figures, where its loops are.
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

TEST(OpenFunctionTest, TheSameCodeHasItsLoopsInCommon) {
  const OpenedFunction opened = open({}, {.entries = 20, .turns = 300});
  EXPECT_EQ(opened.closed, "");
  EXPECT_TRUE(opened.same_code);
  EXPECT_EQ(opened.file, "a.c");
  ASSERT_EQ(opened.regions.size(), 2u);
  EXPECT_EQ(opened.regions[1].entries, (BothSides{10, 20}));
  EXPECT_EQ(opened.regions[1].iterations, (BothSides{100, 300}));
  EXPECT_EQ(opened.regions[1].parent, (std::array<uint32_t, 2>{0, 0}));
  EXPECT_TRUE(opened.regions[1].on_both());
  EXPECT_EQ(opened.region_of_loop[0], std::vector<uint32_t>{1});
  EXPECT_EQ(opened.shifts, (std::array<uint64_t, 2>{0, 0}));
  EXPECT_EQ(opened.shapes[0].blocks.size(), opened.shapes[1].blocks.size());
}

TEST(OpenFunctionTest, CodeThatLiesElsewhereIsTheSame) {
  const OpenedFunction opened = open({}, {.address = 0x2100, .first_line = 15});
  EXPECT_TRUE(opened.same_code);
  EXPECT_EQ(opened.shifts, (std::array<uint64_t, 2>{0, 0x100}));
  EXPECT_EQ(opened.lines.at({"a.c", 6}), LineKey("a.c", 16)) << "lines by address";
  EXPECT_EQ(opened.lines.size(), 5u);
  EXPECT_EQ(opened.place_of(1).address, 0x2104u) << "head's own address";
}

TEST(OpenFunctionTest, OtherCodeHasItsLoopsMatched) {
  const OpenedFunction opened = open({}, {.has_another_block = true});
  EXPECT_FALSE(opened.same_code);
  EXPECT_EQ(opened.shifts, (std::array<uint64_t, 2>{0, 0}));
  ASSERT_EQ(opened.regions.size(), 2u);
  EXPECT_EQ(opened.regions[1].entries, (BothSides{10, 10}));
  EXPECT_EQ(opened.regions[1].iterations, (BothSides{100, 100}));
  EXPECT_FALSE(opened.regions[1].reshaped);
}

TEST(OpenFunctionTest, WhereOneSideRecordedNothingItStaysClosed) {
  for (const size_t side : {0, 1}) {
    OpenedPair pair({}, {});
    pair.code(side).functions.clear();
    const OpenedFunction opened = pair.open();
    EXPECT_NE(opened.closed, "");
    EXPECT_TRUE(opened.regions.empty());
  }
}

TEST(OpenFunctionTest, BothSidesKnowTheNamesOfWhatIsInlined) {
  OpenedPair pair({}, {});
  EXPECT_FALSE(pair.open().has_names);
  for (const size_t side : {0, 1}) {
    pair.code(side).objects = {{.name = "prog", .has_names = true}};
    EXPECT_EQ(pair.open().has_names, side == 1) << "both";
  }
  pair.code(0).objects[0].has_names = false;
  EXPECT_FALSE(pair.open().has_names);
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

TEST_F(RegionTest, HeadersOfLoopsTheBodyHasNone) {
  EXPECT_EQ(opened().header_of(0, 1), 1u);
  EXPECT_EQ(opened().header_of(0, 0), kNoLoop);
  opened().regions[1].loops[0].clear();
  EXPECT_EQ(opened().header_of(0, 1), kNoLoop);
  EXPECT_EQ(opened().header_of(1, 1), 1u);
}

TEST_F(RegionTest, AKnotOnEitherSide) {
  EXPECT_FALSE(opened().is_knot(1));
  for (const size_t side : {0, 1}) {
    loop(side).knot = true;
    EXPECT_TRUE(opened().is_knot(1));
    loop(side).knot = false;
  }
}

TEST_F(RegionTest, RegionsOfBlocks) {
  EXPECT_EQ(opened().region_of(0, 0), 0u);
  EXPECT_EQ(opened().region_of(0, 1), 1u);
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

TEST_F(RegionTest, TheInlinedFunctionThatALoopIsWrittenIn) {
  EXPECT_FALSE(opened().inlined_of(1));
  EXPECT_FALSE(opened().inlined_of(0));
  for (Instruction& one : opened().shapes[0].flow.instructions) one.inlined = 1;
  EXPECT_FALSE(opened().inlined_of(1)) << "head's";
  opened().regions[1].loops[1].clear();
  const auto inlined = opened().inlined_of(1);
  ASSERT_TRUE(inlined);
  EXPECT_EQ(inlined->name, "alpha");
  EXPECT_EQ(inlined->file, "b.h");
  EXPECT_EQ(inlined->line, 3u);
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

TEST_F(NestedRegionTest, WhatTheFunctionsOwnFileCallsIsTold) {
  WrittenFunction function(side(0, 2), side(0, 2));
  OpenedFunction& opened = function.opened;
  opened.regions.resize(3);
  opened.regions[2].loops = {{{1}, {1}}};
  opened.file = "src/b.h";
  const auto found = opened.entered_by(2, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "beta") << "alpha is written in the same file";
  EXPECT_EQ(found->line, 30u);
}

TEST_F(NestedRegionTest, NothingIsCalledWhereBothAreWrittenInOne) {
  EXPECT_EQ(entered(0, 0), "");
  EXPECT_EQ(entered(2, 2), "");
  EXPECT_EQ(entered(0, 2, 0), "") << "the body is entered by calls";
  EXPECT_EQ(entered(1, 2, 1, 0), "alpha:20") << "from the body";
}

/// A loop (0) with lines of its own around a second one (1); whether the second is a false nest of the first.
bool is_false_nest(const std::vector<uint64_t>& outer, const std::vector<uint64_t>& inner, uint32_t outer_file = 0,
                   uint32_t inner_file = 0, bool knot = false) {
  WrittenSide side{{{1, 1}}, {{1, 9}, {9, 90, 0, 2}}};
  for (const uint64_t line : outer) side.lines.push_back({line, 9, 0, {}, outer_file});
  for (const uint64_t line : inner) side.lines.push_back({line, 90, 1, {}, inner_file});
  side.loops[0].knot = knot;
  WrittenFunction function(side, side);
  const std::set<uint32_t> found = same_source_nests(function.opened, 0);
  EXPECT_FALSE(found.contains(0)) << "the outermost has none around it";
  return found.contains(1);
}

TEST(SameSourceNestsTest, TheOuterOneHasNoLineBeforeOrBehindThoseOfTheInner) {
  EXPECT_TRUE(is_false_nest({10, 12}, {10, 11, 12}));
  EXPECT_TRUE(is_false_nest({11}, {10, 12}));
  EXPECT_FALSE(is_false_nest({9}, {10, 12}));
  EXPECT_FALSE(is_false_nest({13}, {10, 12}));
  EXPECT_FALSE(is_false_nest({9, 11}, {10, 12}));
  EXPECT_TRUE(is_false_nest({}, {10, 12})) << "nothing of its own";
}

TEST(SameSourceNestsTest, LinesThatAreNotKnownSayNothing) {
  EXPECT_TRUE(is_false_nest({0, 11}, {10, 0, 12}));
  EXPECT_FALSE(is_false_nest({11}, {0}));
  EXPECT_FALSE(is_false_nest({}, {}));
}

TEST(SameSourceNestsTest, TheFunctionsOwnFileDecides) {
  EXPECT_FALSE(is_false_nest({11}, {10, 12}, 0, 1)) << "the outer one alone has lines of it";
  EXPECT_TRUE(is_false_nest({5}, {10, 12}, 1, 0)) << "the inner one alone";
  EXPECT_TRUE(is_false_nest({11}, {10, 12}, 1, 1)) << "neither: any file";
  EXPECT_FALSE(is_false_nest({13}, {10, 12}, 1, 1));
}

TEST(SameSourceNestsTest, ALoopOfTheStatementIsNotTheOneAroundIt) {
  const WrittenSide side{{{1, 1}, {2, 5, 0}, {1, 5, 1}, {3, 5, 1}}, {{1, 9}, WrittenLoop{9, 90, 0, 2}}};
  WrittenFunction function(side, side);
  EXPECT_EQ(same_source_nests(function.opened, 0), std::set<uint32_t>{1});
  ProfileCode code = *function.opened.code[0];
  code.files[0] = "icount-generated";
  function.opened.code = {&code, &code};
  EXPECT_TRUE(same_source_nests(function.opened, 0).empty()) << "whatever its lines";
}

TEST(SameSourceNestsTest, InAKnotLoopsAreReal) { EXPECT_FALSE(is_false_nest({11}, {10, 12}, 0, 0, true)); }

}  // namespace
}  // namespace icount
