// Ratios between the columns of a Compare table: how much slower or faster, how sure that is, and a verdict
// that may be "can't tell". Reads stats/compare.h; the renderers show them as further columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "icount/stats/compare.h"
#include "icount/stats/quantile.h"

namespace icount {

enum class RatioVerdict { kFaster, kSlower, kSame, kCannotTell };
/// "faster", "slower", "same", "can't tell".
std::string_view to_text(RatioVerdict verdict);

/// head's median over base's, with its 95 % interval.
struct Ratio {
  double ratio = 1;
  std::optional<Interval> interval;  ///< absent when a side has fewer than six blocks or a median that is not positive
  RatioVerdict verdict = RatioVerdict::kCannotTell;
};

struct RatioOptions {
  double tolerance = 0.01;  ///< an interval within 1 -+ this is "same"
  int resamples = 2000;
  uint64_t seed = 1;  ///< of the bootstrap; the same seed gives the same interval everywhere
};

/// Percentile bootstrap of both medians (Efron and Tibshirani, An Introduction to the Bootstrap, 13). Faster:
/// all of the interval below 1; slower: all above; same: all within the tolerance; else it can't be told.
Ratio median_ratio(const Measurement& base, const Measurement& head, const RatioOptions& options = {});

/// Per row and column of `table`; absent where a cell or the base's cell is empty, and in the base column
/// itself.
struct RatioTable {
  size_t base_column = 0;
  std::vector<std::vector<std::optional<Ratio>>> cells;
};
RatioTable make_ratios(const CompareTable& table, size_t base_column, const RatioOptions& options = {});

}  // namespace icount
