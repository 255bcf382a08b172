// Laws that are known, from the counts that follow from them.
#include "icount/stats/growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace icount {
namespace {

GrowthFit fit_of(const std::function<double(double)>& law, std::vector<int64_t> sizes = {100, 200, 400}) {
  std::vector<int64_t> costs;
  for (const int64_t size : sizes) costs.push_back(std::llround(law(static_cast<double>(size))));
  return fit_growth(sizes, costs);
}

TEST(GrowthTest, PowersAreFoundWhateverIsConstantBesideThem) {
  for (const double constant : {0.0, 500.0, 2'000'000.0})
    for (const double power : {0.5, 1.0, 2.0, 3.0}) {
      SCOPED_TRACE(power);
      const GrowthFit fit = fit_of([&](double n) { return constant + 3'000 * std::pow(n, power); });
      EXPECT_NEAR(fit.exponent, power, 0.01);
      EXPECT_NEAR(fit.factor, 3'000, 60);
      EXPECT_NEAR(fit.constant, constant, 0.001 * (constant + 3'000 * std::pow(400, power)));
      EXPECT_FALSE(fit.is_n_log_n);
    }
}

TEST(GrowthTest, PairsOfElementsAreASquare) {
  const GrowthFit fit = fit_of([](double n) { return 9 * n * (n - 1) / 2; });
  EXPECT_EQ(growth_text(fit), "n^2.0");
  EXPECT_LT(fit.residual, 1e-9);
}

TEST(GrowthTest, ALogarithmIsNoPower) {
  const GrowthFit fit = fit_of([](double n) { return 70 + 5 * n * std::log2(n); }, {1'000, 2'000, 4'000});
  EXPECT_EQ(growth_text(fit), "n log n");
  EXPECT_NEAR(fit.factor, 5, 0.01);
  EXPECT_EQ(growth_text(fit_of([](double n) { return 12 * n + 7; })), "n^1.0");
  EXPECT_EQ(growth_text(fit_of([](double n) { return 10'000 * std::log(n); })), "log n");
}

TEST(GrowthTest, WhatHardlyMovesIsConstant) {
  for (const std::vector<int64_t>& costs :
       {std::vector<int64_t>{0, 0, 0}, {10'000, 10'000, 10'000}, {10'000, 10'050, 10'020}}) {
    EXPECT_TRUE(fit_growth(std::vector<int64_t>{1, 2, 4}, costs).is_constant);
    EXPECT_EQ(growth_text(fit_growth(std::vector<int64_t>{1, 2, 4}, costs)), "constant");
  }
  EXPECT_FALSE(fit_growth(std::vector<int64_t>{1, 2, 4}, std::vector<int64_t>{10'000, 10'100, 10'300}).is_constant);
}

TEST(GrowthTest, WhereNoLawHoldsItSaysAbout) {
  const GrowthFit fit = fit_of([](double n) { return n < 400 ? n : 100 * n; }, {100, 200, 400, 800, 1'600});
  EXPECT_GT(fit.residual, 0.02);
  EXPECT_TRUE(growth_text(fit).starts_with("about n^")) << growth_text(fit);
}

TEST(GrowthTest, OfThreeSizesAPowerThatNoAlgorithmHasIsNotSure) {
  // A linear and a smaller quadratic part: three points leave room for a power in between.
  const auto mixed = [](double n) { return 1'000 * n + 0.8 * n * n; };
  EXPECT_EQ(growth_text(fit_of(mixed)), "about n^1.3");
  EXPECT_LT(fit_of(mixed).least_exponent, 1.3);
  const GrowthFit four = fit_of(mixed, {100, 200, 400, 800});
  EXPECT_TRUE(four.holds) << "a fourth shows that it is close";
  EXPECT_NEAR(four.exponent, 1.35, 0.1);
  for (const double power : {0.5, 1.0, 2.0, 3.0}) {
    const GrowthFit fit = fit_of([&](double n) { return 5'000 * std::pow(n, power); });
    EXPECT_TRUE(fit.holds) << power;
    EXPECT_GT(fit.least_exponent, power - 0.15) << power;
  }
}

TEST(GrowthTest, BlocksBendThreeSizesNoFurtherThanALimitAllows) {
  // Counts of base64, which works in blocks of 30 kB.
  for (const std::vector<int64_t>& costs :
       {std::vector<int64_t>{499'174, 724'225, 1'275'007}, {433'997, 593'520, 1'013'908}}) {
    const GrowthFit fit = fit_growth(std::vector<int64_t>{20'000, 40'000, 80'000}, costs);
    EXPECT_TRUE(growth_text(fit).starts_with("about n^1.")) << growth_text(fit);
    EXPECT_LT(fit.least_exponent, 1.2);
  }
  const GrowthFit five = fit_growth(std::vector<int64_t>{10'000, 20'000, 30'000, 40'000, 60'000},
                                    std::vector<int64_t>{336'061, 499'174, 562'827, 724'225, 953'046});
  EXPECT_EQ(growth_text(five), "about n^1.0");
}

TEST(GrowthTest, ASizeStandsWhereThePatternHasIt) {
  EXPECT_EQ(with_size("f({n}, {n})", 40), "f(40, 40)");
  EXPECT_EQ(with_size("{n", 40), "{n");
  EXPECT_EQ(size_in_name("n = 400", kSizeLabel), 400);
  EXPECT_EQ(size_in_name("BM_x/64", "BM_x/{n}"), 64);
  EXPECT_EQ(size_in_name("BM_x/64/iterations:10", "BM_x/{n}"), 64);
  EXPECT_EQ(size_in_name("BM_x/64/2", "BM_x/{n}/2"), 64);
  for (const char* other : {"BM_x/64/2", "BM_x/", "BM_x/a", "BM_xy/64", "BM_x/64x", "BM_x/99999999999999999999"})
    EXPECT_EQ(size_in_name(other, "BM_x/{n}"), std::nullopt) << other;
}

TEST(GrowthTest, CostsThatFallHaveANegativePower) {
  EXPECT_NEAR(fit_of([](double n) { return 1e9 / n; }).exponent, -1, 0.01);
}

TEST(GrowthTest, TheLeaderGrowsMostOfWhatCounts) {
  Growth growth{.label = "x", .event = "Ir", .sizes = {100, 200, 400}, .costs = {2'000, 4'600, 12'000}};
  const auto add = [&](const char* name, std::vector<int64_t> costs) {
    GrowingFunction function{.name = name, .costs = std::move(costs)};
    function.fit = fit_growth(growth.sizes, function.costs);
    growth.functions.push_back(std::move(function));
  };
  add("linear", {1'500, 3'000, 6'000});
  EXPECT_EQ(growth.leader()->name, "linear");
  add("square", {300, 1'200, 4'800});
  add("small cube", {2, 16, 128});
  EXPECT_EQ(growth.leader()->name, "square");
  EXPECT_DOUBLE_EQ(growth.share(*growth.leader()), 0.4);
  EXPECT_EQ(growth.rest_without(*growth.leader()).exponent,
            fit_growth(growth.sizes, std::vector<int64_t>{1'700, 3'400, 7'200}).exponent);
  growth.functions.clear();
  EXPECT_EQ(growth.leader(), nullptr);
}

}  // namespace
}  // namespace icount
