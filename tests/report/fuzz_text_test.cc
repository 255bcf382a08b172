#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "icount/report/fuzz_text.h"
#include "icount/stats/fuzz_result.h"
#include "support/golden.h"

namespace icount {
namespace {

FuzzPoint point_of(int64_t sample, int64_t elements, double cost, double against) {
  FuzzPoint point;
  point.sample = sample;
  point.elements = elements;
  point.shape = "x " + std::to_string(elements) + " float32";
  point.cost = {cost, "done", ""};
  point.against = FuzzCost{against, "done", ""};
  return point;
}

FuzzResult five_points() {
  FuzzResult result;
  result.stmt = "torch::add(x, y)";
  result.against = "x + y";
  result.source = "binary corrected small";
  result.seed = 9;
  result.rejection_rate = 0.5;
  result.points = {point_of(0, 10, 1000, 1100), point_of(1, 100, 2000, 2000), point_of(2, 1000, 9000, 8100),
                   point_of(3, 4000, 30000, 31000), point_of(4, 50, 1500, 1500)};
  return result;
}

std::string text_of(const FuzzResult& result, size_t top) {
  std::ostringstream out;
  render_fuzz_text(out, result, {top}, {});
  return out.str();
}

TEST(FuzzTextTest, TwoStatements) {
  EXPECT_EQ(differs_from_golden("report/fuzz_two.txt", text_of(five_points(), 2)), "");
}

TEST(FuzzTextTest, OneStatementInSecondsWithFailures) {
  FuzzResult result = five_points();
  result.against.clear();
  result.unit = FuzzUnit::kSeconds;
  for (FuzzPoint& point : result.points) {
    point.against.reset();
    point.cost.per_run = *point.cost.per_run * 1e-9;
  }
  result.points[1].cost = {std::nullopt, "threw", "threw c10::Error: no\x1b[2J"};
  EXPECT_EQ(differs_from_golden("report/fuzz_one.txt", text_of(result, 10)), "");
}

TEST(FuzzTextTest, NothingMeasured) {
  FuzzResult result;
  result.stmt = "f(x)";
  result.source = "unary";
  EXPECT_EQ(text_of(result, 10),
            "f(x)\n0 samples of unary, seed 0; instructions per run\n1.0 candidates were drawn per sample\n"
            "cost: too few sizes to fit how it grows\n");
}

// 2 (b - a) / (a + b): 1000 against 1100 is 200 / 2100.
TEST(FuzzTextTest, OrdersAndDifferences) {
  const FuzzResult result = five_points();
  EXPECT_NEAR(*relative_difference(result.points[0]), 200.0 / 2100, 1e-15);
  EXPECT_NEAR(*relative_difference(result.points[2]), -1800.0 / 17100, 1e-15);
  EXPECT_EQ(by_difference(result), (std::vector<size_t>{2, 0, 3, 1, 4}));
  EXPECT_EQ(by_cost_per_element(result), (std::vector<size_t>{3, 2, 1, 4, 0}));
}

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
