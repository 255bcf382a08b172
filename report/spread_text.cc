#include "icount/report/spread_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/base/text.h"

namespace icount {

std::string describe_spread(const Result& result) {
  const int64_t spread = count_spread(result);
  const double median = static_cast<double>(*median_count(result));
  const double percent = median == 0 ? 0 : 100 * static_cast<double>(spread) / median;
  // {:.1g} alone would say 1e+04.
  const std::string share =
      percent < 1 ? fmt::format("{:.1g}", percent) : with_thousands(static_cast<int64_t>(std::llround(percent)));
  return fmt::format("moves by {} ({} %)", with_thousands(spread), share);
}

Json spread_to_json(const Result& result) {
  const auto [low, high] = std::minmax_element(result.counts.begin(), result.counts.end());
  return {{"min", *low}, {"max", *high}};
}

}  // namespace icount
