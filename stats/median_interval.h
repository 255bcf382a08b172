// How sure a median is: an interval from order statistics, without assuming a distribution. The timer's stop
// rule and the ratios of Compare use it.
#pragma once

#include <optional>
#include <span>

namespace icount {

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
