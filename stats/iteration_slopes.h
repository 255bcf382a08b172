// Two results of one case of a benchmark binary whose numbers of iterations differ: `icount bench` takes fewer where an
// iteration is expensive, so a case near a border has other numbers on the two sides. What one further iteration costs
// (Result::slope) can be compared all the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "icount/stats/fingerprint.h"
#include "icount/stats/result.h"

namespace icount {

/// The fact of a case's fingerprint that has its number of iterations.
inline constexpr std::string_view kIterationsFact = "number";

/// A result with the conditions that it was measured under.
struct MeasuredUnder {
  const Result& result;
  Fingerprint facts;
};

/// What one further iteration costs on both sides.
struct SlopePair {
  double base = 0, head = 0;
  int64_t base_iterations = 0, head_iterations = 0;
  /// The cost of head's number of iterations, without what does not grow with it; rounded.
  int64_t base_count() const;
  int64_t head_count() const;
  /// "the numbers of iterations differ (100 against 10)"
  std::string difference() const;
};

/// nullopt unless both are cases of a benchmark binary, their numbers of iterations differ, and both have a slope.
std::optional<SlopePair> slope_pair(const MeasuredUnder& base, const MeasuredUnder& head);

/// The facts without that one.
Fingerprint without_iterations(Fingerprint facts);

/// comparable() of their facts and numbers of runs; numbers that a slope_pair takes care of do not refuse.
Comparability comparable_runs(const MeasuredUnder& base, const MeasuredUnder& head);

// The cost of a run where it depends on the number of runs: caches that fill, code that an interpreter adapts, memory
// that grows. Then the count over the number of runs is no cost of a run, and the marginal cost (Result::slope) is what
// can be compared.

/// True when the first runs cost more, or less, than those after them: what is not proportional to the number of runs
/// (Result::fixed) is more than 1 % of the count and more than 2,000 instructions, which is above what marks the
/// region. False without a slope.
bool depends_on_number(const Result& result);

/// The marginal cost of a run times the number of runs, rounded: on the scale of the count. nullopt without a slope.
std::optional<int64_t> marginal_count(const Result& result);

/// What is compared of two results of one benchmark when the cost per run of either depends on the number of runs.
struct MarginalPair {
  double base = 0;  ///< cost of one further run
  double head = 0;
  /// `base` and `head` times the number of runs, rounded: on the scale of the counts.
  int64_t base_count = 0;
  int64_t head_count = 0;
};

/// nullopt when neither depends on it, a side has no slope, or the numbers of runs differ.
std::optional<MarginalPair> marginal_pair(const Result& base, const Result& head);

}  // namespace icount
