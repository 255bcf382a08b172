#include "icount/report/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "icount/base/text.h"

namespace icount {
namespace {

// Further digits tell nobody anything: at most so many to tell two quantities apart, at most so many decimals.
constexpr int kMostDigits = 4, kMostDecimals = 12;

std::string decimal(long double value, int digits) {
  const auto whole = static_cast<int64_t>(std::clamp(std::floor(std::abs(value)), 0.0L, 9.2e18L));
  std::string text =
      fmt::format("{:.{}f}", static_cast<double>(std::abs(value) - static_cast<long double>(whole)), digits);
  const bool carried = text[0] == '1';
  text = with_thousands(whole + carried) + text.substr(1);
  if (digits > 0) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return value < 0 ? "-" + text : text;
}

/// Decimals that bring a quantity within half a percent.
int digits_needed(long double value) {
  long double scale = 1;
  for (int digits = 0; digits < kMostDecimals; ++digits, scale *= 10)
    if (std::abs(std::round(value * scale) / scale - value) <= std::abs(value) * 0.005L) return digits;
  return kMostDecimals;
}

long double rounded(long double value, int digits) {
  const long double scale = std::pow(10.0L, digits);
  return std::nearbyint(value * scale) / scale;
}

/// Whether a reader who subtracts the rounded quantities is further off than by this part of the difference.
constexpr long double kOff = 0.03L;
bool misses_difference(long double before, long double after, int digits_before, int digits_after) {
  const long double difference = rounded(after, digits_after) - rounded(before, digits_before);
  return std::abs(difference - (after - before)) > kOff * std::abs(after - before);
}

}  // namespace

bool is_whole(long double value) {
  return std::abs(value) < 1e15L && value == static_cast<long double>(static_cast<int64_t>(value));
}

std::pair<std::string, std::string> quantities(long double before, long double after) {
  if (is_whole(before) && is_whole(after))
    return {with_thousands(static_cast<int64_t>(before)), with_thousands(static_cast<int64_t>(after))};
  const int digits_before = digits_needed(before), digits_after = digits_needed(after);
  int more = 0;
  while (more < kMostDigits && misses_difference(before, after, digits_before + more, digits_after + more)) ++more;
  return {decimal(before, digits_before + more), decimal(after, digits_after + more)};
}

std::string times(const std::string& count) { return count == "1" ? "once" : count + " times"; }

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
  if (std::max(base, head) <= 1 + 1e-9L) {
    const std::string before = percent_text(base), after = percent_text(head);
    return fmt::format("{} of the time{}", after, before == after ? std::string() : ", was " + before);
  }
  const auto [before, after] = quantities(base, head);
  return fmt::format("{} per {}, was {}", times_text(after), per, before);
}

}  // namespace icount
