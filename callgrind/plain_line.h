// The plain cost line, "+3 * 17": nine of ten lines of a profile, read without a check that they do not need.
// Everything odd is reported as not plain and goes through CostLines::read_exact_line. Inline, since cost_lines.cc is
// built around it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "icount/callgrind/scanner.h"

namespace icount {

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
