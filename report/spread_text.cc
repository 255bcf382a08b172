#include "icount/report/spread_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"

namespace icount {

std::string describe_spread(const Result& result) {
  const int64_t spread = count_spread(result);
  const double median = static_cast<double>(*median_count(result));
  const double percent = median == 0 ? 0 : 100 * static_cast<double>(spread) / median;
  return fmt::format("moves by {} ({:.1g} %)", with_thousands(spread), percent);
}

Json spread_to_json(const Result& result) {
  const auto [low, high] = std::minmax_element(result.counts.begin(), result.counts.end());
  return {{"min", *low}, {"max", *high}};
}

}  // namespace icount
