// The cost of a run where it depends on the number of runs: caches that fill, code that an interpreter adapts, memory
// that grows. Then the count over the number of runs is no cost of a run, and the marginal cost (Result::slope) is what
// can be compared. Read stats/result.h first. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "icount/stats/result.h"

namespace icount {

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
