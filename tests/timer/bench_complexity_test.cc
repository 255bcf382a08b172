#include "icount/timer/bench_complexity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace icount {
namespace {

std::string best(const std::function<double(double)>& cost) {
  std::vector<ComplexityPoint> points;
  for (const double n : {8.0, 64.0, 512.0, 4096.0}) points.push_back({"case", n, cost(n)});
  const auto fit = fit_complexity(points);
  return fit ? fit->big_o : "none";
}

TEST(BenchComplexityTest, EachCurveIsFoundInItself) {
  EXPECT_EQ(best([](double) { return 7.0; }), "(1)");
  EXPECT_EQ(best([](double n) { return 3 * std::log2(n); }), "lgN");
  EXPECT_EQ(best([](double n) { return 3 * n; }), "N");
  EXPECT_EQ(best([](double n) { return 5 * n * std::log2(n); }), "NlgN");
  EXPECT_EQ(best([](double n) { return n * n / 2; }), "N^2");
  EXPECT_EQ(best([](double n) { return n * n * n; }), "N^3");
}

TEST(BenchComplexityTest, TheCoefficientIsTheLeastSquaresOne) {
  const std::vector<ComplexityPoint> points = {{"a", 1, 12}, {"b", 2, 18}};
  const auto fit = fit_complexity(points);
  ASSERT_TRUE(fit);
  // N: (12 * 1 + 18 * 2) / (1 + 4) = 9.6; residuals 2.4 and -1.2; constant: 15, residuals 3 and 3.
  EXPECT_EQ(fit->big_o, "N");
  EXPECT_DOUBLE_EQ(fit->coefficient, 9.6);
  EXPECT_NEAR(fit->rms, std::sqrt((2.4 * 2.4 + 1.2 * 1.2) / 2) / 15, 1e-12);
}

TEST(BenchComplexityTest, OneSizeIsNoCurve) {
  const std::vector<ComplexityPoint> points = {{"a", 8, 12}, {"b", 8, 18}};
  EXPECT_FALSE(fit_complexity(points));
  EXPECT_FALSE(fit_complexity({}));
}

}  // namespace
}  // namespace icount
