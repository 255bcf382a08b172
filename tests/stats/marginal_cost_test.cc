#include "icount/stats/marginal_cost.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

Result counted(int64_t count, double slope, int64_t runs = 100) {
  Result result;
  result.number_per_run = runs;
  result.counts = {count};
  result.slope = slope;
  result.fixed = static_cast<double>(count) - static_cast<double>(runs) * slope;
  return result;
}

TEST(MarginalCostTest, WhatTheFirstRunsCostMoreIsSeen) {
  EXPECT_TRUE(depends_on_number(counted(75'700, 383)));
  EXPECT_TRUE(depends_on_number(counted(30'000, 383))) << "the first cost less";
  EXPECT_FALSE(depends_on_number(counted(39'100, 383))) << "the markers of Python";
  EXPECT_FALSE(depends_on_number(counted(405'863, 4'055.52)));
  EXPECT_FALSE(depends_on_number(counted(10'003'000, 100'000))) << "0.03 %";
  EXPECT_FALSE(depends_on_number(counted(75'700, 383, 1)));
  Result without = counted(75'700, 383);
  without.slope.reset();
  EXPECT_FALSE(depends_on_number(without));
}

TEST(MarginalCostTest, PairsAreComparedByWhatOneFurtherRunCosts) {
  const auto pair = marginal_pair(counted(75'700, 383), counted(63'200, 258));
  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(pair->base_count, 38'300);
  EXPECT_EQ(pair->head_count, 25'800);
  EXPECT_FALSE(marginal_pair(counted(39'100, 383), counted(26'600, 258)).has_value());
  EXPECT_FALSE(marginal_pair(counted(75'700, 383), counted(63'200, 258, 200)).has_value());
}

}  // namespace
}  // namespace icount
