#include "icount/explain/flow/opened_flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace icount {
namespace {

std::vector<uint32_t> in_order(size_t size) {
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

TEST(RoundingTest, LargestRemaindersAreRoundedUp) {
  const std::vector<long double> terms = {10.25L, 3.75L, -2.5L, 0.5L};
  const RoundedTerms rounded = round_to_total(terms, 12, in_order(4));
  // floors 10, 3, -3, 0 add up to 10; two go up: 3.75 first, then the tie of 0.5 by order: -2.5 stands before 0.5.
  EXPECT_EQ(rounded.whole, (std::vector<int64_t>{10, 4, -2, 0}));
  EXPECT_EQ(rounded.rest, 0);
}

TEST(RoundingTest, NegatingEverythingNegatesTheResult) {
  const std::vector<long double> terms = {10.25L, 3.75L, -2.5L, 0.5L}, negated = {-10.25L, -3.75L, 2.5L, -0.5L};
  EXPECT_EQ(round_to_total(negated, -12, in_order(4)).whole, (std::vector<int64_t>{-10, -4, 2, 0}));
}

TEST(RoundingTest, LastBitsSettleNoTie) {
  for (const long double bits : {-1e-17L, 0.0L, 1e-17L})
    EXPECT_EQ(round_to_total(std::vector<long double>{7.5L + bits, 0.5L}, 8, in_order(2)).whole,
              (std::vector<int64_t>{8, 0}));
}

TEST(RoundingTest, LastBitsSettleNoOrder) {
  EXPECT_EQ(by_magnitude(std::vector<long double>{3.5L, -8, 3.5L + 1e-18L, 9}), (std::vector<uint32_t>{3, 1, 0, 2}));
}

TEST(RoundingTest, AChangeOfZeroTakesItsSignFromTheFirstTerm) {
  const std::vector<long double> terms = {1.5L, -0.5L, -0.5L, -0.5L}, negated = {-1.5L, 0.5L, 0.5L, 0.5L};
  const auto forth = round_to_total(terms, 0, in_order(4)).whole, back = round_to_total(negated, 0, in_order(4)).whole;
  EXPECT_EQ(forth, (std::vector<int64_t>{2, 0, -1, -1}));
  EXPECT_EQ(back, (std::vector<int64_t>{-2, 0, 1, 1}));
}

TEST(RoundingTest, ResidueGoesToTheFirstTerm) {
  const std::vector<long double> terms = {100.00000000001L, 7};
  EXPECT_EQ(round_to_total(terms, 108, in_order(2)).whole, (std::vector<int64_t>{101, 7}));
}

TEST(RoundingTest, WhatIsNoResidueIsRest) {
  const std::vector<long double> terms = {100, 7};
  const RoundedTerms rounded = round_to_total(terms, 1000, in_order(2));
  EXPECT_EQ(rounded.whole, (std::vector<int64_t>{100, 7}));
  EXPECT_EQ(rounded.rest, 893);
  EXPECT_EQ(round_to_total({}, 5, {}).rest, 5);
}

TEST(RoundingTest, WhatMissesTheTotalOnTheOtherSideIsRestToo) {
  const std::vector<long double> terms = {100, 7}, negated = {-100, -7};
  EXPECT_EQ(round_to_total(terms, 20, in_order(2)).whole, (std::vector<int64_t>{100, 7}));
  EXPECT_EQ(round_to_total(terms, 20, in_order(2)).rest, -87);
  EXPECT_EQ(round_to_total(negated, -1000, in_order(2)).rest, -893);
}

TEST(RoundingTest, ASmallRemainderTakesTheUnitBeforeAnyWholeTermDoes) {
  EXPECT_EQ(round_to_total(std::vector<long double>{3, 10.005L}, 14, in_order(2)).whole, (std::vector<int64_t>{3, 11}));
}

TEST(RoundingTest, WhatIsNoNumberCountsNothingAndWhatIsTooLargeStopsThere) {
  EXPECT_EQ(round_to_total(std::vector<long double>{std::nanl(""), 5}, 5, in_order(2)).whole,
            (std::vector<int64_t>{0, 5}));
  const RoundedTerms rounded = round_to_total(std::vector<long double>{1e30L, 7}, 7, in_order(2));
  EXPECT_EQ(rounded.whole, (std::vector<int64_t>{4600000000000000000, 7}));
  EXPECT_EQ(rounded.rest, -4600000000000000000);
}

}  // namespace
}  // namespace icount
