#include "icount/stats/power_fit.h"

#include <cmath>
#include <vector>

namespace icount {
namespace {

std::vector<std::pair<double, double>> positive_logs(std::span<const std::pair<double, double>> points) {
  std::vector<std::pair<double, double>> logs;
  for (const auto& [x, y] : points)
    if (x > 0 && y > 0 && std::isfinite(x) && std::isfinite(y)) logs.emplace_back(std::log2(x), std::log2(y));
  return logs;
}

}  // namespace

std::optional<PowerFit> fit_power(std::span<const std::pair<double, double>> points) {
  const auto logs = positive_logs(points);
  if (logs.size() < 3) return std::nullopt;
  const auto n = static_cast<double>(logs.size());
  double mean_x = 0, mean_y = 0;
  for (const auto& [x, y] : logs) {
    mean_x += x / n;
    mean_y += y / n;
  }
  double square_x = 0, product = 0;
  for (const auto& [x, y] : logs) {
    square_x += (x - mean_x) * (x - mean_x);
    product += (x - mean_x) * (y - mean_y);
  }
  if (square_x < 1e-12) return std::nullopt;
  PowerFit fit;
  fit.points = static_cast<int64_t>(logs.size());
  fit.exponent = product / square_x;
  fit.factor = std::exp2(mean_y - fit.exponent * mean_x);
  double squares = 0;
  for (const auto& [x, y] : logs) {
    const double off = y - (mean_y + fit.exponent * (x - mean_x));
    squares += off * off;
  }
  fit.residual_log2 = std::sqrt(squares / n);
  return fit;
}

}  // namespace icount
