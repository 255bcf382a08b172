// One line's numbers, blanks and words, byte by byte. Every function works inside text whose last byte is LF and stops
// at an LF at the latest, so that none of them can run past the end. The lowest step of parser.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
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

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace icount {

// The plain cost line, "+3 * 17": nine of ten lines of a profile, read without a check that they do not need.
// Everything odd is reported as not plain and goes through CostLines::read_exact_line. Inline, since cost_lines.cc is
// built around it.

/// A position and where the next number begins (nullptr: not plain). Passed by value so that both stay in registers.
struct PlainPosition {
  const char* next;
  uint64_t position;
};

/// The positions and the first cost of a plain line.
struct PlainLine {
  PlainPosition first, second, third;
  uint64_t cost = 0;
};

/// A position in each kind that the part has, in the order of the numbers: instr, bb, line.
using Positions = std::array<uint64_t, 3>;

inline PlainLine at_positions(const Positions& at) { return {{nullptr, at[0]}, {nullptr, at[1]}, {nullptr, at[2]}, 0}; }
inline Positions positions_of(const PlainLine& line) {
  return {line.first.position, line.second.position, line.third.position};
}

/// The longest plain position, and what three of them and the first bytes of a cost take: the fast loop looks that far
/// without asking for the end. Lines closer to it go through read_exact_line.
inline constexpr std::ptrdiff_t kLongestPosition = 20;
inline constexpr std::ptrdiff_t kReach = 3 * (kLongestPosition + 1) + static_cast<std::ptrdiff_t>(sizeof(uint64_t));

/// From here on a relative position might wrap around; such lines are left to read_exact_line. (Steps of one digit do
/// not get from here to 2^64.)
inline constexpr uint64_t kFarPosition = uint64_t{1} << 62;
inline bool is_far(const Positions& at) { return (at[0] | at[1] | at[2]) >= kFarPosition; }

/// "+n ", "-n ", "n " or "0xn " with more than one digit.
[[gnu::noinline]] inline PlainPosition add_longer_position(const char* p, uint64_t base) {
  const char* const first = p;
  const char sign = *p;
  if (sign == '+' || sign == '-') ++p;
  uint64_t number = 0;
  if (!is_digit(*p) || scan_number(p, number) != Scan::kNumber || *p != ' ' || p - first > kLongestPosition)
    return {nullptr, 0};
  if (sign == '-') return number > base ? PlainPosition{nullptr, 0} : PlainPosition{p + 1, base - number};
  const uint64_t position = sign == '+' ? base + number : number;
  return position < kFarPosition ? PlainPosition{p + 1, position} : PlainPosition{nullptr, 0};
}

/// One plain position and the one blank behind it. "+7 ", "* " and "0 " are nine of ten.
inline PlainPosition add_plain_position(const char* p, uint64_t base) {
  const auto digit = static_cast<unsigned char>(p[1] - '0');
  if (p[2] == ' ' && digit < 10) {
    if (p[0] == '+') return {p + 3, base + digit};
    if (p[0] == '-' && digit <= base) return {p + 3, base - digit};
  }
  if (p[1] == ' ') {
    const auto absolute = static_cast<unsigned char>(p[0] - '0');
    if (absolute < 10) return {p + 2, absolute};
    if (p[0] == '*') return {p + 2, base};
  }
  return add_longer_position(p, base);
}

/// The eight bytes at p, the first one lowest.
inline uint64_t load_eight(const char* p) {
  uint64_t bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  return bytes;
}

/// One to 18 digits; no branch depends on how many they are up to seven. Looks at eight bytes. What is behind them, or
/// nullptr.
inline const char* scan_cost(const char* p, uint64_t& value) {
  if constexpr (std::endian::native != std::endian::little) return scan_digits(p, value);
  const uint64_t digits = load_eight(p) ^ 0x3030303030303030;  // '0' to '9' become 0 to 9
  const uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
  if (others == 0) return scan_digits(p, value);                           // eight or more
  const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;  // only the lowest mark is exact, by carries
  if (count == 0) return nullptr;
  // Up to seven digits: the last one in the highest byte, zeros below the first; then pairs, then all pairs by their
  // weights.
  const uint64_t seven = digits << (64 - 8 * count);
  const uint64_t pairs = seven * 10 + (seven >> 8);
  constexpr uint64_t kEveryFourth = 0x000000FF000000FF, kFirstAndThird = 100 + (uint64_t{1000000} << 32),
                     kOthers = 1 + (uint64_t{10000} << 32);
  value = ((pairs & kEveryFourth) * kFirstAndThird + (pairs >> 16 & kEveryFourth) * kOthers) >> 32;
  return p + count;
}

/// "+7 * " and "+7 0 ", with which nine of ten lines with addresses begin: one comparison for three bytes. Moves both
/// positions and returns what follows, or nullptr. Looks at eight bytes.
inline const char* add_common_pair(const char* p, PlainLine& line) {
  if constexpr (std::endian::native != std::endian::little) return nullptr;
  const uint64_t bytes = load_eight(p);
  constexpr uint64_t kFrame = uint64_t{'+'} | uint64_t{' '} << 16 | uint64_t{' '} << 32;
  if ((bytes & 0x000000FF00FF00FF) != kFrame) return nullptr;
  const auto step = static_cast<unsigned char>((bytes >> 8) - '0');
  const auto second = static_cast<unsigned char>((bytes >> 24) - '0');
  if (step >= 10) return nullptr;
  if (second < 10) {
    line.second.position = second;
  } else if (second != static_cast<unsigned char>('*' - '0')) {
    return nullptr;
  }
  line.first = {p + 3, line.first.position + step};
  return p + 5;
}

/// Up to three plain positions against `base`, which `line` must equal. What follows them, or nullptr.
template <size_t kKinds>
inline const char* read_plain_positions(const char* p, const PlainLine& base, PlainLine& line) {
  if constexpr (kKinds == 2)
    if (const char* next = add_common_pair(p, line)) return next;
  line.first = add_plain_position(p, base.first.position);
  const char* next = line.first.next;
  if constexpr (kKinds > 1) {
    if (!next) return nullptr;
    line.second = add_plain_position(next, base.second.position);
    next = line.second.next;
  }
  if constexpr (kKinds > 2) {
    if (!next) return nullptr;
    line.third = add_plain_position(next, base.third.position);
    next = line.third.next;
  }
  return next;
}

/// Positions and first cost of the line at p, against `base`. What follows the cost, or nullptr.
template <size_t kKinds>
inline const char* read_plain_line(const char* p, const PlainLine& base, PlainLine& line) {
  const char* const next = read_plain_positions<kKinds>(p, base, line);
  return next ? scan_cost(next, line.cost) : nullptr;
}

/// The number of hex digits that p begins with, among 16 bytes.
inline int count_hex_digits(const char* p) {
#ifdef __SSE2__
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i decimal = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
  const __m128i letter = _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));  // of both cases
  const __m128i is_decimal = _mm_cmpeq_epi8(_mm_min_epu8(decimal, _mm_set1_epi8(9)), decimal);
  const __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
  return std::countr_one(static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(is_decimal, is_letter))));
#else
  int count = 0;
  while (count < 16 && kHexDigits[static_cast<unsigned char>(p[count])] != kNoDigit) ++count;
  return count;
#endif
}

/// Goes over the two commonest forms of a pair of positions: "+7 0 " or "* 0 ", "*" in place of "0" too. What follows,
/// or nullptr.
inline const char* skip_common_pair(const char* p) {
  const char* const second = *p == '+' && is_digit(p[1]) ? p + 3 : p + 2;
  const bool plain =
      (second == p + 3 || *p == '*') && second[-1] == ' ' && (is_digit(*second) || *second == '*') && second[1] == ' ';
  return plain ? second + 2 : nullptr;
}

/// Goes over the target of most calls: "0x401136 12 ". What follows, or nullptr. Looks at kReach bytes at most.
inline const char* skip_common_target(const char* p) {
  if (p[0] != '0' || p[1] != 'x') return nullptr;
  const int digits = count_hex_digits(p + 2);
  p += 2 + digits;
  uint64_t ignored;
  if (digits == 0 || *p != ' ' || !(p = scan_digits(p + 1, ignored))) return nullptr;
  return *p == ' ' ? p + 1 : nullptr;
}

/// Goes over `kinds` plain numbers without a look at their values: positions that nobody needs. What follows them and a
/// blank, or nullptr for anything else and for steps back, which may be wrong. Stops at an LF.
inline const char* skip_plain_positions(const char* p, size_t kinds) {
  for (; kinds > 0; --kinds) {
    uint64_t ignored;
    if (*p == '*') {
      ++p;
    } else {
      if (*p == '+') ++p;
      p = p[0] == '0' && p[1] == 'x' ? scan_hex_digits(p + 2, ignored) : scan_digits(p, ignored);
      if (!p) return nullptr;
    }
    if (*p++ != ' ') return nullptr;
  }
  return p;
}

}  // namespace icount
