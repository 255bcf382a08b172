#include "icount/stats/median_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace icount {
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
