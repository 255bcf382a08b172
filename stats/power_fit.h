// How a cost grows: y = factor * x^exponent, fitted by least squares in the logarithms. A fuzzer run uses it
// for cost against elements (stats/fuzz_result.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace icount {

struct PowerFit {
  double factor = 0;
  double exponent = 0;
  /// Root mean square of log2(y / fitted y): 0.1 means that costs lie within about 7 % of the line, 1 within
  /// a factor of 2.
  double residual_log2 = 0;
  int64_t points = 0;
};

/// nullopt for fewer than three points above zero in both coordinates, or when all of them have the same x.
std::optional<PowerFit> fit_power(std::span<const std::pair<double, double>> points);

}  // namespace icount
