// Functions without a name: which address of one side is which of the other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "icount/callgraph/symbol_name.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"
#include "support/graph_builder.h"

namespace icount {
namespace {

bool says(const std::vector<std::string>& notes, std::string_view part) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

std::string at(int64_t address) { return fmt::format("0x{:016x}", address); }

using Calls = std::vector<std::pair<std::string, int64_t>>;

/// A function without a name.
struct Code {
  int64_t address, cost;
  Calls callers, callees = {};
};

/// main calls f, g, h and the codes of a stripped library.
CostGraph stripped(const std::string& object, const std::vector<Code>& codes) {
  GraphBuilder graph;
  graph.in("main.cc", "/bin/main").function("main", 10);
  for (const char* named : {"f", "g", "h"}) graph.function(named, 10).calls("main", named, 1);
  graph.in("???", object);
  for (const Code& code : codes) graph.function(at(code.address), code.cost);
  for (const Code& code : codes) {
    for (const auto& [caller, calls] : code.callers) graph.calls(caller, at(code.address), calls);
    for (const auto& [callee, calls] : code.callees) graph.calls(at(code.address), callee, calls);
  }
  return graph.graph();
}

/// Of functions whose cost changed: "1100>1150" for one that was found elsewhere, "1100" in place, "-1100" gone,
/// "+1150" new.
std::string told(const CostGraph& base, const CostGraph& head, bool turned = false) {
  const auto shown = [](const std::string& name) { return fmt::format("{:x}", address_of_name(name)); };
  std::vector<std::string> words;
  for (const FunctionChange& change : explain(base, head).functions) {
    const std::string name = shown(change.name);
    if (!change.base_name.empty())
      words.push_back(
          fmt::format("{}>{}", turned ? name : shown(change.base_name), turned ? shown(change.base_name) : name));
    else
      words.push_back((change.base == 0 ? turned ? "-" : "+" : change.head == 0 ? turned ? "+" : "-" : "") + name);
  }
  std::sort(words.begin(), words.end());
  return fmt::format("{}", fmt::join(words, " "));
}

/// Two builds in which 0x1000 of the base does what 0x1050 of the head does, and nothing else lies where it lay.
std::string told_of_two_builds(std::vector<Code> base, std::vector<Code> head) {
  base.insert(base.begin(), {0x1000, 90, {{"main", 9}}});
  head.insert(head.begin(), {0x1050, 90, {{"main", 9}}});
  const CostGraph before = stripped("/old/libops.so", base), after = stripped("/new/libops.so", head);
  EXPECT_EQ(told(after, before, true), told(before, after)) << "the other way round";
  return told(before, after);
}

TEST(MatchPlacesTest, FunctionsWithoutNamesOfTwoBuildsNeedMoreThanTheirPlace) {
  GraphBuilder base, head;
  base.in("main.cc", "/old/prog")
      .function("main", 10)
      .function("0x0000000000001100", 500)
      .function("0x0000000000001140", 900);
  base.calls("main", "0x0000000000001100", 5).calls("0x0000000000001100", "0x0000000000001140", 10);
  head.in("main.cc", "/new/prog")
      .function("main", 10)
      .function("0x0000000000001100", 7000)
      .function("0x0000000000001140", 44000);
  head.calls("main", "0x0000000000001100", 70).calls("0x0000000000001100", "0x0000000000001140", 4000);
  EXPECT_EQ(told(base.graph(), head.graph()), "+1100 +1140 -1100 -1140");
}

/// A stripped library of which 0x1000, 0x3000 and 0x5000 are run, and `other` in the middle: it does the same wherever
/// it lies.
CostGraph stripped_run(const std::string& other, const std::string& named, int64_t shift) {
  GraphBuilder graph;
  graph.in("main.cc", "/usr/bin/prog").function("main", 10).in("???", "/usr/lib/libops.so.1");
  graph.function(at(0x1000), 500)
      .function(other, 700)
      .function(at(0x3000 + shift), 900)
      .function(at(0x5000 + shift), 1100)
      .function(named, 300);
  graph.calls("main", at(0x1000), 5, 500).calls("main", other, 7, 1000).calls(other, named, 3, 300);
  graph.calls("main", at(0x3000 + shift), 9, 900).calls("main", at(0x5000 + shift), 11, 1100);
  return graph.graph();
}

TEST(MatchPlacesTest, InOneBuildAnotherAddressOrNameIsAnotherFunction) {
  const std::string one = "0x0000000000002000", two = "0x0000000000002500";
  const Explanation same =
      explain(stripped_run(one, "ops::mul::call(int)", 0), stripped_run(two, "ops::mm::call(int)", 0));
  EXPECT_EQ(same.renamed, 0);
  EXPECT_FALSE(says(note_sentences(same), "matched by place"));
  ASSERT_GE(same.causes.size(), 2u);
  EXPECT_EQ(cause_sentence(same.causes[0]), "`main` no longer calls `0x2000` in libops.so.1 (7 calls at 143 each)");
  EXPECT_EQ(cause_sentence(same.causes[1]), "`main` now calls `0x2500` in libops.so.1 7 times, at 143 each");
  // Behind a change of the sources every address is another one: then it says nothing.
  const Explanation rebuilt =
      explain(stripped_run(one, "ops::mul::call(int)", 0), stripped_run(two, "ops::mul::call(int)", 0x40));
  EXPECT_TRUE(says(note_sentences(rebuilt), "3 functions without a symbol matched by position"));
  EXPECT_TRUE(rebuilt.causes.empty() || rebuilt.causes[0].delta == 0) << cause_sentence(rebuilt.causes[0]);
}

TEST(MatchPlacesTest, ItIsOneBuildWhenHalfOfTheCommonAddressesAgree) {
  const auto run = [](bool is_head, int64_t disagreeing) {
    std::vector<Code> codes = {{0x1000, 500, {{"main", 5}}},
                               {is_head ? 0x2500 : 0x2000, 700, {{"main", 7}}},
                               {0x3000, 30, {{"main", 11}}},
                               {0x3010, 60, {{"main", 12}}}};
    for (int64_t i = 0; i < disagreeing; ++i)
      codes.push_back({0x3020 + 0x10 * i, (is_head ? 9000 : 2000) + i, {{"main", (is_head ? 50 : 20) + i}}});
    for (int64_t i = 0; i < 3; ++i)
      codes.push_back(
          {(is_head ? 0x8000 : 0x9000) + 0x10 * i, (is_head ? 1 : 100000) + i, {{"main", (is_head ? 500 : 300) + i}}});
    return stripped("/lib/libops.so", codes);
  };
  EXPECT_EQ(told(run(false, 3), run(true, 3)), "+2500 +8000 +8010 +8020 -2000 -9000 -9010 -9020 3020 3030 3040");
  EXPECT_EQ(told(run(false, 4), run(true, 4)), "3020 3030 3040 3050 9000>8000 9010>8010 9020>8020")
      << "0x2500 is what 0x2000 was";
}

TEST(MatchPlacesTest, ItIsOneBuildWhenNearlyAllAddressesAreTheSame) {
  const auto run =
      [](bool is_head,
         int64_t alone) {  // zlib at another level: one function instead of another, nearly all others do more
        std::vector<Code> codes = {{is_head ? 0x1500 : 0x1000, 700, {{"main", 7}}},
                                   {0x3000, 30, {{"main", 11}}},
                                   {0x3010, 60, {{"main", 12}}}};
        for (int64_t i = 0; i < 6; ++i)
          codes.push_back({0x3020 + 0x10 * i, (is_head ? 9000 : 2000) + i, {{"main", (is_head ? 50 : 20) + i}}});
        for (int64_t i = 1; i < alone; ++i)
          codes.push_back({(is_head ? 0x8000 : 0x9000) + 0x10 * i, 500 + i, {{"main", 70 + i}}});
        return stripped("/lib/libz.so", codes);
      };
  EXPECT_EQ(told(run(false, 2), run(true, 2)), "+1500 +8010 -1000 -9010 3020 3030 3040 3050 3060 3070");
  EXPECT_EQ(told(run(false, 3), run(true, 3)), "3020 3030 3040 3050 3060 3070")
      << "8 of 11 are the same: 0x1500 is what 0x1000 was";
}

TEST(MatchPlacesTest, ItIsOneBuildWhenTwoFunctionsBehindADifferenceAgree) {
  const auto run = [](int64_t other, int64_t calls_behind) {
    return stripped("/lib/libops.so", {{0x1000, 500, {{"main", 5}}},
                                       {0x1010, 600, {{"main", 6}}},
                                       {0x1020, 800, {{"main", 8}}},
                                       {other, 700, {{"main", 7}}},
                                       {0x3000, 30, {{"main", 11}}},
                                       {0x3010, 60 * calls_behind, {{"main", calls_behind}}},
                                       {0x3020, 5 + other, {{"f", other}}}});
  };
  EXPECT_EQ(told(run(0x2000, 12), run(0x2500, 12)), "+2500 -2000 3020");
  EXPECT_EQ(told(run(0x2000, 12), run(0x2500, 13)), "3010 3020") << "0x2500 is what 0x2000 was";
}

TEST(MatchPlacesTest, AnAddressTellsWhereFourOfFiveAreCommon) {
  // But for one, what lies at the same address does something else and is called from elsewhere.
  const auto run = [](bool is_head, int64_t moved_from) {
    std::vector<Code> codes = {{0x1000, 500, {{"main", 5}}}};
    for (int64_t i = 1; i < 5; ++i)
      codes.push_back({0x1000 + 0x100 * i + (is_head && i >= moved_from ? 0x50 : 0),
                       (is_head ? 9000 : 700) + i,
                       {{is_head ? "g" : "f", (is_head ? 70 : 7) + i}}});
    return stripped(is_head ? "/new/libops.so" : "/old/libops.so", codes);
  };
  EXPECT_EQ(told(run(false, 4), run(true, 4)), "+1450 -1400 1100 1200 1300");
  EXPECT_EQ(told(run(false, 3), run(true, 3)), "+1100 +1200 +1350 +1450 -1100 -1200 -1300 -1400");
}

TEST(MatchPlacesTest, WhatAFunctionCallsHowOftenTellsWhichOneItIs) {
  EXPECT_EQ(told_of_two_builds({{0x1100, 500, {{"main", 5}}, {{"f", 3}}}, {0x1200, 500, {{"main", 5}}, {{"f", 4}}}},
                               {{0x1150, 500, {{"main", 5}}, {{"f", 4}}}, {0x1250, 9000, {{"h", 60}}, {{"g", 2}}}}),
            "+1250 -1100");
}

TEST(MatchPlacesTest, TheSameNeighboursMakeAnAnchorWhateverTheFigures) {
  EXPECT_EQ(
      told_of_two_builds({{0x1100, 500, {{"main", 5}}, {{"f", 3}}}, {0x1200, 600, {{"main", 6}}, {{"g", 4}}}},
                         {{0x1150, 9000, {{"main", 16}}, {{"g", 14}}}, {0x1250, 9900, {{"main", 17}}, {{"h", 2}}}}),
      "+1250 -1100 1200>1150");
  EXPECT_EQ(told_of_two_builds({{0x1100, 500, {{"f", 5}}}, {0x1200, 600, {{"g", 6}}}},
                               {{0x1150, 9000, {{"g", 16}}}, {0x1250, 9900, {{"h", 17}}}}),
            "+1250 -1100 1200>1150");
  EXPECT_EQ(told_of_two_builds({{0x1100, 500, {{at(0x1000), 5}}, {{"f", 3}}}}, {{0x1150, 9000, {{"f", 16}}}}),
            "+1150 -1100")
      << "one calls f, one is called by it";
}

TEST(MatchPlacesTest, BetweenAnchorsCallsOrNeighboursMustAgree) {
  EXPECT_EQ(told_of_two_builds({{0x1100, 500, {{"main", 5}}}, {0x1200, 600, {{"main", 6}}}},
                               {{0x1150, 9000, {{"main", 50}}}, {0x1250, 9900, {{"main", 60}}}}),
            "1100>1150 1200>1250")
      << "both from main, and in this order";
  EXPECT_EQ(told_of_two_builds({{0x1100, 500, {{"main", 5}}}}, {{0x1150, 90000, {{"main", 2}, {"f", 3}}}}), "1100>1150")
      << "five calls each";
  EXPECT_EQ(told_of_two_builds({{0x1100, 500, {{"main", 5}}}}, {{0x1150, 90000, {{"f", 50}}}}), "+1150 -1100");
  EXPECT_EQ(told_of_two_builds({{0x1100, 500, {{at(0x1000), 5}}}}, {{0x1150, 90000, {{at(0x1050), 50}}}}),
            "+1150 -1100")
      << "no neighbours known is none in common";
}

TEST(MatchPlacesTest, OfAnchorsThatChangedTheirOrderTheMostInOrderHold) {
  EXPECT_EQ(told_of_two_builds({{0x1100, 500, {{"main", 5}}},
                                {0x1200, 600, {{"main", 6}}},
                                {0x1300, 700, {{"main", 7}}},
                                {0x1400, 800, {{"main", 8}}}},
                               {{0x1150, 600, {{"main", 6}}},
                                {0x1250, 7000, {{"main", 70}}},
                                {0x1350, 800, {{"main", 8}}},
                                {0x1450, 500, {{"main", 5}}}}),
            "+1450 -1100 1300>1250");
}

TEST(MatchPlacesTest, UnequallyManyAreAlignedByHowAlikeTheyAre) {
  const std::vector<Code> one = {{0x1100, 500, {{"main", 5}}}};
  EXPECT_EQ(told_of_two_builds(one, {{0x1150, 1500, {{"main", 6}}}, {0x1250, 600, {{"main", 7}}}}), "+1150 1100>1250")
      << "about the same cost";
  EXPECT_EQ(told_of_two_builds(one, {{0x1150, 90000, {{"f", 60}}}, {0x1250, 95000, {{"g", 70}}}}), "+1150 +1250 -1100")
      << "nothing alike";
  EXPECT_EQ(
      told_of_two_builds({one[0], {0x1200, 600, {{"main", 6}}}},
                         {{0x1150, 510, {{"f", 8}}}, {0x1250, 90000, {{"main", 9}}}, {0x1350, 95000, {{"main", 10}}}}),
      "+1150 1100>1250 1200>1350")
      << "neighbours count more than cost";
  EXPECT_EQ(
      told_of_two_builds({one[0], {0x1200, 500, {{"main", 5}}}},
                         {{0x1150, 510, {{"main", 6}}}, {0x1250, 500, {{"main", 5}}}, {0x1350, 500, {{"main", 5}}}}),
      "+1150")
      << "equal figures count most";
}

TEST(MatchPlacesTest, LargeGapsAreLeftOpen) {
  const auto codes = [](int64_t count, int64_t shift) {
    std::vector<Code> made;
    for (int64_t i = 0; i < count; ++i)
      made.push_back({0x2000 + 0x100 * i + shift, 1000 * (1 + shift) + i, {{"main", 100 + 7 * i + shift}}});
    return made;
  };
  const std::string some = told_of_two_builds(codes(63, 0), codes(64, 0x50)),
                    many = told_of_two_builds(codes(64, 0), codes(65, 0x50));
  EXPECT_EQ(std::count(some.begin(), some.end(), '>'), 63);
  EXPECT_EQ(std::count(many.begin(), many.end(), '>'), 0);
}

}  // namespace
}  // namespace icount
