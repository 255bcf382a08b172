#include "icount/stats/power_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace icount {
namespace {

using Points = std::vector<std::pair<double, double>>;

TEST(PowerFitTest, PointsOfALineGiveItsExponent) {
  const auto fit = fit_power(Points{{1, 3}, {2, 12}, {4, 48}, {8, 192}});  // 3 x^2
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->exponent, 2, 1e-12);
  EXPECT_NEAR(fit->factor, 3, 1e-12);
  EXPECT_NEAR(fit->residual_log2, 0, 1e-12);
  EXPECT_EQ(fit->points, 4);
}

/// By hand, in powers of two: y of 0, 1, 5 at x of 0, 1, 2 is 2.5 x - 0.5, and lies off by 0.5, -1, 0.5.
TEST(PowerFitTest, TheResidualIsTheRootOfTheMeanSquare) {
  const auto fit = fit_power(Points{{1, 1}, {2, 2}, {4, 32}});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->exponent, 2.5, 1e-12);
  EXPECT_NEAR(fit->factor, std::exp2(-0.5), 1e-12);
  EXPECT_NEAR(fit->residual_log2, std::sqrt(1.5 / 3), 1e-12);
}

TEST(PowerFitTest, WhatHasNoLogarithmIsNoPoint) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto fit =
      fit_power(Points{{0, 5}, {5, 0}, {inf, 1}, {1, inf}, {-1, 1}, {1, -1}, {0.5, 0.5}, {0.25, 0.25}, {2, 2}});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->points, 3);
  EXPECT_NEAR(fit->exponent, 1, 1e-12);
}

TEST(PowerFitTest, TwoPointsOrOnePlaceAreNoFit) {
  EXPECT_FALSE(fit_power(Points{{1, 1}, {2, 2}}));
  EXPECT_FALSE(fit_power(Points{{4, 1}, {4, 2}, {4, 3}}));
  EXPECT_TRUE(fit_power(Points{{4, 1}, {4, 2}, {4.0001, 3}}));
}

}  // namespace
}  // namespace icount
