#include "icount/report/scatter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "icount/stats/power_fit.h"

namespace icount {
namespace {

using Points = std::vector<std::pair<double, double>>;

TEST(ScatterTest, EqualRatiosAreEqualSteps) {
  const Points points = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 16}, {32, 32}, {64, 64}, {128, 128}};
  EXPECT_EQ(render_scatter(points, scatter_range(points), 8), "▁▂▃▄▅▆▇█");
}

TEST(ScatterTest, EmptyStretchesStayBlankAndMediansStand) {
  const Points points = {{1, 10}, {1, 10}, {1, 1000}, {1024, 1000}};
  EXPECT_EQ(render_scatter(points, scatter_range(points), 5), "▁   █");
}

TEST(ScatterTest, OnePointAndNoneAreFine) {
  const Points one = {{5, 5}};
  EXPECT_EQ(render_scatter(one, scatter_range(one), 3), "▁  ");
  EXPECT_EQ(render_scatter({}, scatter_range({}), 3), "   ");
}

TEST(ScatterTest, ASharedRangeHoldsBoth) {
  const Points low = {{1, 1}, {4, 2}}, high = {{2, 64}};
  const ScatterRange first = scatter_range(low);
  const ScatterRange both = scatter_range(high, &first);
  EXPECT_EQ(both.low_y, 1);
  EXPECT_EQ(both.high_y, 64);
  EXPECT_EQ(both.high_x, 4);
}

TEST(PowerFitTest, RecoversFactorAndExponent) {
  Points points;
  for (double x = 1; x < 2000; x *= 3) points.emplace_back(x, 5 * std::pow(x, 1.5));
  const auto fit = fit_power(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->exponent, 1.5, 1e-12);
  EXPECT_NEAR(fit->factor, 5, 1e-10);
  EXPECT_NEAR(fit->residual_log2, 0, 1e-12);
}

// y = 2x with every second point doubled and every other halved: log2 off by 1 everywhere once the line is
// found.
TEST(PowerFitTest, TheResidualIsAFactor) {
  const Points points = {{1, 4}, {1, 1}, {16, 64}, {16, 16}};
  const auto fit = fit_power(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->exponent, 1, 1e-12);
  EXPECT_NEAR(fit->factor, 2, 1e-12);
  EXPECT_NEAR(fit->residual_log2, 1, 1e-12);
}

TEST(PowerFitTest, TooLittleGivesNoFit) {
  EXPECT_FALSE(fit_power(Points{{1, 1}, {2, 2}}));
  EXPECT_FALSE(fit_power(Points{{3, 1}, {3, 2}, {3, 4}}));
  EXPECT_FALSE(fit_power(Points{{1, 1}, {2, 0}, {3, -1}, {0, 5}}));
}

}  // namespace
}  // namespace icount
