// One line's numbers, blanks and words, byte by byte. Every function works inside text whose last byte is LF and stops
// at an LF at the latest, so that none of them can run past the end. The lowest step of parser.h.
#pragma once

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

/// Decimal digits or 0x and hex digits, as one whole token. Moves p behind it only for kNumber.
Scan scan_number(const char*& p, uint64_t& value);

/// At most 18 decimal digits, no more conditions: the common case of the hot path. False (p unmoved) for none or more.
inline bool scan_short_decimal(const char*& p, uint64_t& value) {
  const char* q = p;
  uint64_t number = 0;
  for (unsigned char d; (d = static_cast<unsigned char>(*q - '0')) < 10; ++q) number = number * 10 + d;
  const auto digits = static_cast<size_t>(q - p);
  if (digits - 1 >= 18) return false;  // none wraps around; a longer number has overflown harmlessly
  p = q;
  value = number;
  return true;
}

}  // namespace icount
