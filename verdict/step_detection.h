// Where a series of values stepped to another level, as opposed to having wobbled: a penalised piecewise constant fit.
// The history names the commits by it (docs/history.md). Pure; the noise it needs is learnt here too.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace icount {

/// Standard deviation of the wobble from one value to the next, whatever steps lie between: 1.4826 times the median of
/// |x(i) - x(i-1)|, over the square root of 2. A few steps or outliers don't move it. 0 for fewer than three values.
double wobble(std::span<const double> values);

/// Noise of counts: 0, which is "exact", when no run's repeats differed (all `spreads` 0); else wobble(), or what the
/// spreads say when that is more (two repeats of deviation s lie 2 s / sqrt(pi) apart on average).
double count_noise(std::span<const double> values, std::span<const double> spreads);

/// Indices of the values that begin a new level, ascending; never 0. With `noise` 0 these are all values that differ
/// from the one before. Otherwise the levels that minimise
///     sum min((x - level)^2 / noise^2, 9) + 2 ln(n) (number of steps)
/// i.e. BIC (a place and a level per step, Gaussian noise) with Tukey's biweight loss, so that an outlier is cheaper
/// borne than made a level, found exactly by functional pruning: Fearnhead and Rigaill, "Changepoint Detection in the
/// Presence of Outliers", JASA 114 (2019), 169-183. About n log n; a single last value that is off is no step yet.
std::vector<size_t> find_steps(std::span<const double> values, double noise);

/// Median of each level: steps.size() + 1 of them; empty without values.
std::vector<double> levels(std::span<const double> values, std::span<const size_t> steps);

}  // namespace icount
