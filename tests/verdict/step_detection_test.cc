#include "icount/verdict/step_detection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace icount {
namespace {

using Steps = std::vector<size_t>;

/// Seeded noise of deviation 1 around levels that begin at given places.
std::vector<double> noisy(size_t n, const std::vector<std::pair<size_t, double>>& levels, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values;
  double level = 0;
  for (size_t i = 0; i < n; ++i) {
    for (const auto& [at, value] : levels)
      if (at == i) level = value;
    // The sum of twelve uniform numbers: close to Gaussian, and the same with every standard library.
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(random() >> 11) / 9007199254740992.0;
    values.push_back(level + sum);
  }
  return values;
}

/// The cost that find_steps minimises, by trying all ways to divide the values (for levels on a fine grid).
double best_cost_by_force(const std::vector<double>& values) {
  const size_t n = values.size();
  const double penalty = 2 * std::log(static_cast<double>(n));
  const auto segment = [&](size_t from, size_t to) {
    double best = std::numeric_limits<double>::infinity();
    for (double level = -12; level <= 12; level += 0.02) {
      double cost = 0;
      for (size_t i = from; i < to; ++i) cost += std::min((values[i] - level) * (values[i] - level), 9.0);
      best = std::min(best, cost);
    }
    return best;
  };
  std::vector<double> cost(n + 1, std::numeric_limits<double>::infinity());
  cost[0] = -penalty;
  for (size_t to = 1; to <= n; ++to)
    for (size_t from = 0; from < to; ++from) cost[to] = std::min(cost[to], cost[from] + penalty + segment(from, to));
  return cost[n];
}

double cost_of(const std::vector<double>& values, const Steps& steps) {
  double cost = 2 * std::log(static_cast<double>(values.size())) * static_cast<double>(steps.size());
  for (size_t i = 0; i <= steps.size(); ++i) {
    const size_t from = i == 0 ? 0 : steps[i - 1], to = i < steps.size() ? steps[i] : values.size();
    double best = std::numeric_limits<double>::infinity();
    for (double level = -12; level <= 12; level += 0.02) {
      double sum = 0;
      for (size_t k = from; k < to; ++k) sum += std::min((values[k] - level) * (values[k] - level), 9.0);
      best = std::min(best, sum);
    }
    cost += best;
  }
  return cost;
}

TEST(StepDetectionTest, ExactValuesStepWithEveryChange) {
  EXPECT_EQ(find_steps(std::vector<double>{5, 5, 6, 6, 5, 4}, 0), (Steps{2, 4, 5}));
  EXPECT_EQ(find_steps(std::vector<double>{5, 5, 5}, 0), Steps{});
  EXPECT_EQ(find_steps(std::vector<double>{5}, 0), Steps{});
  EXPECT_EQ(find_steps({}, 0), Steps{});
}

TEST(StepDetectionTest, NoiseAloneIsNoStep) {
  int wrong = 0;
  for (unsigned seed = 0; seed < 40; ++seed) wrong += find_steps(noisy(200, {}, seed), 1).empty() ? 0 : 1;
  EXPECT_LE(wrong, 4);
}

TEST(StepDetectionTest, StepsAreFoundWhereTheyAre) {
  const std::vector<double> values = noisy(300, {{100, 8}, {180, 3}, {260, 11}}, 7);
  EXPECT_EQ(find_steps(values, 1), (Steps{100, 180, 260}));
  const std::vector<double> fit = levels(values, Steps{100, 180, 260});
  ASSERT_EQ(fit.size(), 4u);
  EXPECT_NEAR(fit[0], 0, 0.4);
  EXPECT_NEAR(fit[1], 8, 0.4);
  EXPECT_NEAR(fit[3], 11, 0.4);
}

TEST(StepDetectionTest, AnOutlierIsNoLevelAndTwoLastValuesAre) {
  std::vector<double> values = noisy(100, {}, 3);
  values[50] = 40;
  EXPECT_EQ(find_steps(values, 1), Steps{});
  values.back() = 40;
  EXPECT_EQ(find_steps(values, 1), Steps{}) << "one value can't be told from an outlier";
  values[98] = 40.5;
  EXPECT_EQ(find_steps(values, 1), Steps{98});
}

TEST(StepDetectionTest, ScaleAndOffsetChangeNothing) {
  const std::vector<double> values = noisy(120, {{40, 6}, {90, 1}}, 11);
  std::vector<double> other;
  for (const double value : values) other.push_back(1e9 + 1000 * value);
  EXPECT_EQ(find_steps(other, 1000), find_steps(values, 1));
}

TEST(StepDetectionTest, TheCostIsTheLeastThereIs) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::vector<double> values = noisy(14, {{4, 3.0 + seed % 4}, {9, seed % 3 == 0 ? 0.0 : 5.0}}, seed);
    EXPECT_NEAR(cost_of(values, find_steps(values, 1)), best_cost_by_force(values), 0.02) << "seed " << seed;
  }
}

TEST(StepDetectionTest, NoiseIsLearntThroughSteps) {
  EXPECT_NEAR(wobble(noisy(400, {{100, 50}, {200, 9}}, 5)), 1, 0.15);
  EXPECT_EQ(wobble(std::vector<double>{1, 2}), 0);
  EXPECT_EQ(count_noise(std::vector<double>{10, 10, 17, 17}, std::vector<double>{0, 0, 0, 0}), 0);
  EXPECT_NEAR(count_noise(std::vector<double>{10, 10, 10, 10}, std::vector<double>{0, 4, 0, 4}), 1.7724538509055159,
              1e-12);
  EXPECT_NEAR(count_noise(std::vector<double>{0, 30, 0, 30}, std::vector<double>{1, 0, 0, 0}),
              1.4826 * 30 / std::sqrt(2), 1e-9);
}

}  // namespace
}  // namespace icount
