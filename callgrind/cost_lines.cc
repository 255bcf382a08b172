#include "callgrind/cost_lines.h"

#include <fmt/format.h>

#include <limits>

#include "callgrind/scanner.h"

namespace icount {
namespace {

[[noreturn]] void fail_number(const ParseReport& report, const char* p, Scan problem) {
  const std::string token = ParseReport::quote(token_at(p));
  report.fail(p, problem == Scan::kTooLarge ? fmt::format("number too large: '{}'", token)
                                            : fmt::format("not a number: '{}'", token));
}

/// One plain position and the one blank behind it: "+n ", "-n ", "* ", "n " or "0xn ". False for anything else.
inline bool add_plain_position(const char*& p, uint64_t& position) {
  const char sign = *p;
  uint64_t number = 0;
  if (sign == '+') {
    if (!scan_short_decimal(++p, number)) return false;
    position += number;  // a sum above 2^63 is not plain: checked below
  } else if (sign == '*') {
    ++p;
  } else if (sign == '-') {
    if (!scan_short_decimal(++p, number) || number > position) return false;
    position -= number;
  } else if (sign == '0' && p[1] == 'x') {
    if (scan_number(p, position) != Scan::kNumber) return false;
  } else {
    if (!scan_short_decimal(p, position)) return false;
  }
  return *p++ == ' ' && position < (uint64_t{1} << 63);
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
}

template <size_t kKinds>
const char* CostLines::add_lines(const char* p, const char* end, int64_t* sums, int64_t& lines) {
  const bool one_event = costs_.size() == 1;
  Positions base = base_;
  int64_t sum = sums[0];
  int64_t count = 0;
  while (p != end) {
    Positions next = base;
    const char* q = p;
    bool plain = add_plain_position(q, next[0]);
    if constexpr (kKinds > 1) plain = plain && add_plain_position(q, next[1]);
    if constexpr (kKinds > 2) plain = plain && add_plain_position(q, next[2]);
    uint64_t cost = 0;
    if (!plain || !scan_short_decimal(q, cost)) break;
    int64_t new_sum;
    if (__builtin_add_overflow(sum, static_cast<int64_t>(cost), &new_sum)) break;
    if (*q != '\n') {
      if (one_event) break;
      // Further events: all of them are read before any is added, so that a line counts as a whole or not at all.
      size_t event = 1;
      bool fits = true;
      for (; event < costs_.size() && *q == ' ' && scan_short_decimal(++q, cost); ++event)
        fits &= !__builtin_add_overflow(sums[event], static_cast<int64_t>(cost), &costs_[event]);
      if (*q != '\n' || !fits) break;
      for (size_t e = 1; e < event; ++e) sums[e] = costs_[e];
    }
    sum = new_sum;
    base = next;
    p = q + 1;
    ++count;
  }
  sums[0] = sum;
  base_ = base;
  lines += count;
  return p;
}

const char* CostLines::add_plain_lines(const char* p, const char* end, int64_t* sums, int64_t& lines) {
  switch (kinds_) {
    case 1: return add_lines<1>(p, end, sums, lines);
    case 2: return add_lines<2>(p, end, sums, lines);
    default: return add_lines<3>(p, end, sums, lines);
  }
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
      report_.fail(p, fmt::format("negative {} position: {} - {}; damaged, or written by the other of the two position rules",
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

const char* CostLines::read_line(const char* p) {
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
