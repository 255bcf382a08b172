// Order statistics and the mean with PyTorch's arithmetic, bit for bit (docs/measurement_statistics.md).
// Measurement is made of these; the gates' own statistics are elsewhere.
#pragma once

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

}  // namespace icount
