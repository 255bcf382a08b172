#include "callgrind/line_block.h"

#include <bit>
#include <cstddef>
#include <initializer_list>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace icount {

#if defined(__x86_64__)
namespace {

#define ICOUNT_WIDE __attribute__((target("avx512f,avx512bw")))

constexpr std::ptrdiff_t kBlockBytes = 64;

/// What 64 bytes are, one bit each, the first byte lowest.
struct ByteKinds {
  uint64_t ends, blanks, digits, plus, minus, stars;
};

ICOUNT_WIDE inline ByteKinds kinds_of(__m512i bytes, __m512i values) {
  return {_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\n')), _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' ')),
          _mm512_cmplt_epu8_mask(values, _mm512_set1_epi8(10)),  _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('+')),
          _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('-')),  _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('*'))};
}

/// The tokens of one column of all lines.
struct Column {
  uint64_t digits = 0;  ///< their digits
  uint64_t behind = 0;  ///< the byte behind each token
  uint64_t minus = 0;   ///< digits of steps down
};

/// Numbers whose first digits are `firsts`: the carry of an addition runs through the digits of each.
inline Column numbers_from(uint64_t firsts, uint64_t digits) {
  const uint64_t carried = digits + firsts;
  return {(carried ^ digits) & digits, carried & ~digits, 0};
}

/// Positions that begin at `starts`: "+12", "-12", "12" or "*".
inline Column positions_from(uint64_t starts, const ByteKinds& is) {
  const uint64_t signs = starts & (is.plus | is.minus);
  Column column = numbers_from(signs << 1 | (starts & is.digits), is.digits);
  column.behind |= (starts & is.stars) << 1;
  column.minus = numbers_from((starts & is.minus) << 1, is.digits).digits;
  return column;
}

/// The plain lines that a block begins with, as bits.
struct PlainLines {
  Column first, second, cost;
  uint64_t ends = 0;         ///< their LFs
  bool is_absolute = false;  ///< second positions are no steps
  bool is_plain = false;     ///< nothing odd stands behind them
};

/// Which lines are "POSITION BLANK POSITION BLANK COST LF", the first position a step.
inline PlainLines find_plain_lines(const ByteKinds& is) {
  const uint64_t starts = is.ends << 1 | 1, marks = is.plus | is.minus | is.stars, signs = is.plus | is.minus;
  PlainLines found;
  found.first = positions_from(starts & marks, is);
  const uint64_t seconds = found.first.behind << 1;
  found.second = positions_from(seconds, is);
  found.cost = numbers_from(found.second.behind << 1 & is.digits, is.digits);
  // The columns say what each byte must be; the first byte that is something else ends the plain lines.
  const uint64_t expected = ((starts | seconds) & marks) | found.first.digits | found.second.digits | found.cost.digits |
                            found.first.behind | found.second.behind | found.cost.behind;
  uint64_t odd = ~expected | ((found.first.behind | found.second.behind) & ~is.blanks) | (found.cost.behind & ~is.ends);
  odd |= (starts & ~marks) | (((starts | seconds) & signs) << 1 & ~is.digits);
  odd |= seconds & ~(marks | is.digits);
  // Numbers of seven digits and more.
  const uint64_t two = is.digits & is.digits << 1, four = two & two << 2;
  odd |= four & two << 4 & is.digits << 6;
  // All second positions must be of the sort of the first one.
  found.is_absolute = (seconds & (~seconds + 1) & is.digits) != 0;
  odd |= seconds & (found.is_absolute ? marks : is.digits);

  const uint64_t lowest_odd = odd & (~odd + 1);
  found.is_plain = odd == 0;
  found.ends = is.ends & (lowest_odd - 1);
  const uint64_t taken = found.ends == 0 ? 0 : ~uint64_t{0} >> std::countl_zero(found.ends);
  for (Column* column : {&found.first, &found.second, &found.cost}) {
    column->digits &= taken;
    column->minus &= taken;
  }
  return found;
}

/// The sum of the numbers of up to six digits that are at `digits` and end before `behind`.
ICOUNT_WIDE inline uint32_t sum_of(__m512i values, uint64_t digits, uint64_t behind) {
  const __m512i one = _mm512_set1_epi8(1), ten = _mm512_set1_epi8(10), hundred = _mm512_set1_epi8(100);
  uint64_t place = behind >> 1 & digits;
  const auto next_place = [&] { return place = place >> 1 & digits; };
  __m512i low = _mm512_maskz_mov_epi8(place, one);
  low = _mm512_mask_mov_epi8(low, next_place(), ten);
  low = _mm512_mask_mov_epi8(low, next_place(), hundred);
  __m512i high = _mm512_maskz_mov_epi8(next_place(), one);
  high = _mm512_mask_mov_epi8(high, next_place(), ten);
  high = _mm512_mask_mov_epi8(high, next_place(), hundred);
  // Per pair of bytes, then per pair of pairs, the thousands times 1000.
  const __m512i low_sums = _mm512_madd_epi16(_mm512_maddubs_epi16(values, low), _mm512_set1_epi16(1));
  const __m512i high_sums = _mm512_madd_epi16(_mm512_maddubs_epi16(values, high), _mm512_set1_epi16(1000));
  return static_cast<uint32_t>(_mm512_reduce_add_epi32(_mm512_add_epi32(low_sums, high_sums)));
}

/// Moves a position by the steps of a column. False where a step might go below 0; each line must then be looked at.
ICOUNT_WIDE inline bool add_steps(__m512i values, const Column& column, uint64_t& position) {
  uint64_t down = 0;
  if (column.minus != 0) down = sum_of(values, column.minus, column.behind);
  if (down > position) return false;
  position += sum_of(values, column.digits & ~column.minus, column.behind) - down;
  return true;
}

ICOUNT_WIDE inline uint64_t last_number(const Column& column, __m512i values, uint64_t ends) {
  const uint64_t last_line = ends & (ends - 1) ? ends & ~(uint64_t{1} << (63 - std::countl_zero(ends))) : 0;
  const uint64_t before = last_line == 0 ? 0 : ~uint64_t{0} >> std::countl_zero(last_line);
  return sum_of(values, column.digits & ~before, column.behind & ~before);
}

}  // namespace

bool has_line_blocks() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  return has;
}

ICOUNT_WIDE const char* add_line_blocks(const char* p, const char* end, LineSums& sums) {
  while (end - p >= kBlockBytes) {
    const __m512i bytes = _mm512_loadu_si512(p);
    const __m512i values = _mm512_sub_epi8(bytes, _mm512_set1_epi8('0'));
    const PlainLines lines = find_plain_lines(kinds_of(bytes, values));
    if (lines.ends == 0) break;
    LineSums next = sums;
    if (__builtin_add_overflow(next.cost, static_cast<int64_t>(sum_of(values, lines.cost.digits, lines.cost.behind)), &next.cost)) break;
    if (!add_steps(values, lines.first, next.first)) break;
    if (lines.is_absolute) {
      next.second = last_number(lines.second, values, lines.ends);
    } else if (!add_steps(values, lines.second, next.second)) {
      break;
    }
    next.lines += std::popcount(lines.ends);
    sums = next;
    p += 64 - std::countl_zero(lines.ends);
    if (!lines.is_plain) break;
  }
  return p;
}

#else

bool has_line_blocks() { return false; }
const char* add_line_blocks(const char* p, const char*, LineSums&) { return p; }

#endif

}  // namespace icount
