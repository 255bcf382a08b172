// One line's numbers, blanks and words, byte by byte. Every function works inside text whose last byte is LF and stops
// at an LF at the latest, so that none of them can run past the end. The lowest step of parser.h.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace icount {

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// First byte after blanks and tabs.
inline const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

/// At LF, or at the one CR that may stand before it.
inline bool at_line_end(const char* p) { return *p == '\n' || (*p == '\r' && p[1] == '\n'); }

/// The LF that ends p's line; `end` is one past the text, whose last byte is LF.
inline const char* find_line_end(const char* p, const char* end) {
  return static_cast<const char*>(std::memchr(p, '\n', static_cast<size_t>(end - p)));
}

/// The line behind an empty line at p; nullptr when p's line is none.
inline const char* skip_empty_line(const char* p) {
  if (*p == '\n') return p + 1;
  return *p == '\r' && p[1] == '\n' ? p + 2 : nullptr;
}

/// At least `bytes` of the text from p on, to the end of a line.
inline std::string_view take_lines(const char* p, const char* end, size_t bytes) {
  const size_t left = static_cast<size_t>(end - p);
  return {p, bytes >= left ? left : static_cast<size_t>(find_line_end(p + bytes, end) + 1 - p)};
}

/// From p to `line_end`, without the CR before it.
inline std::string_view line_text(const char* p, const char* line_end) {
  if (line_end != p && line_end[-1] == '\r') --line_end;
  return {p, static_cast<size_t>(line_end - p)};
}

/// From p to the next blank or the end of the line; empty at the end of the line.
std::string_view token_at(const char* p);

/// Whether a line can only be a cost line: it begins with a digit, '+', '-' or '*'.
inline bool starts_cost_line(char c) { return is_digit(c) || c == '+' || c == '-' || c == '*'; }

enum class Scan {
  kNumber,    ///< read, and a blank or the end of the line follows
  kNone,      ///< no number stands here
  kTooLarge,  ///< above 2^64 - 1
};

/// One to 18 decimal digits, whatever follows: the common case of the hot path. What is behind them, or nullptr.
inline const char* scan_digits(const char* p, uint64_t& value) {
  const char* q = p;
  uint64_t number = 0;
  for (uint64_t d; (d = static_cast<uint64_t>(*q) - '0') < 10; ++q) number = number * 10 + d;
  value = number;
  // No digit wraps around; a number of more has overflown harmlessly.
  return static_cast<size_t>(q - p) - 1 < 18 ? q : nullptr;
}

/// scan_number for numbers of many digits and for what is none.
Scan scan_odd_number(const char*& p, uint64_t& value);

/// Value of each byte as a hex digit; kNoDigit for others.
inline constexpr uint8_t kNoDigit = 255;
inline constexpr std::array<uint8_t, 256> kHexDigits = [] {
  std::array<uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (uint8_t d = 0; d < 10; ++d) digits[static_cast<size_t>('0' + d)] = d;
  for (uint8_t d = 10; d < 16; ++d)
    digits[static_cast<size_t>('a' + d - 10)] = digits[static_cast<size_t>('A' + d - 10)] = d;
  return digits;
}();

/// One to 16 hex digits, whatever follows. What is behind them, or nullptr.
inline const char* scan_hex_digits(const char* p, uint64_t& value) {
  const char* q = p;
  uint64_t number = 0;
  for (uint8_t d; (d = kHexDigits[static_cast<unsigned char>(*q)]) != kNoDigit; ++q) number = number << 4 | d;
  value = number;
  return static_cast<size_t>(q - p) - 1 < 16 ? q : nullptr;
}

/// Decimal digits or 0x and hex digits, as one whole token. Moves p behind it only for kNumber.
inline Scan scan_number(const char*& p, uint64_t& value) {
  const char* const q = p[0] == '0' && p[1] == 'x' ? scan_hex_digits(p + 2, value) : scan_digits(p, value);
  if (!q || !(is_blank(*q) || at_line_end(q))) return scan_odd_number(p, value);
  p = q;
  return Scan::kNumber;
}

}  // namespace icount
