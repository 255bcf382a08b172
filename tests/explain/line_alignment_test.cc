// Which line of base is which of head inside one function: order, cost, callees and numbers.
#include "icount/explain/inside/loop_matching.h"

#include <gtest/gtest.h>

#include "written_code.h"

namespace icount {
namespace {

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

TEST(LineAlignmentTest, LinesKeepTheirOrderWhenAllMoved) {
  const WrittenSide base{{{10, 5}, {11, 50}, {13, 500}}}, head{{{110, 5}, {111, 50}, {113, 500}}};
  EXPECT_EQ(aligned(base, head), (Pairs{{10, 110}, {11, 111}, {13, 113}}));
  EXPECT_EQ(aligned(base, head, 1), (Pairs{{110, 10}, {111, 11}, {113, 13}})) << "from the head";
}

TEST(LineAlignmentTest, ALineThatWasWrittenBetweenHasNoCounterpart) {
  EXPECT_EQ(aligned({{{10, 5}, {11, 50}, {12, 500}}}, {{{10, 5}, {11, 7}, {12, 50}, {13, 500}}}),
            (Pairs{{10, 10}, {11, 12}, {12, 13}}));
  EXPECT_EQ(aligned({{{10, 5}, {11, 7}, {12, 50}, {13, 500}}}, {{{10, 5}, {11, 50}, {12, 500}}}),
            (Pairs{{10, 10}, {12, 11}, {13, 12}}));
}

TEST(LineAlignmentTest, WhatALineCallsSaysMoreThanWhatItCosts) {
  EXPECT_EQ(aligned({{{10, 5, kNoLoop, {1}}}}, {{{20, 5}, {21, 900, kNoLoop, {1}}}}), (Pairs{{10, 21}}));
  EXPECT_EQ(aligned({{{10, 5, kNoLoop, {1, 2}}}}, {{{20, 5}, {21, 900, kNoLoop, {2, 3}}}}), (Pairs{{10, 21}}))
      << "one of its callees";
  EXPECT_EQ(aligned({{{10, 5, kNoLoop, {1}}}}, {{{20, 6, kNoLoop, {2}}, {21, 6}, {22, 6, kNoLoop, {1}}}}),
            (Pairs{{10, 22}}));
}

TEST(LineAlignmentTest, CostIsThatOfACall) {
  // Twice as many calls: what cost 40 costs 80.
  EXPECT_EQ(aligned({{{10, 40}}, {}, 10}, {{{20, 40}, {21, 80}, {22, 40}}, {}, 20}), (Pairs{{10, 21}}));
}

TEST(LineAlignmentTest, WhereNothingElseSpeaksEqualNumbersDo) {
  EXPECT_EQ(aligned({{{12, 5}}}, {{{11, 6}, {12, 7}, {13, 8}}}), (Pairs{{12, 12}}));
}

TEST(LineAlignmentTest, TheNumberOfInstructionsSpeaksForALine) {
  // Line 10 has two instructions that cost 3 and 2 together; 21 has two as well.
  EXPECT_EQ(aligned({{{10, 3}, {10, 2}}}, {{{20, 9}, {21, 4}, {21, 5}, {22, 8}}}), (Pairs{{10, 21}}));
}

TEST(LineAlignmentTest, WhatHasNoLineOrLiesInAnotherFileIsNotPaired) {
  EXPECT_EQ(aligned({{{0, 5}, {10, 5}}}, {{{0, 5}, {10, 5}}}), (Pairs{{10, 10}}));
  EXPECT_EQ(aligned({{{10, 5}}}, {{{10, 5, kNoLoop, {}, 1}}}), Pairs{});
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

TEST(LineAlignmentTest, OfLinesThatAreAsLikelyTheLast) {
  EXPECT_EQ(aligned({{{10, 5}, {11, 5}}}, {{{20, 5}}}), (Pairs{{11, 20}}));
  EXPECT_EQ(aligned({{{10, 5}}}, {{{20, 5}, {21, 5}}}), (Pairs{{10, 21}}));
}

TEST(LineAlignmentTest, AFunctionThatIsNeverCalledCostsWhatItCosts) {
  EXPECT_EQ(aligned({{{10, 40}}, {}, 0}, {{{20, 40}, {21, 80}}, {}, 1}), (Pairs{{10, 20}}));
}

TEST(LineAlignmentTest, LinesAtEitherEndMayBeGone) {
  EXPECT_EQ(aligned({{{10, 5}, {11, 50}, {12, 500}}}, {{{20, 5}, {21, 50}}}), (Pairs{{10, 20}, {11, 21}}));
  EXPECT_EQ(aligned({{{10, 5}, {11, 50}, {12, 500}}}, {{{21, 50}, {22, 500}}}), (Pairs{{11, 21}, {12, 22}}));
  EXPECT_EQ(aligned({{{20, 5}, {21, 50}}}, {{{10, 5}, {11, 50}, {12, 500}}}), (Pairs{{20, 10}, {21, 11}}));
  EXPECT_EQ(aligned({{{21, 50}, {22, 500}}}, {{{10, 5}, {11, 50}, {12, 500}}}), (Pairs{{21, 11}, {22, 12}}));
}

}  // namespace
}  // namespace icount
