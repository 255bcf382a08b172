#include "icount/stats/quantile.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr size_t kLanes = 4;  // doubles of one vector register
constexpr size_t kRows = 4;   // registers added to in turn
constexpr size_t kLevels = 4;
constexpr size_t kWidth = kLanes * kRows;

using Lane = std::array<double, kLanes>;
using Accumulator = std::array<Lane, kRows>;

int64_t ceil_log2(size_t size) { return size <= 2 ? 1 : std::bit_width(size - 1); }

void add(Accumulator& sum, const Accumulator& other) {
  for (size_t row = 0; row < kRows; ++row)
    for (size_t lane = 0; lane < kLanes; ++lane) sum[row][lane] += other[row][lane];
}

void add_step(Accumulator& sum, const double* values) {
  for (size_t row = 0; row < kRows; ++row)
    for (size_t lane = 0; lane < kLanes; ++lane) sum[row][lane] += values[row * kLanes + lane];
}

// Sums of `steps` groups of kWidth values: level 0 takes 2^power steps, then hands its sum up to the next
// level, so that no accumulator grows far beyond what is added to it.
Accumulator cascade(const double* values, size_t steps) {
  int64_t power = std::max<int64_t>(4, ceil_log2(steps) / static_cast<int64_t>(kLevels));
  size_t level_step = size_t{1} << power;
  size_t mask = level_step - 1;
  std::array<Accumulator, kLevels> levels{};
  size_t step = 0;
  while (step + level_step <= steps) {
    for (size_t i = 0; i < level_step; ++i, ++step) add_step(levels[0], values + step * kWidth);
    for (size_t level = 1; level < kLevels; ++level) {
      add(levels[level], levels[level - 1]);
      levels[level - 1] = {};
      if (step & mask << (level * power)) break;
    }
  }
  for (; step < steps; ++step) add_step(levels[0], values + step * kWidth);
  for (size_t level = 1; level < kLevels; ++level) add(levels[0], levels[level]);
  return levels[0];
}

double cascade_sum(std::span<const double> values) {
  size_t vectors = values.size() / kLanes;
  size_t steps = vectors / kRows;
  Accumulator sums = cascade(values.data(), steps);
  Lane& first = sums[0];
  for (size_t vector = steps * kRows; vector < vectors; ++vector)
    for (size_t lane = 0; lane < kLanes; ++lane) first[lane] += values[vector * kLanes + lane];
  for (size_t row = 1; row < kRows; ++row)
    for (size_t lane = 0; lane < kLanes; ++lane) first[lane] += sums[row][lane];
  double total = 0;
  for (size_t i = vectors * kLanes; i < values.size(); ++i) total += values[i];
  for (double lane : first) total += lane;
  return total;
}

}  // namespace

double quantile(std::span<const double> sorted, double q) {
  ICOUNT_CHECK(!sorted.empty() && q >= 0 && q <= 1, "quantile of something in 0..1");
  double rank = q * static_cast<double>(sorted.size() - 1);
  double below = std::floor(rank);
  double weight = rank - below;
  double a = sorted[static_cast<size_t>(below)];
  double b = sorted[static_cast<size_t>(std::ceil(rank))];
  return weight < 0.5 ? a + weight * (b - a) : b - (b - a) * (1 - weight);
}

double cascade_mean(std::span<const double> values) {
  ICOUNT_CHECK(!values.empty(), "mean of something");
  return cascade_sum(values) / static_cast<double>(values.size());
}

float float32_deviation(std::span<const double> values) {
  ICOUNT_CHECK(!values.empty(), "deviation of something");
  double count = static_cast<double>(values.size());
  double mean = 0;
  for (double value : values) mean += static_cast<float>(value);
  mean /= count;
  double squares = 0;
  for (double value : values) {
    double distance = static_cast<float>(value) - mean;
    squares += distance * distance;
  }
  return static_cast<float>(std::sqrt(squares / count));
}

namespace {

constexpr double kOutside = 0.025;  // of the binomial law below the lower rank, and as much above the upper one

// The largest k with P(X < k) <= kOutside for X binomial(n, 1/2): rank k (from 1) is the lower bound.
size_t lower_rank(size_t n) {
  // Terms relative to 2^-n in logarithms, since 2^-n itself underflows for long series.
  double log_term = -static_cast<double>(n) * std::log(2.0);
  double below = 0;
  for (size_t k = 0; k < n; ++k) {
    below += std::exp(log_term);
    if (below > kOutside) return k;
    log_term += std::log(static_cast<double>(n - k) / static_cast<double>(k + 1));
  }
  return n;
}

}  // namespace

std::optional<Interval> median_interval(std::span<const double> values) {
  size_t rank = lower_rank(values.size());
  if (rank == 0) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return Interval{sorted[rank - 1], sorted[sorted.size() - rank]};
}

}  // namespace icount
