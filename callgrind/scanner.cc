#include "callgrind/scanner.h"

namespace icount {
namespace {

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string_view token_at(const char* p) {
  const char* q = p;
  while (!is_blank(*q) && !at_line_end(q)) ++q;
  return {p, static_cast<size_t>(q - p)};
}

Scan scan_number(const char*& p, uint64_t& value) {
  const char* q = p;
  const bool hex = q[0] == '0' && (q[1] == 'x' || q[1] == 'X');
  if (hex) q += 2;
  const char* const first = q;
  const uint64_t radix = hex ? 16 : 10;
  uint64_t number = 0;
  bool too_large = false;
  for (int digit; (digit = hex_digit(*q)) >= 0 && static_cast<uint64_t>(digit) < radix; ++q) {
    too_large |= __builtin_mul_overflow(number, radix, &number);
    too_large |= __builtin_add_overflow(number, static_cast<uint64_t>(digit), &number);
  }
  if (q == first || !(is_blank(*q) || at_line_end(q))) return Scan::kNone;
  if (too_large) return Scan::kTooLarge;
  p = q;
  value = number;
  return Scan::kNumber;
}

}  // namespace icount
