// Two results of one case of a benchmark binary whose numbers of iterations differ: `icount bench` takes fewer where an
// iteration is expensive, so a case near a border has other numbers on the two sides. What one further iteration costs
// (Result::slope) can be compared all the same. Read stats/result.h first. Pure.
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

}  // namespace icount
