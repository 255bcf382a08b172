#include "icount/timer/bench_complexity.h"

#include <cmath>

namespace icount {
namespace {

struct Curve {
  const char* name;
  double (*at)(double);
};

constexpr Curve kCurves[] = {
    {"(1)", [](double) { return 1.0; }},     {"lgN", [](double n) { return std::log2(n); }},
    {"N", [](double n) { return n; }},       {"NlgN", [](double n) { return n * std::log2(n); }},
    {"N^2", [](double n) { return n * n; }}, {"N^3", [](double n) { return n * n * n; }},
};

/// cost = coefficient * curve(n) by least squares through the origin.
ComplexityFit fit(std::span<const ComplexityPoint> points, const Curve& curve) {
  double products = 0, squares = 0, costs = 0;
  for (const ComplexityPoint& point : points) {
    const double y = curve.at(point.n);
    products += point.cost * y;
    squares += y * y;
    costs += point.cost;
  }
  ComplexityFit result{.big_o = curve.name, .coefficient = squares > 0 ? products / squares : 0};
  double residuals = 0;
  for (const ComplexityPoint& point : points)
    residuals += std::pow(point.cost - result.coefficient * curve.at(point.n), 2);
  const auto count = static_cast<double>(points.size());
  const double mean = costs / count;
  result.rms = mean > 0 ? std::sqrt(residuals / count) / mean : 0;
  return result;
}

}  // namespace

std::optional<ComplexityFit> fit_complexity(std::span<const ComplexityPoint> points) {
  bool differ = false;
  for (const ComplexityPoint& point : points) differ |= point.n != points.front().n;
  if (!differ) return std::nullopt;
  std::optional<ComplexityFit> best;
  for (const Curve& curve : kCurves)
    if (const ComplexityFit next = fit(points, curve); !best || next.rms < best->rms) best = next;
  return best;
}

}  // namespace icount
