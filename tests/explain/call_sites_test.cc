// Which inlined function calls of a callee come from, inside an opened function.
#include "icount/explain/inside/inlined_code.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "icount/explain/inside/loop_matching.h"
#include "icount/report/cause_sentence.h"
#include "written_code.h"

namespace icount {
namespace {

constexpr uint32_t kCallee = 3;
constexpr uint32_t kAlpha = 1, kBetaInAlpha = 2, kOmega = 3;

/// So many calls of kCallee on a line of its own.
WrittenLine calls(uint64_t line, size_t times, uint32_t inlined, uint32_t loop = kNoLoop) {
  return {line, 10, loop, std::vector<uint32_t>(times, kCallee), 0, inlined};
}

std::string told(const std::optional<CauseInlined>& inlined) {
  return inlined ? inlined->name + " of " + inlined->file + " at " + std::to_string(inlined->line) : "nothing";
}

/// Base has ten calls of its own and those of `base`, head the same and those of `head`.
std::string around(const std::vector<WrittenLine>& base, const std::vector<WrittenLine>& head, bool names = true) {
  std::array<WrittenSide, 2> sides = {WrittenSide{{calls(9, 10, 0)}}, WrittenSide{{calls(9, 10, 0)}}};
  sides[0].lines.insert(sides[0].lines.end(), base.begin(), base.end());
  sides[1].lines.insert(sides[1].lines.end(), head.begin(), head.end());
  WrittenFunction function(sides[0], sides[1]);
  function.opened.has_names = names;
  return told(inlined_around_calls(function.opened, function.of_callee, kCallee));
}

TEST(CallSitesTest, TheCallsThatOneSideHasMoreOf) {
  EXPECT_EQ(around({}, {calls(10, 5, kOmega)}), "omega of b.h at 40");
  EXPECT_EQ(around({calls(10, 5, kOmega)}, {}), "omega of b.h at 40");
  EXPECT_EQ(around({calls(10, 20, kAlpha)}, {calls(10, 20, kAlpha), calls(11, 1, kOmega)}), "omega of b.h at 40");
  EXPECT_EQ(around({}, {calls(10, 5, kOmega)}, false), "nothing") << "a side does not know them";
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

TEST(CallSitesTest, OtherCalleesDoNotCount) {
  const WrittenSide side{{{10, 10, kNoLoop, {2, 2, 2}, 0, kOmega}}};
  WrittenFunction function(WrittenSide{{{10, 10}}}, side);
  function.opened.has_names = true;
  EXPECT_EQ(told(inlined_around_calls(function.opened, function.of_callee, kCallee)), "nothing");
  EXPECT_EQ(told(inlined_around_calls(function.opened, function.of_callee, 2)), "omega of b.h at 40");
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
    return told(inlined_around_calls(function.opened, function.of_callee, kCallee, 1));
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
  return told(inlined_around_calls(function.opened, function.of_callee, kCallee));
}

TEST(CallSitesTest, TheFirstOfAnotherFileIsNamed) {
  EXPECT_EQ(named({{"median", 0, 5, 30, 0}, {"sort", 1, 70, 7, 1}, {"sort_n", 1, 80, 75, 2}}), "sort of b.h at 7");
  EXPECT_EQ(named({{"median", 0, 5, 30, 0}, {"half", 0, 8, 6, 1}}), "half of a.c at 6") << "none is of another file";
  EXPECT_EQ(named({{"sort", 1, 70, 7, 0}, {"less", 0, 5, 75, 1}}), "sort of b.h at 7");
}

TEST(CallSitesTest, AFunctionOfOneLineIsNamedItself) {
  EXPECT_EQ(named({{"Config", 0, 5, 30, 0}, {"vector", 1, 70, 5, 1}}), "Config of a.c at 30");
}

TEST(CallSitesTest, ACallOperatorWithoutASymbolIsNotNamed) {
  EXPECT_EQ(named({{"operator()", 1, 5, 30, 0}}), "nothing");
  EXPECT_EQ(named({{"operator()<int>", 1, 5, 30, 0}}), "nothing");
  EXPECT_EQ(named({{"Less::operator()", 1, 5, 30, 0}}), "Less::operator() of b.h at 30");
}

TEST(CallSitesTest, TheSentenceSaysItBeforeASemicolon) {
  const auto text = [](uint64_t line, fact::Rates price) {
    Cause cause{.facts = fact::ReplacedCall{.caller = "`f`", .callees = {"`e`", "`g`"}, .calls = 2, .price = price}};
    cause.remarks.push_back({.kind = Remark::Kind::kInlined, .inlined = {"median", "a.c", line}});
    return cause_sentence(cause);
  };
  EXPECT_EQ(text(30, {8, 8}), "`f` calls `g` in place of `e` (2 calls), through `median` (inlined at line 30)");
  EXPECT_EQ(text(0, {8, 9}), "`f` calls `g` in place of `e` (2 calls, 9 each, was 8), through `median` (inlined)");
}

}  // namespace
}  // namespace icount
