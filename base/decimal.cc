#include "icount/base/decimal.h"

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

constexpr int64_t kMostDigits = 400;

std::string_view take_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
  text.remove_prefix(digits.size());
  return digits;
}

bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

/// The power of ten behind "e"; nullopt for one that nobody writes.
std::optional<int64_t> parse_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  const auto exponent = parse_int64(text.substr(1));
  if (!exponent || *exponent < -kMostDigits || *exponent > kMostDigits) return std::nullopt;
  return exponent;
}

}  // namespace

Decimal::Decimal(int64_t value) : negative_(value < 0), whole_(std::to_string(value)) {
  if (negative_) whole_.erase(0, 1);
  normalize();
}

void Decimal::normalize() {
  whole_.erase(0, std::min(whole_.find_first_not_of('0'), whole_.size()));
  fraction_.erase(fraction_.find_last_not_of('0') + 1);
  if (whole_.empty() && fraction_.empty()) negative_ = false;
}

Decimal Decimal::doubled() const {
  Decimal twice = *this;
  int carry = 0;
  for (std::string* digits : {&twice.fraction_, &twice.whole_}) {
    for (size_t at = digits->size(); at-- > 0;) {
      const int sum = 2 * ((*digits)[at] - '0') + carry;
      (*digits)[at] = static_cast<char>('0' + sum % 10);
      carry = sum / 10;
    }
  }
  if (carry > 0) twice.whole_.insert(0, 1, '1');
  twice.normalize();
  return twice;
}

bool Decimal::is_less_than_ratio(__int128 dividend, int64_t divisor) const {
  ICOUNT_CHECK(divisor > 0, "a ratio to nothing");
  const bool ratio_negative = dividend < 0;
  if (negative_ != ratio_negative) return negative_;
  if (ratio_negative) dividend = -dividend;
  // Long division: the ratio's digits beside the number's, until two differ. Between negative numbers the one with the
  // larger digits is the smaller.
  std::string ratio_whole;
  for (__int128 rest = dividend / divisor; rest > 0; rest /= 10)
    ratio_whole.insert(0, 1, static_cast<char>('0' + static_cast<int>(rest % 10)));
  if (ratio_whole.size() != whole_.size()) return (ratio_whole.size() > whole_.size()) != negative_;
  if (ratio_whole != whole_) return (ratio_whole > whole_) != negative_;
  __int128 rest = dividend % divisor;
  for (const char digit : fraction_) {
    rest *= 10;
    const int ratio_digit = static_cast<int>(rest / divisor);
    if (ratio_digit != digit - '0') return (ratio_digit > digit - '0') != negative_;
    rest %= divisor;
  }
  return rest > 0 && !negative_;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal number;
  number.negative_ = take_sign(text);
  number.whole_ = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    number.fraction_ = take_digits(text);
  }
  if (number.whole_.empty() && number.fraction_.empty()) return std::nullopt;
  const auto exponent = parse_exponent(text);
  if (!exponent || number.whole_.size() + number.fraction_.size() > static_cast<size_t>(kMostDigits))
    return std::nullopt;
  for (int64_t left = *exponent; left > 0; --left) {
    number.whole_ += number.fraction_.empty() ? '0' : number.fraction_[0];
    if (!number.fraction_.empty()) number.fraction_.erase(0, 1);
  }
  for (int64_t left = *exponent; left < 0; ++left) {
    number.fraction_.insert(0, 1, number.whole_.empty() ? '0' : number.whole_.back());
    if (!number.whole_.empty()) number.whole_.pop_back();
  }
  number.normalize();
  return number;
}

std::string to_text(const Decimal& number) {
  return std::string(number.negative_ ? "-" : "") + (number.whole_.empty() ? "0" : number.whole_) +
         (number.fraction_.empty() ? "" : ".") + number.fraction_;
}

}  // namespace icount
