// A decimal number exactly as it was written. A limit of 0.3 % has no double: the nearest one is a little smaller, and
// a change of exactly 0.3 % would exceed it.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace icount {

/// Sign and digits, as many as were written. Equal numbers compare equal, however they were written.
class Decimal {
 public:
  Decimal() = default;
  explicit Decimal(int64_t value);

  bool is_negative() const { return negative_; }
  Decimal doubled() const;
  bool operator==(const Decimal&) const = default;

  /// Whether dividend / divisor is more than this number. Nothing is rounded. The divisor is above 0.
  bool is_less_than_ratio(__int128 dividend, int64_t divisor) const;

 private:
  friend std::optional<Decimal> parse_decimal(std::string_view text);
  friend std::string to_text(const Decimal& number);
  void normalize();

  bool negative_ = false;
  std::string whole_;     ///< digits in front of the point, without leading zeros; empty: 0
  std::string fraction_;  ///< digits behind it, without trailing zeros
};

/// "0.5", "-3", "+1.", ".5", "1e-3"; nullopt for anything else ("nan", " 1", hexadecimal) and for more digits than
/// anybody writes.
std::optional<Decimal> parse_decimal(std::string_view text);

/// "0.5", "-3": the shortest form without an exponent; parse_decimal reads it again.
std::string to_text(const Decimal& number);

}  // namespace icount
