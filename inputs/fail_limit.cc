#include "icount/inputs/fail_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {

FailLimit parse_fail_limit(std::string_view text) {
  FailLimit limit;
  limit.text = text;
  std::string_view number = trim(text);
  limit.in_percent = number.ends_with('%');
  if (limit.in_percent) {
    number = trim(number.substr(0, number.size() - 1));
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), limit.percent);
    if (status == std::errc() && end == number.data() + number.size() && std::isfinite(limit.percent) &&
        limit.percent >= 0)
      return limit;
  } else {
    std::string digits(number);
    std::erase(digits, ',');
    const auto count = parse_int64(digits);
    if (count && *count >= 0) {
      limit.count = *count;
      return limit;
    }
  }
  throw Error(ErrorKind::kUsage, fmt::format("--fail-over {}: not a limit like 0.5% or 10000", text));
}

bool exceeds(const FailLimit& limit, int64_t base, int64_t head) {
  if (head <= base) return false;
  const int64_t growth = checked_sub(head, base, "growth");
  if (!limit.in_percent) return growth > limit.count;
  return static_cast<long double>(growth) * 100 >
         static_cast<long double>(base) * static_cast<long double>(limit.percent);
}

}  // namespace icount
