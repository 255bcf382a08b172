#include "icount/report/inside_words.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(InsideWordsTest, SharesAreInPercentAndMoreThanAllIsCounted) {
  EXPECT_EQ(share_text(0.016L, 0.33L, "call"), "33 % of the time instead of 1.6 %");
  EXPECT_EQ(share_text(0.5L, 1, "call"), "100 % of the time instead of 50 %");
  EXPECT_EQ(share_text(25, 45, "call"), "45 times per call instead of 25");
  EXPECT_EQ(share_text(0.5L, 2, "iteration"), "twice per iteration instead of 0.5");
}

TEST(InsideWordsTest, DigitsBringAShareWithinATwentiethOfTheLesserPart) {
  EXPECT_EQ(share_text(0.01L, 0.0105L, "call"), "1 % of the time instead of 1 %") << "0.05 of 1.05";
  EXPECT_EQ(share_text(0.01L, 0.0106L, "call"), "1.1 % of the time instead of 1 %");
  EXPECT_EQ(share_text(0.01L, 0.989L, "call"), "98.9 % of the time instead of 1 %") << "1.1 are left";
  EXPECT_EQ(share_text(0.01L, 0.9985L, "call"), "99.85 % of the time instead of 1 %");
  EXPECT_EQ(share_text(0.01L, 0.123456L, "call"), "12 % of the time instead of 1 %");
  EXPECT_EQ(share_text(0.00001234L, 0.01L, "call"), "1 % of the time instead of 0.001 %") << "three digits at most";
}

TEST(InsideWordsTest, AllOfTheTimeIsAShare) {
  EXPECT_EQ(share_text(1 + 1e-12L, 0.5L, "call"), "50 % of the time instead of 100 %");
  EXPECT_EQ(share_text(1.001L, 1, "call"), "once per call instead of 1.001");
}

TEST(InsideWordsTest, CountsAndTimes) {
  EXPECT_EQ(counts_text(1, 1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counts_text(2, 2, "entry", "entries"), "2 entries");
  EXPECT_EQ(counts_text(0, 0, "entry", "entries"), "0 entries");
  EXPECT_EQ(counts_text(2, 1, "entry", "entries"), "2 -> 1 entries");
  EXPECT_EQ(counts_text(999.6L, 7080.4L, "entry", "entries"), "1,000 -> 7,080 entries");
  EXPECT_EQ(times_text("1"), "once");
  EXPECT_EQ(times_text("2"), "twice");
  EXPECT_EQ(times_text("12"), "12 times");
}

}  // namespace
}  // namespace icount
