// Rows of the most common cost line, "+3 0 17" or "+3 * 17" with one event, 64 bytes at a time: where lines end is
// known before any is read, so that the processor reads several at once, and their costs are added up digit by digit.
// The innermost step of cost_lines.cc; whatever it does not know it leaves to plain_line.h.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "icount/callgrind/plain_line.h"

namespace icount {

inline constexpr std::ptrdiff_t kWindow = 64;
/// Nearly all windows hold as many. Always taking the same number, not all there are, makes the loop foreseeable.
inline constexpr int kLinesPerWindow = 7;

/// Bit i: p[i] is LF, for 64 bytes.
inline uint64_t find_line_ends(const char* p) {
  uint64_t ends = 0;
#ifdef __SSE2__
  const __m128i lf = _mm_set1_epi8('\n');
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
    ends |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, lf)))) << (16 * i);
  }
#else
  for (int i = 0; i < kWindow; ++i) ends |= static_cast<uint64_t>(p[i] == '\n') << i;
#endif
  return ends;
}

/// Up to seven digits per number, added up byte by byte: the last digit of each in the highest byte. 28 numbers fit.
class DigitSums {
 public:
  /// `count` (1 to 7) bytes of `bytes`, its lowest ones, as '0' to '9' become 0 to 9 by an XOR. False when one is no
  /// digit.
  bool add(uint64_t bytes, size_t count) {
    const uint64_t digits = (bytes ^ 0x3030303030303030) << (64 - 8 * count);
    if (((digits + 0x7676767676767676) | digits) & 0x8080808080808080) return false;
    sums_ += digits;
    return true;
  }
  int64_t total() const {
    constexpr uint64_t kBytes = 0x00FF00FF00FF00FF;
    const uint64_t pairs =
        (sums_ & kBytes) * 10 + (sums_ >> 8 & kBytes);  // four fields of 16 bits, from the thousands' down to the ones'
    return static_cast<int64_t>((pairs & 0xFFFF) * 1'000'000 + (pairs >> 16 & 0xFFFF) * 10'000 +
                                (pairs >> 32 & 0xFFFF) * 100 + (pairs >> 48));
  }

 private:
  uint64_t sums_ = 0;
};

/// Lines read in a row, what they cost and where they end.
struct LineRun {
  PlainLine base;
  int64_t sum = 0, lines = 0;
};

/// Reads the line of `length` bytes at p if it is of the commonest form.
inline bool add_common_line(const char* p, size_t length, LineRun& run, DigitSums& sums) {
  constexpr size_t kHead = 5, kMostDigits = 7;
  const size_t digits = length - kHead;
  if (digits - 1 >= kMostDigits) return false;
  PlainLine base = run.base;
  if (!add_common_pair(p, base) || !sums.add(load_eight(p + kHead), digits)) return false;
  run.base = base;
  return true;
}

/// Reads lines from p on into `run`, as many as are plain, while a window and kReach bytes are left before `end`;
/// returns the first line not read. Costs are added while the sum fits into int64.
inline const char* add_common_lines(const char* p, const char* end, LineRun& run) {
  while (end - p >= kWindow + kReach) {
    LineRun next = run;
    DigitSums sums;
    const char* line = p;
    uint64_t ends = find_line_ends(p);
    bool more = true;
    for (int left = kLinesPerWindow; left > 0 && ends != 0; --left, ends &= ends - 1) {
      const char* const line_end = p + std::countr_zero(ends);
      if (!add_common_line(line, static_cast<size_t>(line_end - line), next, sums)) {
        PlainLine odd = next.base;
        if (!starts_cost_line(*line) || read_plain_line<2>(line, next.base, odd) != line_end) {
          more = false;
          break;
        }
        if (__builtin_add_overflow(next.sum, static_cast<int64_t>(odd.cost), &next.sum)) return p;
        next.base = odd;
      }
      ++next.lines;
      line = line_end + 1;
    }
    if (line == p || __builtin_add_overflow(next.sum, sums.total(), &next.sum)) return p;
    run = next;
    p = line;
    if (!more) return p;
  }
  return p;
}

}  // namespace icount
