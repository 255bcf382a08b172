#include "icount/stats/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/base/error.h"

namespace icount {
namespace {

// What a cost may move by and still be called constant: heaps and hash tables move by less.
constexpr double kConstant = 0.01;
// A law that is further from a cost than this says about how it grows.
constexpr double kHolds = 0.02;
// Powers beyond are no law of programs that end.
constexpr double kLeastPower = -4, kMostPower = 8;
// Between these powers n log n may hide: 1 + 1 / ln n for n from 20 up.
constexpr double kLeastLogPower = 1.03, kMostLogPower = 1.4;
// A function with less of the cost says little about the whole.
constexpr double kLeads = 0.05;

/// A law with one shape: c + a x, and how far it is from the costs.
struct Line {
  double constant = 0, factor = 0, residual = 0;
};

/// Least squares, each distance as a part of the largest cost.
Line fit_line(std::span<const double> x, std::span<const int64_t> costs, double most) {
  const auto n = static_cast<double>(x.size());
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double y = static_cast<double>(costs[i]) / most;
    sum_x += x[i];
    sum_y += y;
    sum_xx += x[i] * x[i];
    sum_xy += x[i] * y;
  }
  const double determinant = n * sum_xx - sum_x * sum_x;
  Line line;
  line.factor = determinant == 0 ? 0 : (n * sum_xy - sum_x * sum_y) / determinant;
  line.constant = (sum_y - line.factor * sum_x) / n;
  for (size_t i = 0; i < x.size(); ++i)
    line.residual =
        std::max(line.residual, std::abs(line.constant + line.factor * x[i] - static_cast<double>(costs[i]) / most));
  return line;
}

/// By sizes as parts of the largest. At 0 the power is the logarithm, which is where (n^k - 1) / k goes.
std::vector<double> powers(std::span<const int64_t> sizes, double k) {
  std::vector<double> x;
  const auto most = static_cast<double>(sizes.back());
  for (const int64_t size : sizes) {
    const double part = static_cast<double>(size) / most;
    x.push_back(std::abs(k) < 1e-9 ? std::log(part) : (std::pow(part, k) - 1) / k);
  }
  return x;
}

}  // namespace

GrowthFit fit_growth(std::span<const int64_t> sizes, std::span<const int64_t> costs) {
  ICOUNT_CHECK(sizes.size() == costs.size() && sizes.size() >= kLeastSizes,
               "a law needs three sizes, and a cost for each");
  const auto [least, largest] = std::minmax_element(costs.begin(), costs.end());
  const auto most = static_cast<double>(std::max<int64_t>(std::abs(*largest), std::abs(*least)));
  GrowthFit fit;
  fit.constant = static_cast<double>(costs.back());
  if (most == 0 || static_cast<double>(*largest - *least) < kConstant * most) {
    fit.is_constant = true;
    return fit;
  }
  const auto distance = [&](double k) { return fit_line(powers(sizes, k), costs, most).residual; };
  // Coarse first, for the distance has other valleys where costs do not follow one law; then by thirds.
  double best = kLeastPower;
  constexpr double kStep = 0.125;
  for (double k = kLeastPower; k <= kMostPower; k += kStep)
    if (distance(k) < distance(best)) best = k;
  double low = best - kStep, high = best + kStep;
  for (int i = 0; i < 60; ++i) {
    const double third = (high - low) / 3;
    if (distance(low + third) < distance(high - third))
      high -= third;
    else
      low += third;
  }
  fit.exponent = (low + high) / 2;
  const Line line = fit_line(powers(sizes, fit.exponent), costs, most);
  const double at_most = std::pow(static_cast<double>(sizes.back()), fit.exponent);
  fit.residual = line.residual;
  if (std::abs(fit.exponent) > 1e-9) {
    fit.factor = most * line.factor / fit.exponent / at_most;
    fit.constant = most * (line.constant - line.factor / fit.exponent);
  }
  if (fit.exponent < kLeastLogPower || fit.exponent > kMostLogPower) return fit;
  std::vector<double> logs;
  for (const int64_t size : sizes) logs.push_back(static_cast<double>(size) * std::log2(static_cast<double>(size)));
  const Line log_line = fit_line(logs, costs, most);
  // A power with its constant has one number more to fit with.
  constexpr double kAsGood = 0.0005;
  if (log_line.residual > std::max(kAsGood, fit.residual)) return fit;
  fit.is_n_log_n = true;
  fit.residual = log_line.residual;
  fit.constant = most * log_line.constant;
  fit.factor = most * log_line.factor;
  return fit;
}

std::string growth_text(const GrowthFit& fit) {
  if (fit.is_constant) return "constant";
  if (fit.is_n_log_n) return "n log n";
  return fmt::format("{}n^{:.1f}", fit.residual > kHolds ? "about " : "", fit.exponent);
}

double Growth::share(const GrowingFunction& function) const {
  return costs.back() == 0 ? 0 : static_cast<double>(function.costs.back()) / static_cast<double>(costs.back());
}

const GrowingFunction* Growth::leader() const {
  const GrowingFunction* found = nullptr;
  for (const GrowingFunction& function : functions)
    if (share(function) >= kLeads && !function.fit.is_constant &&
        (!found || function.fit.exponent > found->fit.exponent))
      found = &function;
  return found;
}

GrowthFit Growth::rest_without(const GrowingFunction& function) const {
  std::vector<int64_t> rest;
  for (size_t i = 0; i < sizes.size(); ++i) rest.push_back(costs[i] - function.costs[i]);
  return fit_growth(sizes, rest);
}

}  // namespace icount
