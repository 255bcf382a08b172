// Order statistics and the mean with PyTorch's arithmetic, bit for bit (docs/measurement_statistics.md).
// Measurement is made of these; the gates' own statistics are elsewhere.
#pragma once

#include <optional>
#include <span>

namespace icount {

/// Linear interpolation between the neighbours of rank q * (n - 1) of ascending values, as ATen's lerp
/// computes it: from below for weights under one half, from above otherwise. `sorted` must not be empty, 0 <=
/// q <= 1.
double quantile(std::span<const double> sorted, double q);

/// Sum as ATen's cascade adds up one contiguous row of doubles, divided by the count. `values` must not be
/// empty.
double cascade_mean(std::span<const double> values);

/// Population standard deviation of the values rounded to float32; the sums are in double, the result is
/// float32.
float float32_deviation(std::span<const double> values);

// How sure a median is: an interval from order statistics, without assuming a distribution. The timer's stop
// rule and the ratios of Compare use it.

struct Interval {
  double low = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

/// An interval that holds the median with at least 95 % probability, whatever the distribution: the values
/// whose ranks bound it by the binomial law (Le Boudec, Performance Evaluation, 2.2). nullopt below six
/// values.
std::optional<Interval> median_interval(std::span<const double> values);

}  // namespace icount
