// Inlined functions inside an opened one: their parts of a change, their loops, and whose calls are whose.
#include "icount/explain/inside/inlined_code.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "icount/callgraph/function_code.h"
#include "icount/explain/inside/loop_matching.h"
#include "icount/explain/inside/region_lines.h"
#include "icount/report/cause_sentence.h"
#include "loop_profile.h"
#include "written_code.h"

namespace icount {
namespace {

TEST(InlinedNamesTest, FindsThemBySymbolAndElseByTheLastPartOfTheName) {
  ProfileCode code;
  code.inlined = {{"ns::f(int)", 0, 1, 0, 0}, {"g", 0, 2, 0, 1}, {"ns::f(long)", 0, 3, 0, 0}, {"h", 0, 4, 0, 2}};
  const InlinedNames names(code);
  EXPECT_EQ(names.inside("ns::f(int)"), (std::vector<bool>{false, true, true, false, true})) << "what is inside, too";
  EXPECT_EQ(names.inside("ns::f(int) [clone .isra.0]"), names.inside("ns::f(int)"));
  EXPECT_EQ(names.inside("other::g(char)"), (std::vector<bool>{false, false, true, false, true}));
  EXPECT_EQ(names.inside("nobody"), std::vector<bool>(5, false));
}

/// Parts of the body, of which either side has what is said of alpha, of beta in it, of omega and of no inlined
/// function.
struct Costs {
  int64_t own = 0, alpha = 0, beta = 0, omega = 0;
};

/// Names in the parts are those of the function's code.
struct Parts {
  std::unique_ptr<WrittenFunction> function;
  std::vector<InlinedPart> parts;
};

Parts parts_of(const Costs& base, const Costs& head, const std::array<long double, 2>& times = {1, 1},
               const BothSides& without_address = {}) {
  const auto side = [](const Costs& costs) {
    return WrittenSide{{{9, costs.own},
                        {10, costs.alpha, kNoLoop, {}, 0, 1},
                        {11, costs.beta, kNoLoop, {}, 1, 2},
                        {12, costs.omega, kNoLoop, {}, 1, 3}}};
  };
  auto function = std::make_unique<WrittenFunction>(side(base), side(head));
  OpenedFunction& opened = function->opened;
  opened.regions.resize(1);
  opened.has_names = true;
  for (const uint64_t line : {9, 10}) opened.lines[{"a.c", line}] = {"a.c", line};
  for (const uint64_t line : {11, 12}) opened.lines[{"b.h", line}] = {"b.h", line};
  const auto own_cost = [&](const Costs& costs, size_t s) {
    return static_cast<long double>(costs.own + costs.alpha + costs.beta + costs.omega + without_address[s]) / times[s];
  };
  std::vector<InlinedPart> parts = split_by_inlined(opened, 0, times, {own_cost(base, 0), own_cost(head, 1)});
  return {std::move(function), std::move(parts)};
}

/// "alpha/beta 5 -> 7;"
std::string told(const Parts& of) {
  std::string all;
  for (const InlinedPart& part : of.parts) {
    std::string path;
    for (const std::string_view name : part.path) path += (path.empty() ? "" : "/") + std::string(name);
    EXPECT_EQ(part.function.name, part.path.empty() ? "" : part.path.back());
    all += fmt::format("{} {} -> {};", path, static_cast<double>(part.cost[0]), static_cast<double>(part.cost[1]));
  }
  return all;
}

/// Parts of alpha, of beta in it and of omega in head, in a function where they are the standard library's.
std::string told_of_library(const Costs& base, const Costs& head) {
  Parts parts = parts_of(base, head);
  OpenedFunction& opened = parts.function->opened;
  std::array<ProfileCode, 2> code = {*opened.code[0], *opened.code[1]};
  for (const size_t side : {0, 1}) {
    code[side].files[1] = "/usr/include/c++/12/bits/b.h";
    opened.code[side] = &code[side];
  }
  const auto cost = [](const Costs& of) { return static_cast<long double>(of.own + of.alpha + of.beta + of.omega); };
  parts.parts = split_by_inlined(opened, 0, {1, 1}, {cost(base), cost(head)});
  return told(parts);
}

TEST(SplitByInlinedTest, PartsOfTheStandardLibraryAreOfWhatTheProgramCalls) {
  EXPECT_EQ(told_of_library({}, {0, 40, 60, 50}), " 0 -> 0;alpha 0 -> 100;omega 0 -> 50;");
  EXPECT_EQ(told_of_library({0, 40, 60, 50}, {}), " 0 -> 0;alpha 100 -> 0;omega 50 -> 0;");
  EXPECT_EQ(told_of_library({0, 30, 0, 0}, {0, 0, 270, 0}), " 0 -> 0;alpha 30 -> 0;alpha/beta 0 -> 270;")
      << "beta does nearly all of it";
}

TEST(SplitByInlinedTest, WhatHasNoAddressIsOfTheRest) {
  EXPECT_EQ(told(parts_of({10, 20, 0, 0}, {10, 40, 0, 0}, {1, 1}, {5, 7})), " 15 -> 17;alpha 20 -> 40;");
}

TEST(SplitByInlinedTest, PartsThatCancelAreNotTold) {
  EXPECT_EQ(told(parts_of({70, 0, 0, 0}, {40, 70, 0, 0})), " 70 -> 40;alpha 0 -> 70;") << "100 for 40";
  EXPECT_TRUE(parts_of({71, 0, 0, 0}, {40, 70, 0, 0}).parts.empty());
}

TEST(SplitByInlinedTest, PlacesAndLinesOfTheParts) {
  const Parts found = parts_of({10, 20, 30, 0}, {15, 40, 60, 0});
  const std::vector<InlinedPart>& parts = found.parts;
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].function.file, "b.h");
  EXPECT_EQ(parts[1].function.line, 3u);
  ASSERT_EQ(parts[2].lines.size(), 1u);
  EXPECT_EQ(parts[2].lines[0].line, 11u);
  EXPECT_EQ(parts[2].lines[0].head, 60);
  ASSERT_EQ(parts[0].lines.size(), 1u);
  EXPECT_EQ(parts[0].lines[0].line, 9u);
}

/// f has a loop on lines 6 to 8; code of g is in it, and so much before it.
class InlinedLoopTest : public testing::Test {
 protected:
  InlinedLoopTest() : profile_(read_coded(loop_profile({}))), folded_(fold_graph(profile_.graph, 0, false)) {
    profile_.code.inlined = {{"g", 0, 3, 20, 0}};
    for (FunctionCode& piece : profile_.code.functions)
      if (profile_.graph.name(piece.function) == "f") code_ = &piece;
    for (const size_t row : {1, 2, 3}) code_->rows.at(row).inlined = 1;
  }
  std::optional<CauseLoop> found(std::string_view callee = "g", int64_t calls = 0) const {
    for (uint32_t f = 0; f < folded_.functions.size(); ++f)
      if (folded_.functions[f].name == "f") return find_inlined_loop(folded_, profile_.code, f, callee, calls);
    return std::nullopt;
  }

  CodedProfile profile_;
  FoldedGraph folded_;
  FunctionCode* code_ = nullptr;
};

TEST_F(InlinedLoopTest, ATenthMayLieOutside) {
  code_->rows[0].inlined = 1;
  code_->self[0] = 34;
  EXPECT_TRUE(found()) << "310 of 344";
  code_->self[0] = 35;
  EXPECT_FALSE(found()) << "and of 345";
  code_->self[0] = 34;
  EXPECT_TRUE(found("g", 100)) << "once per turn";
  EXPECT_FALSE(found("g", 10)) << "once per entry: it is the loop of g";
}

TEST_F(InlinedLoopTest, OnlyTheCalleesOwnCodeCounts) {
  EXPECT_FALSE(found("h")) << "none of it";
  profile_.code.inlined.push_back({"h", 0, 9, 30, 0});
  code_->rows[0].inlined = 2;
  code_->self[0] = 1000;
  EXPECT_TRUE(found());
  EXPECT_FALSE(found("h")) << "it lies before the loop";
  profile_.code.inlined.clear();
  for (CodeRow& row : code_->rows) row.inlined = 0;
  EXPECT_FALSE(found()) << "not known";
}

TEST(PlaceInLoopTest, ACalleeThatWasInlinedIsInTheLoop) {
  Cause cause;
  const CauseLoop loop{"scan.c", 9, 11, 0x40, 2};
  cause.facts = fact::SelfCost{.function = "`f`"};
  place_in_loop(cause, loop);
  EXPECT_FALSE(cause.loop) << "nothing was inlined";
  cause.facts = fact::Inlined{.caller = "`f`", .callee = "`g`", .callee_is_known = false};
  place_in_loop(cause, loop);
  EXPECT_FALSE(cause.loop) << "or it is not known what";
  cause.facts = fact::Inlined{.caller = "`f`", .callee = "`g`", .own = 24, .calls = -35, .count = 2};
  place_in_loop(cause, loop);
  EXPECT_EQ(cause_sentence(cause), "`g` is now inlined into the loop at scan.c:9-11 in `f` (2 calls, -5.5 each)");
  ASSERT_TRUE(cause.loop);
  EXPECT_EQ(cause.loop->first_line, 9u);
  EXPECT_EQ(cause.loop->depth, 2);
}

constexpr uint32_t kCallee = 3;
constexpr uint32_t kAlpha = 1, kBetaInAlpha = 2, kOmega = 3;

/// So many calls of kCallee on a line of its own.
WrittenLine calls(uint64_t line, size_t times, uint32_t inlined, uint32_t loop = kNoLoop) {
  return {line, 10, loop, std::vector<uint32_t>(times, kCallee), 0, inlined};
}

std::string named_as(const std::optional<CauseInlined>& inlined) {
  return inlined ? inlined->name + " of " + inlined->file + " at " + std::to_string(inlined->line) : "nothing";
}

/// Base has ten calls of its own and those of `base`, head the same and those of `head`.
std::string around(const std::vector<WrittenLine>& base, const std::vector<WrittenLine>& head, bool names = true) {
  std::array<WrittenSide, 2> sides = {WrittenSide{{calls(9, 10, 0)}}, WrittenSide{{calls(9, 10, 0)}}};
  sides[0].lines.insert(sides[0].lines.end(), base.begin(), base.end());
  sides[1].lines.insert(sides[1].lines.end(), head.begin(), head.end());
  WrittenFunction function(sides[0], sides[1]);
  function.opened.has_names = names;
  return named_as(inlined_around_calls(function.opened, function.of_callee, kCallee));
}

TEST(CallSitesTest, NineTenthsAreInIt) {
  EXPECT_EQ(around({}, {calls(10, 9, kOmega), calls(11, 1, 0)}), "omega of b.h at 40");
  EXPECT_EQ(around({}, {calls(10, 8, kOmega), calls(11, 1, 0)}), "nothing");
  EXPECT_EQ(around({}, {calls(10, 5, kOmega), calls(11, 5, kAlpha)}), "nothing");
  EXPECT_EQ(around({}, {calls(10, 5, 0)}), "nothing");
}

TEST(CallSitesTest, AsManyCallsAreAllLookedAt) {
  EXPECT_EQ(around({}, {}), "nothing");
  EXPECT_EQ(around({calls(10, 45, kOmega)}, {calls(10, 45, kOmega)}), "nothing") << "90 of 110";
  EXPECT_EQ(around({calls(10, 90, kOmega)}, {calls(10, 90, kOmega)}), "omega of b.h at 40") << "180 of 200";
}

TEST(CallSitesTest, OfALoopWithoutTheFunctionsAroundIt) {
  const auto side = [](size_t times, uint32_t loop_in, uint32_t call_in) {
    return WrittenSide{{{9, 5}, {10, 1000, 0, {}, 0, loop_in}, calls(11, times, call_in, 0), calls(12, times, kOmega)},
                       {{20, 200}}};
  };
  const auto in_loop = [&](uint32_t loop_in, uint32_t call_in) {
    WrittenFunction function(side(0, loop_in, call_in), side(9, loop_in, call_in));
    function.opened.has_names = true;
    match_loops(function.opened, function.of_callee);
    return named_as(inlined_around_calls(function.opened, function.of_callee, kCallee, 1));
  };
  EXPECT_EQ(in_loop(0, kAlpha), "alpha of b.h at 20");
  EXPECT_EQ(in_loop(kAlpha, kBetaInAlpha), "beta of b.h at 30") << "alpha is told with the loop";
  EXPECT_EQ(in_loop(kAlpha, kAlpha), "nothing");
  EXPECT_EQ(in_loop(kAlpha, kOmega), "omega of b.h at 40");
}

/// Functions around a call, by file and line of their declaration and line of their call, the outermost first.
std::string named(const std::vector<InlinedCode>& around_call) {
  const WrittenSide side{{calls(10, 1, static_cast<uint32_t>(around_call.size()))}};
  WrittenFunction function(WrittenSide{{{10, 10}}}, side);
  function.opened.has_names = true;
  ProfileCode code{.files = {"src/a.c", "/usr/include/b.h"}, .inlined = around_call};
  for (const size_t s : {0, 1}) function.opened.code[s] = &code;
  return named_as(inlined_around_calls(function.opened, function.of_callee, kCallee));
}

TEST(CallSitesTest, TheFirstOfAnotherFileIsNamed) {
  EXPECT_EQ(named({{"median", 0, 5, 30, 0}, {"sort", 1, 70, 7, 1}, {"sort_n", 1, 80, 75, 2}}), "sort of b.h at 7");
  EXPECT_EQ(named({{"median", 0, 5, 30, 0}, {"half", 0, 8, 6, 1}}), "half of a.c at 6") << "none is of another file";
  EXPECT_EQ(named({{"sort", 1, 70, 7, 0}, {"less", 0, 5, 75, 1}}), "sort of b.h at 7");
}

TEST(CallSitesTest, AFunctionOfOneLineIsNamedItself) {
  EXPECT_EQ(named({{"Config", 0, 5, 30, 0}, {"vector", 1, 70, 5, 1}}), "Config of a.c at 30");
}

TEST(CallSitesTest, TheSentenceSaysItBeforeASemicolon) {
  const auto text = [](uint64_t line, fact::Rates price) {
    Cause cause{.facts =
                    fact::ReplacedCall{.caller = "`f`", .callees = {"`e`", "`g`"}, .calls = {2, 2}, .price = price}};
    cause.remarks.push_back({.kind = Remark::Kind::kInlined, .inlined = {"median", "a.c", line}});
    return cause_sentence(cause);
  };
  EXPECT_EQ(text(30, {8, 8}), "`f` calls `g` in place of `e` (2 calls), through `median` (inlined at line 30)");
  EXPECT_EQ(text(0, {8, 9}), "`f` calls `g` in place of `e` (2 calls, 9 each, was 8), through `median` (inlined)");
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
    const FunctionShape& shape = function.opened.shapes[0];
    return inlined_around(shape, 0, *function.opened.code[0]);
  };
  EXPECT_EQ(around(10, 90, 1), 1u);
  EXPECT_EQ(around(11, 89, 1), 0u);
  EXPECT_EQ(around(0, 100, 2), 2u) << "the innermost: beta, which is inside of alpha";
  EXPECT_EQ(around(50, 50, 3), 0u);
}

TEST(LoopPlaceTest, CodeInlinedIntoALoopIsAtItsCall) {
  const auto place = [](const std::vector<WrittenLine>& lines) {
    const WrittenSide side{lines, {{1, 10}}};
    const WrittenFunction function(side, side);
    return loop_place(function.opened.shapes[0], 0, *function.opened.code[0], "src/a.c").text();
  };
  EXPECT_EQ(place({{18, 50, 0}, {22, 50, 0}, {5, 40, 0, {}, 0, 1}}), "a.c:18-22") << "not alpha's line 5: called at 20";
  EXPECT_EQ(place({{18, 50, 0}, {7, 40, 0, {}, 1, 3}}), "a.c:18-40") << "omega of b.h is called at 40";
  EXPECT_EQ(place({{4, 90, 0, {}, 1, 1}, {9, 90, 0, {}, 1, 2}}), "b.h:4-30") << "a loop of alpha: beta is called at 30";
  EXPECT_EQ(place({{4, 99, 0, {}, 1, 1}, {6, 1, 0, {}, 1}}), "b.h:4-6") << "moved there from outside of alpha";
}

TEST(LoopPlaceTest, ALoopIsWrittenWhereItsControlIs) {
  // Nearly all of it is alpha's, which it calls at line 20.
  const WrittenSide side{{{18, 5, 0}, {4, 90, 0, {}, 1, 1}, {19, 5, 0}}, {{5, 5}}};
  WrittenFunction function(side, side);
  FunctionShape& shape = function.opened.shapes[0];
  shape.edges = {{0, 1, 5}, {1, 1, 85}, {1, 2, 5}, {2, 0, 5}};
  EXPECT_EQ(control_of_loop(shape, 0), std::vector<uint32_t>{2});
  EXPECT_EQ(inlined_around(shape, 0, *function.opened.code[0]), 0u);
  EXPECT_EQ(loop_place(shape, 0, *function.opened.code[0], "src/a.c").text(), "a.c:19-20");
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
