#include "icount/callgrind/cost_lines.h"

#include <fmt/format.h>

#include <limits>

#include "icount/callgrind/plain_line.h"
#include "icount/callgrind/scanner.h"

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
