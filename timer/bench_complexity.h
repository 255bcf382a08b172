// How the cost of a family of benchmark cases grows with their size: the curves of Google Benchmark's BigO, fitted by
// least squares to exact costs instead of times. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace icount {

/// One case: its size and what one iteration costs.
struct ComplexityPoint {
  std::string name;
  double n = 0;
  double cost = 0;
};

struct ComplexityFit {
  std::string big_o;  ///< "(1)", "lgN", "N", "NlgN", "N^2" or "N^3"
  double coefficient = 0;
  double rms = 0;  ///< root mean square of the residuals over the mean cost, as the library defines it
};

/// The curve with the smallest rms; of equal ones the slower growing. nullopt for fewer than two different sizes.
std::optional<ComplexityFit> fit_complexity(std::span<const ComplexityPoint> points);

}  // namespace icount
