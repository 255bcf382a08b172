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

TEST(QuantityTextTest, DigitsTellTwoQuantitiesApart) {
  EXPECT_EQ(quantities(1000.25L, 1000.75L), (Texts{"1,000", "1,001"}));
  EXPECT_EQ(quantities(1000.125L, 1000.25L), (Texts{"1,000.1", "1,000.2"}));
  EXPECT_EQ(quantities(1000.0625L, 1000.078125L), (Texts{"1,000.06", "1,000.08"}));
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

}  // namespace
}  // namespace icount
