#include "icount/callgrind/scanner.h"

#include <limits>

namespace icount {
std::string_view token_at(const char* p) {
  const char* q = p;
  while (!is_blank(*q) && !at_line_end(q)) ++q;
  return {p, static_cast<size_t>(q - p)};
}

Scan scan_odd_number(const char*& p, uint64_t& value) {
  const bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
  const char* const first = hex ? p + 2 : p;
  const unsigned radix = hex ? 16 : 10;
  const char* q = first;
  while (*q == '0') ++q;
  const char* const significant = q;
  __uint128_t number = 0;  // holds 20 decimal or 32 hex digits
  for (unsigned digit; (digit = kHexDigits[static_cast<unsigned char>(*q)]) < radix; ++q)
    number = number * radix + digit;
  if (q == first || !(is_blank(*q) || at_line_end(q))) return Scan::kNone;
  if (q - significant > 20 || number > std::numeric_limits<uint64_t>::max()) return Scan::kTooLarge;
  p = q;
  value = static_cast<uint64_t>(number);
  return Scan::kNumber;
}

}  // namespace icount
