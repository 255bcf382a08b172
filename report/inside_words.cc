#include "icount/report/inside_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "icount/base/text.h"
#include "icount/report/quantity_text.h"

namespace icount {

std::string times_text(const std::string& quantity) {
  return quantity == "1" ? "once" : quantity == "2" ? "twice" : quantity + " times";
}

std::string counts_text(long double base, long double head, std::string_view one, std::string_view many) {
  const auto b = static_cast<int64_t>(std::round(base)), h = static_cast<int64_t>(std::round(head));
  if (b != h) return fmt::format("{} {}, was {}", with_thousands(h), h == 1 ? one : many, with_thousands(b));
  return fmt::format("{} {}", with_thousands(h), h == 1 ? one : many);
}

std::string percent_text(long double share) {
  const auto percent = static_cast<double>(share * 100);
  int digits = 0;
  for (double scale = 1; digits < 3; ++digits, scale *= 10)
    if (std::abs(percent - std::round(percent * scale) / scale) <= 0.05 * std::min(percent, 100 - percent) + 1e-9)
      break;
  return fmt::format("{:.{}f} %", percent, digits);
}

std::string share_text(long double base, long double head, std::string_view per) {
  if (std::max(base, head) <= 1 + 1e-9L)
    return fmt::format("{} of the time, was {}", percent_text(head), percent_text(base));
  const auto [before, after] = quantities(base, head);
  return fmt::format("{} per {}, was {}", times_text(after), per, before);
}

}  // namespace icount
