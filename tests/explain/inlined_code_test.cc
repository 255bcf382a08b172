// Inlined functions in an explanation: whose code an instruction is, what inlined functions cost in a region.
#include "icount/explain/inside/inlined_code.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <memory>
#include <utility>

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

TEST(InlinedNamesTest, ANameWithParametersIsFoundByItsSymbolAlone) {
  ProfileCode code;
  code.inlined = {{"f(int)", 0, 1, 0, 0}, {"f", 0, 2, 0, 0}};
  const InlinedNames names(code);
  EXPECT_EQ(names.inside("f(long)"), (std::vector<bool>{false, false, true})) << "the one without a symbol";
  EXPECT_EQ(names.inside("f(int)"), (std::vector<bool>{false, true, true}));
}

/// The inlined function that a loop of two lines is in; `first` and `second` are those of its lines.
uint32_t around(uint32_t first, int64_t first_cost, uint32_t second, int64_t second_cost) {
  const WrittenSide side{{{9, 1}, {10, first_cost, 0, {}, 0, first}, {11, second_cost, 0, {}, 0, second}}, {{1, 9}}};
  WrittenFunction function(side, side);
  return inlined_around(function.opened.shapes[0], 0, *function.opened.code[0]);
}

TEST(InlinedAroundTest, NearlyAllOfALoopIsNineTenths) {
  EXPECT_EQ(around(1, 90, 0, 10), 1u);
  EXPECT_EQ(around(1, 89, 0, 11), 0u);
  EXPECT_EQ(around(0, 50, 0, 50), 0u);
  EXPECT_EQ(around(3, 95, 1, 5), 3u);
}

TEST(InlinedAroundTest, TheInnermostOfSeveral) {
  EXPECT_EQ(around(2, 95, 1, 5), 2u) << "beta is inside of alpha";
  EXPECT_EQ(around(2, 50, 1, 50), 1u) << "both are inside of alpha";
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

TEST(SplitByInlinedTest, EachWithoutThoseInsideItAndTheRest) {
  EXPECT_EQ(told(parts_of({10, 20, 30, 40}, {15, 40, 60, 45})), " 50 -> 60;alpha 20 -> 40;alpha/beta 30 -> 60;")
      << "omega's 5 of 60 are less than a tenth";
  EXPECT_EQ(told(parts_of({10, 20, 30, 40}, {10, 40, 60, 80})),
            " 10 -> 10;alpha 20 -> 40;alpha/beta 30 -> 60;omega 40 -> "
            "80;");
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

TEST(SplitByInlinedTest, TheLineThatCallsThemWhereItIsOne) {
  const Parts found = parts_of({10, 20, 30, 40}, {10, 40, 60, 80});
  ASSERT_EQ(found.parts.size(), 4u);
  EXPECT_EQ(found.parts[0].call_line, 0u) << "the function's own";
  EXPECT_EQ(found.parts[1].call_line, 20u);
  EXPECT_EQ(found.parts[2].call_line, 20u) << "beta is called by alpha, which is of another file than the function";
  EXPECT_EQ(found.parts[3].call_line, 40u);
}

TEST(SplitByInlinedTest, ATenthOfTheChangeIsTold) {
  EXPECT_EQ(told(parts_of({10, 0, 0, 10}, {100, 0, 0, 20})), " 10 -> 100;omega 10 -> 20;");
  EXPECT_TRUE(parts_of({10, 0, 0, 10}, {101, 0, 0, 20}).parts.empty());
}

TEST(SplitByInlinedTest, WhatIsTooSmallBelongsToTheFunctionAround) {
  EXPECT_EQ(told(parts_of({0, 20, 30, 0}, {0, 120, 35, 0})), " 0 -> 0;alpha 50 -> 155;");
  EXPECT_EQ(told(parts_of({0, 0, 30, 0}, {0, 0, 130, 0})), " 0 -> 0;alpha/beta 30 -> 130;");
}

TEST(SplitByInlinedTest, WhatHasNoAddressIsOfTheRest) {
  EXPECT_EQ(told(parts_of({10, 20, 0, 0}, {10, 40, 0, 0}, {1, 1}, {5, 7})), " 15 -> 17;alpha 20 -> 40;");
}

TEST(SplitByInlinedTest, PerTime) {
  EXPECT_EQ(told(parts_of({10, 20, 0, 0}, {10, 40, 0, 0}, {10, 5})), " 1 -> 2;alpha 2 -> 8;");
  EXPECT_TRUE(parts_of({10, 20, 0, 0}, {10, 40, 0, 0}, {0, 5}).parts.empty());
  EXPECT_TRUE(parts_of({10, 20, 0, 0}, {10, 40, 0, 0}, {5, 0}).parts.empty());
}

TEST(SplitByInlinedTest, PartsThatCancelAreNotTold) {
  EXPECT_EQ(told(parts_of({70, 0, 0, 0}, {40, 70, 0, 0})), " 70 -> 40;alpha 0 -> 70;") << "100 for 40";
  EXPECT_TRUE(parts_of({71, 0, 0, 0}, {40, 70, 0, 0}).parts.empty());
}

TEST(SplitByInlinedTest, NothingChangedOrNothingIsInlined) {
  EXPECT_TRUE(parts_of({10, 20, 30, 0}, {10, 20, 30, 0}).parts.empty());
  EXPECT_TRUE(parts_of({10, 0, 0, 0}, {20, 0, 0, 0}).parts.empty());
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

TEST(SplitByInlinedTest, ASideThatDoesNotKnowThem) {
  const WrittenSide base{{{9, 10}, {10, 20, kNoLoop, {}, 0, 1}}}, head{{{9, 10}, {10, 90, kNoLoop, {}, 0, 1}}};
  WrittenFunction function(base, head);
  function.opened.regions.resize(1);
  EXPECT_TRUE(split_by_inlined(function.opened, 0, {1, 1}, {30, 100}).empty());
}

}  // namespace
}  // namespace icount
