#include <algorithm>
#include <limits>

#include "icount/callgrind/cost_lines.h"
#include "icount/callgrind/scanner.h"

// The part of CostLines that adds up plain lines in a row.
namespace icount {
namespace {

/// How many lines of this cost fit below `most` on top of `sum`, as far as anybody asks: that many lines are more than
/// a piece of a text has.
int64_t count_fitting(int64_t sum, uint64_t cost, int64_t most) {
  constexpr int64_t kPiece = int64_t{1} << 18;
  constexpr int64_t kFar = int64_t{1} << 62;  // from 0 to there fits a piece: a tail has twelve digits at most
  if (most - kFar >= sum || cost == 0) return kPiece;
  return std::min(kPiece, (most - sum) / static_cast<int64_t>(cost));
}

/// Lines from p on that repeat the tail: adds them to `cost` and `lines` and moves the base.
const char* add_repeats(const LineTail& tail, const char* p, const char* end, PlainLine& base, int64_t& cost,
                        int64_t& lines, int64_t most = std::numeric_limits<int64_t>::max()) {
  const LineTail::Repeats found = tail.find_repeats(p, end, count_fitting(cost, tail.cost(), most));
  if (found.lines == 0) return p;
  cost += found.lines * static_cast<int64_t>(tail.cost());
  lines += found.lines;
  base.first.position += found.steps;
  base.second.position = tail.second(base.second.position);
  return found.next;
}

/// The same for lines of one source line.
const char* add_equal_repeats(const LineTail& tail, const char* p, const char* end, int64_t most, PlainLine& base,
                              LineSum& sum) {
  const uint64_t number = tail.second(base.second.position);
  if (sum.lines > 0 && number != sum.line) return p;
  sum.line = number;
  return add_repeats(tail, p, end, base, sum.cost, sum.lines, most);
}

}  // namespace

template <size_t kKinds, bool kOneEvent>
const char* CostLines::add_lines(const char* p, const char* end, int64_t* sums, int64_t& lines) {
  constexpr bool kHasTails = kKinds == 2 && kOneEvent;
  LineTail tail = tail_;
  PlainLine base = at_positions(base_);
  int64_t sum = sums[0], count = 0;
  while (true) {
    if constexpr (kHasTails) p = add_repeats(tail, p, end, base, sum, count);
    if (end - p < kReach || !starts_cost_line(*p)) break;
    PlainLine line = base;
    const char* q = read_plain_line<kKinds>(p, base, line);
    int64_t new_sum;
    if (!q || __builtin_add_overflow(sum, static_cast<int64_t>(line.cost), &new_sum)) break;
    if (*q != '\n' && (kOneEvent || !(q = add_further_events(q, sums)))) break;
    sum = new_sum;
    base = line;
    p = q + 1;
    ++count;
    if constexpr (kHasTails) tail.remember(line.first.next - 1, p, line.cost);
  }
  tail_ = tail;
  sums[0] = sum;
  base_ = positions_of(base);
  lines += count;
  return p;
}

/// Costs behind the first, to the end of the line; all are read before any is added, so that a line counts as a whole.
const char* CostLines::add_further_events(const char* p, int64_t* sums) {
  size_t event = 1;
  uint64_t cost = 0;
  for (; event < costs_.size() && *p == ' '; ++event) {
    p = scan_digits(p + 1, cost);
    if (!p || __builtin_add_overflow(sums[event], static_cast<int64_t>(cost), &costs_[event])) return nullptr;
  }
  if (*p != '\n') return nullptr;
  std::copy_n(costs_.begin() + 1, event - 1, sums + 1);
  return p;
}

const char* CostLines::add_plain_lines(const char* p, const char* end, int64_t* sums, int64_t& lines) {
  if (is_far(base_)) return p;
  const bool one = costs_.size() == 1;
  switch (kinds_) {
    case 1:
      return one ? add_lines<1, true>(p, end, sums, lines) : add_lines<1, false>(p, end, sums, lines);
    case 2:
      return one ? add_lines<2, true>(p, end, sums, lines) : add_lines<2, false>(p, end, sums, lines);
    default:
      return add_lines<3, false>(p, end, sums, lines);
  }
}

template <size_t kKinds>
const char* CostLines::add_equal_lines(const char* p, const char* end, int64_t most, LineSum& sum) {
  LineTail tail = tail_;
  PlainLine base = at_positions(base_);
  while (true) {
    if constexpr (kKinds == 2) p = add_equal_repeats(tail, p, end, most, base, sum);
    if (end - p < kReach || !starts_cost_line(*p)) break;
    PlainLine line = base;
    const char* const q = read_plain_line<kKinds>(p, base, line);
    const uint64_t number = kKinds == 2 ? line.second.position : line.first.position;
    if (!q || *q != '\n' || (sum.lines > 0 && number != sum.line)) break;
    if (line.cost > static_cast<uint64_t>(most - sum.cost)) break;
    sum.cost += static_cast<int64_t>(line.cost);
    sum.line = number;
    base = line;
    p = q + 1;
    ++sum.lines;
    if constexpr (kKinds == 2) tail.remember(line.first.next - 1, p, line.cost);
  }
  tail_ = tail;
  base_ = positions_of(base);
  return p;
}

const char* CostLines::add_lines_of_one(const char* p, const char* end, int64_t so_far, LineSum& sum) {
  if (is_far(base_) || costs_.size() != 1 || line_at_ < 0 || negative_costs_) return p;
  const int64_t most = std::numeric_limits<int64_t>::max() - so_far;
  switch (kinds_) {
    case 1:
      return add_equal_lines<1>(p, end, most, sum);
    case 2:
      return add_equal_lines<2>(p, end, most, sum);
    default:
      return p;
  }
}

}  // namespace icount
