#include "icount/stats/median_interval.h"

#include <gtest/gtest.h>

#include <vector>

namespace icount {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> values;
  for (int i = n; i >= 1; --i) values.push_back(i);
  return values;
}

// Ranks as tabulated in Le Boudec, Performance Evaluation, table A.1 (95 %).
TEST(MedianIntervalTest, HasTheTabulatedRanks) {
  EXPECT_FALSE(median_interval(one_to(5)));
  EXPECT_EQ(median_interval(one_to(6)), (Interval{1, 6}));
  EXPECT_EQ(median_interval(one_to(10)), (Interval{2, 9}));
  EXPECT_EQ(median_interval(one_to(20)), (Interval{6, 15}));
  EXPECT_EQ(median_interval(one_to(50)), (Interval{18, 33}));
}

TEST(MedianIntervalTest, HoldsForLongSeries) {
  // 0.5 n -+ 0.98 sqrt(n) for n = 10,000.
  std::optional<Interval> interval = median_interval(one_to(10000));
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 4902, 2);
  EXPECT_NEAR(interval->high, 5099, 2);
}

TEST(MedianIntervalTest, OfNothingThereIsNone) {
  for (int n = 0; n < 6; ++n) EXPECT_FALSE(median_interval(one_to(n))) << n;
  EXPECT_EQ(median_interval(one_to(7)), (Interval{1, 7}));
  EXPECT_EQ(median_interval(one_to(9)), (Interval{2, 8})) << "2 * (1 + 9) of 512 lie outside, less than 5 %";
}

}  // namespace
}  // namespace icount
