// Parts of an opened function: what a header's last tests are, loops that are one in the source, lines of a region,
// inlined functions.
#include <gtest/gtest.h>

#include <map>

#include "icount/explain/inside/inlined_code.h"
#include "icount/explain/inside/loop_matching.h"
#include "icount/explain/inside/region_lines.h"
#include "written_code.h"

namespace icount {
namespace {

/// A loop on lines 10 and 11 of a function whose code differs otherwise.
WrittenSide one_loop(int64_t header, int64_t body) { return {{{9, 5}, {10, header, 0}, {11, body, 0}}, {{1, body}}}; }

TEST(OpenedPartsTest, PassesOfTheHeaderThatEndTheLoopAreNoIterations) {
  WrittenFunction function(one_loop(100, 100), one_loop(100, 100));
  match_loops(function.opened, WrittenFunction::callees());
  ShapeLoop& loop = function.opened.shapes[1].loops[0];
  loop.heads = 100;
  loop.iterations = 90;
  loop.head_exits = 10;
  EXPECT_EQ(function.opened.last_tests(1, 1, 500), 50);
  EXPECT_EQ(function.opened.last_tests(0, 1, 500), 0) << "base's header ends nothing";
  EXPECT_EQ(iteration_part(function.opened, 1, 1, 1), 0.9L);
  EXPECT_EQ(iteration_part(function.opened, 1, 1, 2), 1) << "no header";
  EXPECT_EQ(iteration_part(function.opened, 1, 0, 0), 1) << "the body";
  EXPECT_EQ(iteration_part(function.opened, 0, 1, 1), 1);
  function.opened.regions[1].reshaped = true;
  EXPECT_EQ(iteration_part(function.opened, 1, 1, 1), 1) << "told per entry";
  loop.heads = 0;
  EXPECT_EQ(function.opened.last_tests(1, 1, 500), 0);
}

TEST(OpenedPartsTest, HeadersAndKnots) {
  WrittenSide knot = one_loop(100, 100);
  knot.loops[0].knot = true;
  WrittenFunction function(one_loop(100, 100), knot);
  match_loops(function.opened, WrittenFunction::callees());
  EXPECT_EQ(function.opened.header_of(0, 1), 1u);
  EXPECT_EQ(function.opened.header_of(0, 0), kNoLoop);
  EXPECT_TRUE(function.opened.is_knot(1)) << "on either side";
  EXPECT_FALSE(function.opened.is_knot(0));
  function.opened.regions[1].loops[0].clear();
  EXPECT_EQ(function.opened.header_of(0, 1), kNoLoop);
}

std::set<uint32_t> nests(const std::vector<WrittenLine>& lines, bool knot = false) {
  const WrittenSide side{lines, {{1, 10, kNoLoop, 1, knot}, {10, 100, 0, 2}}};
  return same_source_nests(WrittenFunction(side, side).opened, 0);
}

TEST(OpenedPartsTest, TheOuterOfTwoFalseNestsHasNoLineOfItsOwn) {
  EXPECT_EQ(nests({{10, 10, 0}, {10, 100, 1}, {12, 100, 1}}), std::set<uint32_t>{1});
  EXPECT_EQ(nests({{11, 10, 0}, {10, 100, 1}, {12, 100, 1}}), std::set<uint32_t>{1});
  EXPECT_EQ(nests({{12, 10, 0}, {10, 100, 1}, {12, 100, 1}}), std::set<uint32_t>{1});
  EXPECT_TRUE(nests({{9, 10, 0}, {10, 100, 1}, {12, 100, 1}}).empty()) << "a line before";
  EXPECT_TRUE(nests({{13, 10, 0}, {10, 100, 1}, {12, 100, 1}}).empty()) << "a line behind";
  EXPECT_EQ(nests({{10, 10, 0}, {10, 100, 1}, {12, 100, 1}, {99, 3, 0, {}, 1}}), std::set<uint32_t>{1})
      << "lines of other files do not count beside its own";
  EXPECT_TRUE(nests({{0, 10, 0}, {0, 100, 1}}).empty()) << "without lines nobody knows";
  EXPECT_TRUE(nests({{10, 10, 0}, {10, 100, 1}, {12, 100, 1}}, true).empty()) << "an interpreter's dispatch";
  EXPECT_EQ(nests({{50, 10, 0, {}, 1}, {50, 100, 1, {}, 1}}), std::set<uint32_t>{1}) << "inlined on both";
  EXPECT_TRUE(nests({{49, 10, 0, {}, 1}, {50, 100, 1, {}, 1}}).empty());
  EXPECT_TRUE(nests({{50, 10, 0}, {50, 100, 1, {}, 1}}).empty()) << "the outer one is the function's own";
}

/// Which regions are the measuring loop: two nested ones, whose first lines are of these files (1: a stub's own).
std::vector<bool> measuring(uint32_t outer, uint32_t inner) {
  const WrittenSide side{{{1, 1, 0, {}, outer}, {2, 100, 1, {}, inner}, {3, 100, 1}}, {{1, 1}, {1, 100, 0, 2}}};
  WrittenFunction function(side, side);
  ProfileCode code;
  code.files = {"src/a.c", "icount-generated"};
  OpenedFunction& opened = function.opened;
  opened.code = {&code, &code};
  opened.regions.resize(3);
  for (uint32_t r = 1; r < 3; ++r) opened.regions[r].loops = {{{r - 1}, {r - 1}}};
  opened.regions[2].parent = {1, 1};
  find_measuring_loop(opened);
  return {opened.regions[1].measuring, opened.regions[2].measuring};
}

TEST(OpenedPartsTest, TheInnerLoopOfAStubIsTheOneThatRunsTheStatement) {
  EXPECT_EQ(measuring(0, 0), (std::vector{false, false}));
  EXPECT_EQ(measuring(1, 0), (std::vector{true, false})) << "a loop of the statement";
  EXPECT_EQ(measuring(1, 1), (std::vector{false, true})) << "the count began behind the question for the next pass";
  EXPECT_EQ(measuring(0, 1), (std::vector{false, false})) << "not of the user's loop";
}

TEST(OpenedPartsTest, LinesOfARegionThatChangedTheMostFirst) {
  WrittenFunction function(one_loop(100, 200), one_loop(150, 200));
  match_loops(function.opened, WrittenFunction::callees());
  // 10 and 20 iterations: line 10 costs 10 and 7.5 of each, line 11 costs 20 and 10.
  const auto lines = lines_of_region(function.opened, 1, {10, 20});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].line, 11u);
  EXPECT_EQ(lines[0].file, "a.c");
  EXPECT_EQ(lines[0].base, 20);
  EXPECT_EQ(lines[0].head, 10);
  EXPECT_EQ(lines[1].line, 10u);
  EXPECT_EQ(lines[1].base, 10);
  EXPECT_EQ(lines[1].head, 7.5);
  const auto body = lines_of_region(function.opened, 0, {1, 1});
  EXPECT_TRUE(body.empty()) << "line 9 costs what it did";
  const auto of_head = lines_of_region(function.opened, 1, {0, 20});
  ASSERT_EQ(of_head.size(), 2u) << "base never ran it";
  EXPECT_EQ(of_head[0].base, 0);
}

TEST(OpenedPartsTest, LoopsAreNamedByTheirLines) {
  const WrittenSide side{{{10, 9, 0}, {10, 90, 1}, {30, 9, 2}}, {{1, 9}, {9, 90, 0, 2}, {1, 9}}};
  WrittenFunction function(side, side);
  OpenedFunction& opened = function.opened;
  opened.same_code = true;
  opened.regions.resize(4);
  for (size_t s = 0; s < 2; ++s) {
    opened.region_of_loop[s] = {1, 2, 3};
    for (uint32_t loop = 0; loop < 3; ++loop) opened.regions[loop + 1].loops[s] = {loop};
  }
  EXPECT_EQ(loop_names(opened), (std::vector<std::string>{"", "loop at a.c:10 (nested 1 deep)",
                                                          "loop at a.c:10 (nested 2 deep)", "loop at a.c:30"}));
}

TEST(OpenedPartsTest, ALineOfABlockIsThatOfTheHead) {
  WrittenFunction function({{{9, 5}}}, {{{19, 5}}});
  EXPECT_EQ(line_of_block(function.opened, 0, false), (LineKey{"a.c", 19}));
  function.opened.shapes[1].flow.instructions[0].line = 0;
  EXPECT_EQ(line_of_block(function.opened, 0, true), (LineKey{"a.c", 9})) << "where head knows none";
  function.opened.shapes[0].flow.instructions[0].line = 0;
  EXPECT_EQ(line_of_block(function.opened, 0, true), LineKey());
}

TEST(InlinedAroundTest, ALoopIsWrittenWhereNineTenthsOfItAre) {
  const auto around = [](int64_t own, int64_t inlined, uint32_t number) {
    const WrittenSide side{{{10, own, 0}, {11, inlined, 0, {}, 0, number}}, {{1, 10}}};
    const WrittenFunction function(side, side);
    return inlined_around(function.opened.shapes[0], 0, *function.opened.code[0]);
  };
  EXPECT_EQ(around(10, 90, 1), 1u);
  EXPECT_EQ(around(11, 89, 1), 0u);
  EXPECT_EQ(around(0, 100, 2), 2u) << "the innermost: beta, which is inside of alpha";
  EXPECT_EQ(around(50, 50, 3), 0u);
}

/// Cost of the body by inlined functions: {"alpha", {base, head}}; the rest has no name.
std::map<std::string, std::array<long double, 2>> split(const std::vector<WrittenLine>& base,
                                                        const std::vector<WrittenLine>& head) {
  WrittenFunction function({base}, {head});
  OpenedFunction& opened = function.opened;
  opened.has_names = true;
  opened.regions.resize(1);
  std::array<long double, 2> own{};
  for (const WrittenLine& line : base) own[0] += static_cast<long double>(line.self);
  for (const WrittenLine& line : head) own[1] += static_cast<long double>(line.self);
  std::map<std::string, std::array<long double, 2>> parts;
  for (const InlinedPart& part : split_by_inlined(opened, 0, {1, 1}, own)) parts[part.function.name] = part.cost;
  return parts;
}

TEST(SplitByInlinedTest, PartsAddUpToTheWhole) {
  using Parts = std::map<std::string, std::array<long double, 2>>;
  const auto line = [](uint64_t number, int64_t self, uint32_t inlined) {
    return WrittenLine{number, self, kNoLoop, {}, 0, inlined};
  };
  EXPECT_EQ(split({line(9, 50, 0), line(20, 100, 1)}, {line(9, 80, 0), line(20, 200, 1)}),
            (Parts{{"", {50, 80}}, {"alpha", {100, 200}}}));
  EXPECT_EQ(split({line(20, 100, 1), line(30, 10, 2)}, {line(20, 200, 1), line(30, 60, 2)}),
            (Parts{{"", {0, 0}}, {"alpha", {100, 200}}, {"beta", {10, 60}}}))
      << "alpha without beta, which is inside of it";
  EXPECT_EQ(split({line(20, 100, 1), line(30, 10, 2)}, {line(20, 191, 1), line(30, 19, 2)}),
            (Parts{{"", {0, 0}}, {"alpha", {110, 210}}}))
      << "less than a tenth of the change is told with the function around it";
  EXPECT_EQ(split({line(20, 100, 1), line(30, 10, 2)}, {line(20, 190, 1), line(30, 20, 2)}),
            (Parts{{"", {0, 0}}, {"alpha", {100, 190}}, {"beta", {10, 20}}}))
      << "a tenth is told";
  EXPECT_EQ(split({line(9, 50, 0), line(20, 100, 1)}, {line(9, 80, 0), line(20, 100, 1)}), Parts{})
      << "nothing changed about the inlined one";
  EXPECT_EQ(split({line(20, 100, 1), line(40, 300, 3)}, {line(20, 300, 1), line(40, 200, 3)}), Parts{})
      << "300 of change for 100: parts that cancel";
  EXPECT_EQ(split({line(20, 100, 1), line(40, 300, 3)}, {line(20, 300, 1), line(40, 220, 3)}),
            (Parts{{"", {0, 0}}, {"alpha", {100, 300}}, {"omega", {300, 220}}}));
}

TEST(SplitByInlinedTest, WhatIsTooSmallIsFoldedFromTheInsideOut) {
  const auto line = [](uint64_t number, int64_t self, uint32_t inlined) {
    return WrittenLine{number, self, kNoLoop, {}, 0, inlined};
  };
  EXPECT_EQ(
      split({line(9, 100, 0), line(20, 100, 1), line(30, 10, 2)}, {line(9, 189, 0), line(20, 105, 1), line(30, 16, 2)}),
      (std::map<std::string, std::array<long double, 2>>{{"", {100, 189}}, {"alpha", {110, 121}}}))
      << "5 and 6 of 100 are no tenth each, but together";
}

}  // namespace
}  // namespace icount
