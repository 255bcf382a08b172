// As few digits as tell two quantities apart and come within half a percent.
#include "icount/report/quantity_text.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

using Texts = std::pair<std::string, std::string>;

TEST(QuantityTextTest, WholeNumbersHaveNoDecimals) {
  EXPECT_EQ(quantities(6, 14), (Texts{"6", "14"}));
  EXPECT_EQ(quantities(1234567, -1234), (Texts{"1,234,567", "-1,234"}));
  EXPECT_EQ(quantities(0, 0), (Texts{"0", "0"}));
}

TEST(QuantityTextTest, DecimalsBringAQuantityWithinHalfAPercent) {
  EXPECT_EQ(quantities(16.5L, 14), (Texts{"16.5", "14"}));
  EXPECT_EQ(quantities(2.25L, 3), (Texts{"2.25", "3"})) << "2.2 and 2.3 are more than half a percent off";
  EXPECT_EQ(quantities(1000.25L, 2000.75L), (Texts{"1,000", "2,001"})) << "a quarter in a thousand is nothing";
  EXPECT_EQ(quantities(0.0125L, 1), (Texts{"0.0125", "1"}));
  EXPECT_EQ(quantities(-16.5L, 14), (Texts{"-16.5", "14"}));
}

TEST(QuantityTextTest, DigitsTellWhatTheDifferenceIs) {
  EXPECT_EQ(quantities(1000.25L, 1000.75L), (Texts{"1,000.25", "1,000.75"}));
  EXPECT_EQ(quantities(1000.125L, 1000.25L), (Texts{"1,000.125", "1,000.25"}));
  EXPECT_EQ(quantities(1000.0625L, 1000.078125L), (Texts{"1,000.062", "1,000.078"}));
  EXPECT_EQ(quantities(140.4L, 143.4L), (Texts{"140", "143"})) << "within a tenth";
  EXPECT_EQ(quantities(27.7L, 28.3L), (Texts{"27.7", "28.3"})) << "not 28 and 28.3";
  EXPECT_EQ(quantities(2.5L, 2.5L), (Texts{"2.5", "2.5"})) << "equal ones stay as short as they are";
}

TEST(QuantityTextTest, WhatRoundsUpCarries) { EXPECT_EQ(quantities(999.999L, 5), (Texts{"1,000", "5"})); }

TEST(QuantityTextTest, OnceIsAWord) {
  EXPECT_EQ(times("1"), "once");
  EXPECT_EQ(times("2"), "2 times");
  EXPECT_EQ(times("0.5"), "0.5 times");
}

TEST(QuantityTextTest, IsWhole) {
  EXPECT_TRUE(is_whole(0));
  EXPECT_TRUE(is_whole(-7));
  EXPECT_FALSE(is_whole(0.5L));
  EXPECT_FALSE(is_whole(1e15L)) << "nobody knows any more";
}

TEST(ShareTextTest, SharesAreInPercentAndMoreThanAllIsCounted) {
  EXPECT_EQ(share_text(0.016L, 0.33L, "call"), "33 % of the time, was 1.6 %");
  EXPECT_EQ(share_text(0.5L, 1, "call"), "100 % of the time, was 50 %");
  EXPECT_EQ(share_text(25, 45, "call"), "45 times per call, was 25");
  EXPECT_EQ(share_text(0.5L, 2, "iteration"), "twice per iteration, was 0.5");
}

TEST(ShareTextTest, DigitsBringAShareWithinATwentiethOfTheLesserPart) {
  EXPECT_EQ(share_text(0.01L, 0.0105L, "call"), "1 % of the time") << "0.05 of 1.05";
  EXPECT_EQ(share_text(0.01L, 0.0106L, "call"), "1.1 % of the time, was 1 %");
  EXPECT_EQ(share_text(0.01L, 0.989L, "call"), "98.9 % of the time, was 1 %") << "1.1 are left";
  EXPECT_EQ(share_text(0.01L, 0.9985L, "call"), "99.85 % of the time, was 1 %");
  EXPECT_EQ(share_text(0.01L, 0.123456L, "call"), "12 % of the time, was 1 %");
  EXPECT_EQ(share_text(0.00001234L, 0.01L, "call"), "1 % of the time, was 0.001 %") << "three digits at most";
}

TEST(ShareTextTest, AllOfTheTimeIsAShare) {
  EXPECT_EQ(share_text(1 + 1e-12L, 0.5L, "call"), "50 % of the time, was 100 %");
  EXPECT_EQ(share_text(1.001L, 1, "call"), "once per call, was 1.001");
}

TEST(ShareTextTest, CountsAndTimes) {
  EXPECT_EQ(counts_text(1, 1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counts_text(2, 2, "entry", "entries"), "2 entries");
  EXPECT_EQ(counts_text(0, 0, "entry", "entries"), "0 entries");
  EXPECT_EQ(counts_text(2, 1, "entry", "entries"), "1 entry, was 2");
  EXPECT_EQ(counts_text(999.6L, 7080.4L, "entry", "entries"), "7,080 entries, was 1,000");
  EXPECT_EQ(times_text("1"), "once");
  EXPECT_EQ(times_text("2"), "twice");
  EXPECT_EQ(times_text("12"), "12 times");
}

}  // namespace
}  // namespace icount
