// Which loop and which line of one side is which of the other: explain/inside/loop_matching.h.
#include "icount/explain/inside/loop_matching.h"

#include <gtest/gtest.h>

#include "written_code.h"

namespace icount {
namespace {

using Loops = std::vector<uint32_t>;
/// Loops of base and of head, region by region, without the body.
using Regions = std::vector<std::array<Loops, 2>>;

Regions matched(const WrittenSide& base, const WrittenSide& head) {
  const auto of = [](const WrittenSide& first, const WrittenSide& second) {
    WrittenFunction function(first, second);
    match_loops(function.opened, WrittenFunction::callees());
    for (size_t side = 0; side < 2; ++side)
      for (uint32_t r = 1; r < function.opened.regions.size(); ++r)
        for (const uint32_t loop : function.opened.regions[r].loops[side])
          EXPECT_EQ(function.opened.region_of_loop[side][loop], r);
    Regions regions;
    for (size_t r = 1; r < function.opened.regions.size(); ++r) regions.push_back(function.opened.regions[r].loops);
    std::sort(regions.begin(), regions.end());
    return regions;
  };
  Regions turned = of(head, base);
  for (auto& region : turned) std::swap(region[0], region[1]);
  std::sort(turned.begin(), turned.end());
  EXPECT_EQ(of(base, head), turned) << "whichever is base";
  return of(base, head);
}

/// Whether the only loop of head took the place of base's only one.
bool replaced(const WrittenSide& base, const WrittenSide& head) {
  WrittenFunction function(base, head);
  match_loops(function.opened, WrittenFunction::callees());
  return function.opened.regions.size() == 2 && function.opened.regions[1].replaced;
}

TEST(LoopMatchingTest, TheOnlyLoopThatTurnsAsAnotherDidTookItsPlace) {
  const WrittenSide base{{{10, 100, 0}, {30, 7}}, {{1, 100}}};
  EXPECT_TRUE(replaced(base, {{{10, 7}, {30, 500, 0}}, {{1, 100}}}));
  EXPECT_FALSE(replaced(base, base)) << "it is the same loop";
  EXPECT_FALSE(replaced(base, {{{10, 7}, {30, 100, 0}}, {{1, 97}}})) << "other turns";
  EXPECT_FALSE(replaced(base, {{{10, 7}, {30, 100, 0}}, {{2, 100}}})) << "other entries";
  EXPECT_FALSE(replaced(base, {{{10, 7}, {30, 100, 0}, {31, 100, 1}}, {{1, 100}, {1, 100}}})) << "two may have";
  const WrittenSide once{{{10, 1, 0}, {30, 7}}, {{1, 1}}};
  EXPECT_FALSE(replaced(once, {{{10, 7}, {30, 1, 0}}, {{1, 1}}})) << "a loop of one turn says nothing";
}

TEST(LoopMatchingTest, WithoutLinesFiguresSay) {
  const WrittenSide base{{{0, 100, 0}}, {{10, 100}}, 10};
  EXPECT_EQ(matched(base, {{{0, 1000, 0}}, {{100, 1000}}, 100}), (Regions{{Loops{0}, Loops{0}}})) << "per call";
  EXPECT_EQ(matched(base, {{{0, 1000, 0}}, {{10, 1000}}, 10}), (Regions{{Loops{0}, Loops{0}}}))
      << "it runs longer, but is entered as often";
  EXPECT_EQ(matched(base, {{{0, 10000, 0}}, {{100, 10000}}, 10}), (Regions{{Loops{}, Loops{0}}, {Loops{0}, Loops{}}}))
      << "nothing is the same";
}

TEST(LoopMatchingTest, APieceMayComeFirst) {
  const WrittenSide base{{{10, 100, 0}, {11, 100, 0}}, {{1, 100}}},
      head{{{10, 10, 0}, {11, 10, 0}, {10, 90, 1}, {11, 90, 1}}, {{1, 10}, {1, 90}}};
  EXPECT_EQ(matched(base, head), (Regions{{Loops{0}, Loops{1, 0}}})) << "a peeled loop";
}

TEST(LoopMatchingTest, LoopsOfOtherCallsAreNoPieces) {
  // Two loops of the same lines; inlined by the calls of 1, of 2 inside of that, and of 3.
  const auto regions = [](uint32_t first, uint32_t second) {
    const WrittenSide one{{{9, 1}, {10, 50, 0, {}, 0, first}, {11, 50, 0, {}, 0, first}}, {{1, 50}}};
    const WrittenSide two{{{9, 1},
                           {10, 50, 0, {}, 0, first},
                           {11, 50, 0, {}, 0, first},
                           {10, 30, 1, {}, 0, second},
                           {11, 30, 1, {}, 0, second}},
                          {{1, 50}, {1, 30}}};
    WrittenFunction function(one, two);
    match_loops(function.opened, WrittenFunction::callees());
    return function.opened.regions.size() - 1;
  };
  EXPECT_EQ(regions(1, 3), 2u);
  EXPECT_EQ(regions(1, 1), 1u);
  EXPECT_EQ(regions(1, 2), 2u) << "of beta, which alpha calls";
  EXPECT_EQ(regions(0, 3), 1u) << "not known of one";
}

TEST(LoopMatchingTest, HalfOfTheLinesMakeAPiece) {
  const WrittenSide base{{{10, 100, 0}, {11, 100, 0}}, {{1, 100}}};
  EXPECT_EQ(matched(base, {{{10, 100, 0}, {11, 100, 0}, {11, 10, 1}, {12, 10, 1}}, {{1, 100}, {1, 10}}}),
            (Regions{{Loops{0}, Loops{0, 1}}}));
  const WrittenSide larger{{{10, 100, 0}, {11, 100, 0}, {12, 100, 0}}, {{1, 100}}};
  EXPECT_EQ(matched(larger, {{{10, 100, 0}, {11, 100, 0}, {12, 100, 0}, {12, 2, 1}, {13, 2, 1}, {14, 2, 1}},
                             {{1, 100}, {1, 2}}}),
            (Regions{{Loops{}, Loops{1}}, {Loops{0}, Loops{0}}}))
      << "a third of them does not";
}

TEST(LoopMatchingTest, ALoopOfOneSideThatHardlyEverTurnsIsCodeOfTheOneAround) {
  const WrittenSide base{{{10, 100, 0}, {11, 100, 0}}, {{1, 100}}};
  const auto retrying = [](int64_t turns) {
    return WrittenSide{{{10, 100, 0}, {11, 100, 0}, {40, turns, 1}}, {{1, 100}, {100, turns, 0, 2}}};
  };
  EXPECT_EQ(matched(base, retrying(102)), (Regions{{Loops{0}, Loops{0}}}));
  EXPECT_EQ(matched(base, retrying(105)), (Regions{{Loops{}, Loops{1}}, {Loops{0}, Loops{0}}}));
  EXPECT_EQ(matched(retrying(102), retrying(102)), (Regions{{Loops{0}, Loops{0}}, {Loops{1}, Loops{1}}})) << "on both";
  EXPECT_EQ(matched(base, {{{10, 100, 0}, {11, 100, 0}, {40, 1, 1}}, {{1, 100}, {1, 1}}}),
            (Regions{{Loops{0}, Loops{0}}}))
      << "of the body";
}

TEST(LoopMatchingTest, LoopsOfOneInlinedFunctionAreOne) {
  const WrittenSide base{{{10, 100, 0, {}, 0, 1}, {12, 3}}, {{1, 100}}};
  EXPECT_EQ(matched(base, {{{12, 3}, {40, 100, 0, {}, 0, 1}}, {{1, 100}}}), (Regions{{Loops{0}, Loops{0}}}));
  EXPECT_EQ(matched(base, {{{12, 3}, {40, 100, 0, {}, 0, 3}}, {{1, 90}}}),
            (Regions{{Loops{}, Loops{0}}, {Loops{0}, Loops{}}}));
}

TEST(LoopMatchingTest, ANestIsRealWhereTheOtherSideHasOneOfTheSameTurns) {
  const auto nest = [](uint64_t outer_line, int64_t entries, int64_t turns) {
    return WrittenSide{{{outer_line, 10, 0}, {10, turns, 1}, {12, turns, 1}}, {{1, entries}, {entries, turns, 0, 2}}};
  };
  const Regions two = {{Loops{0}, Loops{0}}, {Loops{1}, Loops{1}}};
  EXPECT_EQ(matched(nest(9, 100, 1000), nest(10, 100, 1000)), two) << "by its lines head's nest would be one loop";
  EXPECT_EQ(matched(nest(9, 100, 1000), nest(10, 99, 990)), two);
  EXPECT_NE(matched(nest(9, 100, 1000), nest(10, 97, 1000)), two) << "the outer one has other turns";
  EXPECT_NE(matched(nest(9, 100, 1000), nest(10, 100, 970)), two) << "the inner one has";
  EXPECT_EQ(matched(nest(10, 100, 1000), nest(10, 100, 1000)), (Regions{{Loops{0, 1}, Loops{0, 1}}})) << "one on both";
}

TEST(LoopMatchingTest, ARegionLiesInThatOfTheLoopAround) {
  const WrittenSide base{{{8, 10}, {9, 10, 0}, {10, 100, 1}, {11, 100, 1}, {12, 10, 0}}, {{1, 10}, {10, 100, 0, 2}}};
  WrittenFunction function(base, base);
  match_loops(function.opened, WrittenFunction::callees());
  ASSERT_EQ(function.opened.regions.size(), 3u);
  const uint32_t outer = function.opened.region_of_loop[0][0], inner = function.opened.region_of_loop[0][1];
  EXPECT_EQ(function.opened.regions[outer].parent, (std::array<uint32_t, 2>{0, 0}));
  EXPECT_EQ(function.opened.regions[inner].parent, (std::array<uint32_t, 2>{outer, outer}));
}

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

/// One loop of one side.
struct Turns {
  int64_t entries = 10, iterations = 100, self = 1000;
  std::vector<FlowCall> calls = {};
  int64_t head_exits = 0;
};

/// A line of the body, and one of the loop.
WrittenSide side_of(const Turns& turns) {
  return {{{9, 10}, {10, turns.self, 0}}, {{turns.entries, turns.iterations}}};
}

class ReshapedLoop {
 public:
  ReshapedLoop(const Turns& base, const Turns& head) : function_(side_of(base), side_of(head)) {
    opened().regions.resize(2);
    for (size_t side = 0; side < 2; ++side) {
      const Turns& turns = side == 0 ? base : head;
      opened().regions[1].loops[side] = {0};
      opened().regions[1].entries[side] = turns.entries;
      opened().regions[1].iterations[side] = turns.iterations;
      opened().region_of_loop[side] = {1};
      opened().shapes[side].flow.calls = turns.calls;
      opened().shapes[side].loops[0].head_exits = turns.head_exits;
      opened().shapes[side].loops[0].heads = turns.iterations + turns.head_exits;
    }
  }

  OpenedFunction& opened() { return function_.opened; }
  bool is_reshaped() {
    find_reshaped(opened(), WrittenFunction::callees());
    return opened().regions[1].reshaped;
  }
  /// Iterations after turns were chosen, base and head.
  BothSides iterations() {
    is_reshaped();
    return opened().regions[1].iterations;
  }

 private:
  WrittenFunction function_;
};

bool reshaped(const Turns& base, const Turns& head) {
  const bool found = ReshapedLoop(base, head).is_reshaped();
  EXPECT_EQ(found, ReshapedLoop(head, base).is_reshaped()) << "whichever is base";
  return found;
}

TEST(ReshapedLoopsTest, AnIterationIsDearerByAQuarter) {
  EXPECT_TRUE(reshaped({.iterations = 200, .self = 1600}, {.iterations = 100, .self = 1000})) << "8 and 10 each";
  EXPECT_FALSE(reshaped({.iterations = 200, .self = 1600}, {.iterations = 100, .self = 999}));
}

TEST(ReshapedLoopsTest, ItCallsTheSame) {
  const auto with = [](int64_t base, int64_t head, uint32_t callee = 1) {
    return reshaped({.iterations = 400, .calls = {{1, 1, base}}}, {.iterations = 100, .calls = {{1, callee, head}}});
  };
  EXPECT_TRUE(with(400, 400));
  EXPECT_TRUE(with(400, 392)) << "by a fiftieth";
  EXPECT_FALSE(with(400, 391));
  EXPECT_FALSE(with(400, 400, 2)) << "another callee";
  EXPECT_FALSE(reshaped({.iterations = 400}, {.iterations = 100, .calls = {{1, 2, 1}}})) << "one that came";
  EXPECT_FALSE(
      reshaped({.iterations = 400, .calls = {{1, 1, 400}}}, {.iterations = 100, .calls = {{1, 1, 400}, {1, 2, 9}}}));
  EXPECT_TRUE(reshaped({.iterations = 400, .calls = {{0, 1, 400}}}, {.iterations = 100})) << "calls beside the loop";
  EXPECT_TRUE(reshaped({.iterations = 400, .calls = {{1, 99, 400}}}, {.iterations = 100})) << "of what nobody knows";
}

TEST(ReshapedLoopsTest, AKnotOrALoopOfOneSideIsNone) {
  ReshapedLoop knot({.iterations = 400}, {.iterations = 100});
  knot.opened().shapes[0].loops[0].knot = true;
  EXPECT_FALSE(knot.is_reshaped());
  ReshapedLoop alone({.iterations = 400}, {.iterations = 100});
  alone.opened().regions[1].loops[0].clear();
  EXPECT_FALSE(alone.is_reshaped());
}

TEST(ReshapedLoopsTest, PassesThatLeaveFromTheHeaderAreTurnsWhereThatAgreesBest) {
  EXPECT_EQ(ReshapedLoop({.iterations = 100, .head_exits = 10}, {.iterations = 110}).iterations(),
            (BothSides{110, 110}))
      << "tested at the top in base, at the bottom in head";
  EXPECT_EQ(ReshapedLoop({.iterations = 110}, {.iterations = 100, .head_exits = 10}).iterations(),
            (BothSides{110, 110}));
  EXPECT_EQ(ReshapedLoop({.iterations = 100, .head_exits = 10}, {.iterations = 100, .head_exits = 10}).iterations(),
            (BothSides{100, 100}))
      << "they agree as they are";
  EXPECT_EQ(ReshapedLoop({.iterations = 100, .head_exits = 10}, {.iterations = 104}).iterations(),
            (BothSides{100, 104}));
  EXPECT_EQ(ReshapedLoop({.iterations = 100, .head_exits = 10}, {.iterations = 107}).iterations(),
            (BothSides{110, 107}));
  EXPECT_EQ(ReshapedLoop({.iterations = 2, .head_exits = 10}, {.iterations = 23, .head_exits = 10}).iterations(),
            (BothSides{12, 23}))
      << "12 to 23 is nearer than 2 to 23 or 12 to 33";
  EXPECT_EQ(ReshapedLoop({.iterations = 0, .head_exits = 10}, {.iterations = 10}).iterations(), (BothSides{10, 10}));
  EXPECT_EQ(ReshapedLoop({.iterations = 0}, {.iterations = 10}).iterations(), (BothSides{0, 10}))
      << "nothing to choose";
}

TEST(ReshapedLoopsTest, ChosenTurnsAreTheLoops) {
  ReshapedLoop loop({.iterations = 100, .head_exits = 10}, {.iterations = 110});
  loop.is_reshaped();
  EXPECT_EQ(loop.opened().shapes[0].loops[0].iterations, 110);
  EXPECT_EQ(loop.opened().shapes[0].loops[0].head_exits, 0);
  EXPECT_EQ(loop.opened().shapes[1].loops[0].iterations, 110);
}

using Pairs = std::map<uint64_t, uint64_t>;

/// Of a.c alone.
Pairs aligned(const WrittenSide& base, const WrittenSide& head, size_t from = 0) {
  const WrittenFunction function(base, head);
  Pairs pairs;
  for (const auto& [here, there] : align_lines(function.opened, from, WrittenFunction::callees())) {
    EXPECT_EQ(here.first, "a.c");
    EXPECT_EQ(there.first, "a.c");
    pairs[here.second] = there.second;
  }
  return pairs;
}

TEST(LineAlignmentTest, WhatALineCallsSaysMoreThanWhatItCosts) {
  EXPECT_EQ(aligned({{{10, 5, kNoLoop, {1}}}}, {{{20, 5}, {21, 900, kNoLoop, {1}}}}), (Pairs{{10, 21}}));
  EXPECT_EQ(aligned({{{10, 5, kNoLoop, {1, 2}}}}, {{{20, 5}, {21, 900, kNoLoop, {2, 3}}}}), (Pairs{{10, 21}}))
      << "one of its callees";
  EXPECT_EQ(aligned({{{10, 5, kNoLoop, {1}}}}, {{{20, 6, kNoLoop, {2}}, {21, 6}, {22, 6, kNoLoop, {1}}}}),
            (Pairs{{10, 22}}));
}

TEST(LineAlignmentTest, TheNumberOfInstructionsSpeaksForALine) {
  // Line 10 has two instructions that cost 3 and 2 together; 21 has two as well.
  EXPECT_EQ(aligned({{{10, 3}, {10, 2}}}, {{{20, 9}, {21, 4}, {21, 5}, {22, 8}}}), (Pairs{{10, 21}}));
}

TEST(LineAlignmentTest, OfVeryManyLinesTheNumbersSay) {
  WrittenSide base, head;
  for (uint64_t i = 0; i < 1001; ++i) base.lines.push_back({1000 + i, static_cast<int64_t>(i)});
  head.lines = {{1000, 999}, {1005, 0}, {3000, 7}};
  for (uint64_t i = 0; i < 1000; ++i) head.lines.push_back({5000 + i, 1});
  EXPECT_EQ(aligned(base, head), (Pairs{{1000, 1000}, {1005, 1005}}));
}

TEST(LineAlignmentTest, OtherCalleesSpeakAgainstALine) {
  EXPECT_EQ(aligned({{{10, 5}}}, {{{20, 6, kNoLoop, {1}}, {21, 6}}}), (Pairs{{10, 21}}));
  EXPECT_EQ(aligned({{{10, 5}}}, {{{20, 6}, {21, 6, kNoLoop, {1}}}}), (Pairs{{10, 20}}));
}

TEST(LineAlignmentTest, ALineMovesAsTheOneBeforeIt) {
  EXPECT_EQ(aligned({{{10, 5}, {12, 6}}}, {{{20, 5}, {21, 7}, {22, 7}}}), (Pairs{{10, 20}, {12, 22}}));
  EXPECT_EQ(aligned({{{10, 5}, {12, 6}}}, {{{20, 5}, {22, 7}, {25, 7}}}), (Pairs{{10, 20}, {12, 22}}));
}

TEST(LineAlignmentTest, KnownSourcesSayWhichLineIsWhichWhateverItCosts) {
  // Line 11 is new in head; by what they cost, base's 11 is head's 11, and its 12 is head's 12.
  const WrittenSide base{{{10, 3}, {11, 5}, {12, 7}}}, head{{{10, 3}, {11, 5}, {12, 7}, {13, 9}}};
  const auto paired = [&](const SameLines& same) {
    WrittenFunction function(base, head);
    match_loops(function.opened, WrittenFunction::callees());
    pair_known_lines(function.opened, same);
    Pairs pairs;
    for (const auto& [here, there] : function.opened.lines) pairs[here.second] = there.second;
    return std::pair(pairs, function.opened.guessed_lines.size());
  };
  EXPECT_EQ(paired({}), std::pair(Pairs({{10, 10}, {11, 11}, {12, 12}}), size_t{3}));
  EXPECT_EQ(paired([](std::string_view, uint64_t line) { return line < 11 ? line : line + 1; }),
            std::pair(Pairs({{10, 10}, {11, 12}, {12, 13}}), size_t{0}));
  EXPECT_EQ(paired([](std::string_view, uint64_t line) { return line == 11 ? 0 : line; }),
            std::pair(Pairs({{10, 10}, {12, 12}}), size_t{0}))
      << "head has no such line";
  EXPECT_EQ(paired([](std::string_view, uint64_t) { return std::nullopt; }).second, 3u) << "of no known file";
}

TEST(LineAlignmentTest, WhereALineWasPutInAPairIsNotCertain) {
  WrittenFunction function({{{10, 3}, {11, 5}, {12, 7}, {13, 8}, {14, 2}}},
                           {{{10, 3}, {11, 5}, {12, 90}, {13, 7}, {14, 8}, {15, 2}}});
  match_loops(function.opened, WrittenFunction::callees());
  pair_known_lines(function.opened, {});
  std::map<uint64_t, bool> certain;
  for (const auto& [line, along] : function.opened.guessed_lines) certain[line.second] = along;
  EXPECT_EQ(certain, (std::map<uint64_t, bool>{{10, true}, {11, false}, {13, false}, {14, true}, {15, true}}));
}

}  // namespace
}  // namespace icount
