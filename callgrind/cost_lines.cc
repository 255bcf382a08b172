#include "icount/callgrind/cost_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace icount {
namespace {

[[noreturn]] void fail_number(const ParseReport& report, const char* p, Scan problem) {
  const std::string token = ParseReport::quote(token_at(p));
  report.fail(p, problem == Scan::kTooLarge ? fmt::format("number too large: '{}'", token)
                                            : fmt::format("not a number: '{}'", token));
}

}  // namespace

void CostLines::start_part(const ProfilePart& part, bool negative_costs) {
  int next = 0;
  address_at_ = part.has_addresses ? next++ : -1;
  block_at_ = part.has_blocks ? next++ : -1;
  line_at_ = part.has_lines ? next++ : -1;
  kinds_ = static_cast<size_t>(next);
  negative_costs_ = negative_costs;
  base_ = positions_ = {};
  costs_.assign(part.events.size(), 0);
  tail_ = {};
}

std::string_view CostLines::kind_name(size_t kind) const {
  const int at = static_cast<int>(kind);
  return at == address_at_ ? "instr" : at == block_at_ ? "bb" : "line";
}

const char* CostLines::read_position(const char* p, size_t kind, uint64_t& position, bool exact) const {
  const char sign = *p;
  const char* q = p;
  if (sign == '*') {
    if (!is_blank(q[1]) && !at_line_end(q + 1)) fail_number(report_, p, Scan::kNone);
    position = base_[kind];
    return q + 1;
  }
  const bool relative = sign == '+' || sign == '-';
  if (relative && !is_digit(*++q)) fail_number(report_, p, Scan::kNone);
  uint64_t number = 0;
  const Scan scan = scan_number(q, number);
  if (scan != Scan::kNumber) fail_number(report_, p, scan);
  if (sign == '-') {
    if (number > base_[kind] && exact)
      report_.fail(
          p, fmt::format("negative {} position: {} - {}; damaged, or written by the other of the two position rules",
                         kind_name(kind), base_[kind], number));
    position = base_[kind] - number;
  } else if (__builtin_add_overflow(relative ? base_[kind] : 0, number, &position) && exact) {
    fail_number(report_, p, Scan::kTooLarge);
  }
  return q;
}

const char* CostLines::read_target(const char* p, Positions& target, bool exact) const {
  target = {};
  for (size_t kind = 0; kind < kinds_; ++kind) {
    p = skip_blanks(p);
    if (at_line_end(p)) return p;
    p = read_position(p, kind, target[kind], exact);
  }
  return p;
}

const char* CostLines::read_plain_target(const char* p, const char* end, Positions& target) const {
  if (kinds_ != 2 || end - p < kReach || *p != ' ' || is_far(base_)) return nullptr;
  const PlainLine base = at_positions(base_);
  PlainLine line = base;
  const char* const next = read_plain_positions<2>(p + 1, base, line);
  if (!next || *next != '\n') return nullptr;
  target = positions_of(line);
  return next + 1;
}

const char* CostLines::read_same_place(const char* p, const char* end) {
  if (kinds_ != 2 || end - p < kReach || p[0] != '*' || p[1] != ' ' || (p[2] != '*' && !is_digit(p[2]))) return nullptr;
  const char* const behind = p[3] == ' ' ? p + 4 : p + 3;  // Callgrind ends it with a blank
  if (*behind != '\n') return nullptr;
  positions_ = base_;
  if (p[2] != '*') positions_[1] = static_cast<uint64_t>(p[2] - '0');
  set_costs(0);
  return behind + 1;
}

const char* CostLines::skip_target(const char* p, const char* end, bool exact) const {
  if (kinds_ == 2 && *p == ' ' && end - p > kReach)
    if (const char* const next = skip_common_target(p + 1)) return next;
  if (const char* const next = *p == ' ' ? skip_plain_positions(p + 1, kinds_) : nullptr) return next;
  Positions ignored;
  return read_target(p, ignored, exact);
}

const char* CostLines::read_costs_only(const char* p, const char* end) {
  if (end - p < kReach || is_far(base_)) return read_exact_line(p);
  const char* next = kinds_ == 2 ? skip_common_pair(p) : nullptr;
  if (!next) next = skip_plain_positions(p, kinds_);
  uint64_t cost = 0;
  if (next && end - next >= kReach) next = scan_cost(next, cost);
  if (!next || *next != '\n') return read_exact_line(p);
  set_costs(cost);
  return next + 1;
}

void CostLines::set_costs(uint64_t first) {
  overflowing_event_ = costs_.size();
  costs_[0] = static_cast<int64_t>(first);
  for (size_t e = 1; e < costs_.size(); ++e) costs_[e] = 0;
}

/// One line's positions and cost, if they are plain; nullptr otherwise. Needs kReach bytes and a base that is not far.
const char* CostLines::read_plain(const char* p, PlainLine& line) const {
  const PlainLine base = line;
  switch (kinds_) {
    case 1:
      return read_plain_line<1>(p, base, line);
    case 2:
      return read_plain_line<2>(p, base, line);
    default:
      return read_plain_line<3>(p, base, line);
  }
}

int64_t CostLines::read_cost(const char*& p, size_t event) {
  const bool negative = negative_costs_ && *p == '-' && is_digit(p[1]);
  const char* q = negative ? p + 1 : p;
  uint64_t number = 0;
  if (*q == '.' && (is_blank(q[1]) || at_line_end(q + 1))) {
    p = q + 1;
    return 0;
  }
  const Scan scan = scan_number(q, number);
  if (scan != Scan::kNumber) fail_number(report_, p, scan);
  p = q;
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (number > kMost) {
    if (overflowing_event_ == costs_.size()) overflowing_event_ = event;
    number = kMost;
  }
  return negative ? -static_cast<int64_t>(number) : static_cast<int64_t>(number);
}

const char* CostLines::read_line(const char* p, const char* end) {
  if (end - p >= kReach && !is_far(base_)) {
    PlainLine line = at_positions(base_);
    const char* const next = read_plain(p, line);
    if (next && *next == '\n') {
      positions_ = positions_of(line);
      set_costs(line.cost);
      return next + 1;
    }
  }
  return read_exact_line(p);
}

const char* CostLines::read_exact_line(const char* p) {
  const char* const line = p;
  for (size_t kind = 0; kind < kinds_; ++kind) {
    p = skip_blanks(p);
    if (at_line_end(p)) report_.fail(line, fmt::format("expected {} positions", kinds_));
    p = read_position(p, kind, positions_[kind], true);
  }
  overflowing_event_ = costs_.size();
  size_t numbers = 0;
  for (p = skip_blanks(p); !at_line_end(p); p = skip_blanks(p), ++numbers) {
    if (numbers < costs_.size()) {
      costs_[numbers] = read_cost(p, numbers);
    } else {
      p += token_at(p).size();
    }
  }
  if (numbers > costs_.size()) report_.fail(line, fmt::format("{} costs for {} events", numbers, costs_.size()));
  for (size_t e = numbers; e < costs_.size(); ++e) costs_[e] = 0;
  return p + (*p == '\r' ? 2 : 1);
}

}  // namespace icount

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
