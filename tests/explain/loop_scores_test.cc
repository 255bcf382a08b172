// From which figures on two loops are one: each kind of evidence just at what is needed, and just below it. The others
// are held near nothing: what is done once on one side is done a thousand times on the other.
#include <gtest/gtest.h>

#include "icount/explain/inside/loop_matching.h"
#include "written_code.h"

namespace icount {
namespace {

/// One loop of a side.
struct Side {
  int64_t entries = 1, iterations = 1, cost = 1, calls = 1;
  std::vector<uint32_t> callees = {};
  int depth = 1;
  std::vector<WrittenLine> more = {};  ///< of the loop
  uint64_t line = 0;
  std::vector<WrittenLoop> beside = {};  ///< loops behind it, without lines
  bool comes_last = false;
};

WrittenSide written(const Side& of) {
  WrittenSide side;
  const auto others = static_cast<uint32_t>(of.beside.size());
  const uint32_t own = of.comes_last ? others : 0;
  for (uint32_t i = 0; i < others && of.comes_last; ++i) side.lines.push_back({0, 1, i});
  side.lines.push_back({of.line, of.cost, own, of.callees});
  for (WrittenLine line : of.more) {
    line.loop = own;
    side.lines.push_back(line);
  }
  for (uint32_t i = 0; i < others && !of.comes_last; ++i) side.lines.push_back({0, 1, i + 1});
  side.loops = of.beside;
  side.loops.insert(side.loops.begin() + own,
                    {.entries = of.entries, .iterations = of.iterations, .parent = kNoLoop, .depth = of.depth});
  side.calls = of.calls;
  return side;
}

/// Whether the loop of base is the one of head, whichever is called base.
bool are_one(const Side& base, const Side& head) {
  const auto matched = [](const Side& first, const Side& second) {
    WrittenFunction function(written(first), written(second));
    match_loops(function.opened, WrittenFunction::callees());
    for (size_t r = 1; r < function.opened.regions.size(); ++r)
      if (function.opened.regions[r].on_both()) return true;
    return false;
  };
  EXPECT_EQ(matched(base, head), matched(head, base));
  return matched(base, head);
}

TEST(LoopScoresTest, EntriesPerCall) {
  const auto with = [](int64_t entries, int64_t calls = 1) {
    return are_one(
        {.entries = 1000, .iterations = 1000},
        {.entries = entries * calls, .iterations = 1000 * entries * calls, .cost = 1000 * calls, .calls = calls});
  };
  EXPECT_TRUE(with(856)) << "0.7 times 0.856, a half for each of depth and order, and 0.0013: 1.6";
  EXPECT_FALSE(with(854));
  EXPECT_TRUE(with(856, 10));
  EXPECT_FALSE(with(854, 10));
}

TEST(LoopScoresTest, IterationsPerEntry) {
  const auto with = [](int64_t iterations, int64_t entries = 1000) {
    return are_one({.iterations = 1000}, {.entries = entries, .iterations = iterations * entries, .cost = 1000});
  };
  EXPECT_TRUE(with(856));
  EXPECT_FALSE(with(854));
}

TEST(LoopScoresTest, CostPerCall) {
  const auto with = [](int64_t cost, int64_t calls = 1) {
    return are_one({.cost = 1000},
                   {.entries = 1000 * calls, .iterations = 1'000'000 * calls, .cost = cost * calls, .calls = calls});
  };
  EXPECT_TRUE(with(998));
  EXPECT_FALSE(with(996));
  EXPECT_TRUE(with(998, 7));
  EXPECT_FALSE(with(996, 7));
}

TEST(LoopScoresTest, WhatBothHaveNoneOfIsTheSame) {
  EXPECT_TRUE(are_one({.cost = 0}, {.entries = 1000, .iterations = 1'000'000, .cost = 0}));
}

TEST(LoopScoresTest, AnotherDepthTakesAHalf) {
  const auto with = [](int64_t iterations, int depth) {
    return are_one({.iterations = 100}, {.iterations = iterations, .cost = 1000, .depth = depth});
  };
  EXPECT_TRUE(with(58, 2)) << "a half for the order, 0.7, and 0.406";
  EXPECT_FALSE(with(56, 2));
  EXPECT_TRUE(with(56, 1));
}

TEST(LoopScoresTest, TheOrderAmongTheLoopsBeside) {
  // The one loop of head stands in the middle, a quarter from each of base's; the other one of them is no likely one.
  const auto with = [](int64_t cost, bool comes_last) {
    return are_one({.cost = cost, .beside = {{.entries = 1000, .iterations = 1}}, .comes_last = comes_last},
                   {.iterations = 1000, .cost = 1000});
  };
  for (const bool comes_last : {false, true}) {
    EXPECT_TRUE(with(60, comes_last)) << "0.5, 0.375, 0.7, and 0.6 times 0.06";
    EXPECT_FALSE(with(30, comes_last));
  }
}

TEST(LoopScoresTest, Callees) {
  const auto with = [](int64_t entries, std::vector<uint32_t> of_head) {
    return are_one({.entries = 100, .iterations = 100, .callees = {1, 2}},
                   {.entries = entries, .iterations = 1000 * entries, .cost = 1000, .callees = std::move(of_head)});
  };
  EXPECT_TRUE(with(100'000, {1, 2}));
  EXPECT_FALSE(with(100'000, {1, 3}));
  EXPECT_TRUE(with(62, {1, 3})) << "one of three: two thirds, less a half";
  EXPECT_FALSE(with(60, {1, 3}));
  EXPECT_FALSE(with(100, {3})) << "none: less a half";
  EXPECT_FALSE(with(100, {}));
}

TEST(LoopScoresTest, NoCommonCalleeTakesAHalf) {
  const auto with = [](int64_t iterations) {
    return are_one({.iterations = 100, .callees = {1}}, {.iterations = iterations, .cost = 1000});
  };
  EXPECT_TRUE(with(58));
  EXPECT_FALSE(with(56));
}

/// One line in common; the others are of another file in base, and further ones of the same file in head.
bool of_lines(size_t others, int64_t entries, uint32_t inlined = 0, uint64_t line_of_head = 10) {
  Side base{.entries = 1000, .iterations = 1000, .line = 10},
      head{.entries = entries, .iterations = 1000 * entries, .cost = 1000, .line = line_of_head};
  for (uint64_t i = 0; i < others; ++i) {
    base.more.push_back({.line = 5 + i, .self = 0, .file = 1, .inlined = inlined});
    head.more.push_back({.line = 20 + i, .self = 0, .file = 0, .inlined = inlined});
  }
  return are_one(base, head);
}

TEST(LoopScoresTest, LinesInCommon) {
  EXPECT_TRUE(of_lines(2, 430)) << "one of five: 1.2, 1 for depth and order, and 0.301: 2.5";
  EXPECT_FALSE(of_lines(2, 420));
  EXPECT_TRUE(of_lines(1, 1)) << "one of three";
  EXPECT_FALSE(of_lines(3, 610)) << "one of seven: 0.857, and 0.427";
  EXPECT_TRUE(of_lines(3, 930));
}

TEST(LoopLinesTest, LeadFromBaseToHeadWhicheverCostsMore) {
  for (const int64_t more : {-40, 40}) {
    WrittenFunction function({{{10, 50, 0}, {11, 60, 0}}, {{1, 9}}}, {{{20, 50, 0}, {21, 60 + more, 0}}, {{1, 9}}});
    match_loops(function.opened, WrittenFunction::callees());
    EXPECT_EQ(function.opened.lines,
              (std::map<LineKey, LineKey>{{{"a.c", 10}, {"a.c", 20}}, {{"a.c", 11}, {"a.c", 21}}}));
  }
}

}  // namespace
}  // namespace icount
