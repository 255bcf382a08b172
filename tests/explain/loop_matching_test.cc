// Which loop of base is which of head where the code differs.
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

TEST(LoopMatchingTest, LoopsOfTheSameLinesAreOne) {
  const WrittenSide base{{{9, 1}, {10, 100, 0}, {11, 100, 0}, {20, 70, 1}, {21, 70, 1}}, {{1, 100}, {1, 70}}};
  const WrittenSide head{{{9, 1}, {20, 70, 0}, {21, 70, 0}, {10, 100, 1}, {11, 110, 1}}, {{1, 70}, {1, 100}}};
  EXPECT_EQ(matched(base, base), (Regions{{Loops{0}, Loops{0}}, {Loops{1}, Loops{1}}}));
  EXPECT_EQ(matched(base, head), (Regions{{Loops{0}, Loops{1}}, {Loops{1}, Loops{0}}})) << "wherever they lie";
}

TEST(LoopMatchingTest, LoopsWithoutACommonLineAreTwo) {
  const WrittenSide base{{{10, 100, 0}, {30, 7}}, {{1, 100}}}, head{{{10, 7}, {30, 50, 0}}, {{1, 50}}};
  EXPECT_EQ(matched(base, head), (Regions{{Loops{}, Loops{0}}, {Loops{0}, Loops{}}}));
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

TEST(LoopMatchingTest, OfTwoLoopsWithoutLinesTheOrderDecides) {
  const WrittenSide both{{{0, 100, 0}, {0, 100, 1}}, {{1, 100}, {1, 100}}};
  EXPECT_EQ(matched(both, both), (Regions{{Loops{0}, Loops{0}}, {Loops{1}, Loops{1}}}));
}

TEST(LoopMatchingTest, OfTwoLoopsWithoutLinesTheCalleesDecide) {
  const WrittenSide base{{{0, 100, 0, {1}}, {0, 100, 1, {2}}}, {{1, 100}, {1, 100}}},
      head{{{0, 100, 0, {2}}, {0, 100, 1, {1}}}, {{1, 100}, {1, 100}}};
  EXPECT_EQ(matched(base, head), (Regions{{Loops{0}, Loops{1}}, {Loops{1}, Loops{0}}}));
}

TEST(LoopMatchingTest, APieceOfALoopBelongsToIt) {
  // A loop that was split: its rest has the same lines.
  const WrittenSide base{{{10, 100, 0}, {11, 100, 0}}, {{1, 100}}},
      head{{{10, 90, 0}, {11, 90, 0}, {10, 10, 1}, {11, 10, 1}}, {{1, 90}, {1, 10}}};
  EXPECT_EQ(matched(base, head), (Regions{{Loops{0}, Loops{0, 1}}}));
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
  EXPECT_EQ(regions(1, 2), 1u) << "inside of the same call";
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

TEST(LoopMatchingTest, APieceLiesBesideItsLoop) {
  // The second loop of head has the lines of the first one, but is inside a third.
  const WrittenSide base{{{10, 100, 0}, {11, 100, 0}, {20, 9, 1}}, {{1, 100}, {1, 9}}},
      head{{{10, 100, 0}, {11, 100, 0}, {20, 9, 1}, {21, 9, 1}, {10, 3, 2}, {11, 3, 2}},
           {{1, 100}, {1, 9}, {3, 3, 1, 2}}};
  for (const auto& region : matched(base, head)) EXPECT_NE(region, (std::array{Loops{0}, Loops{0, 2}}));
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

}  // namespace
}  // namespace icount
