// Arithmetic on counts: int64 with every overflow noticed. Sums over call edges count nested calls again and
// again and may exceed 64 bits in honest files; those saturate instead of failing.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace icount {

/// Throws Error{kMalformed, "WHAT overflows 64 bits"}.
[[noreturn]] void throw_overflow(std::string_view what);

/// a + b; Error{kMalformed} naming `what` when the sum leaves int64.
inline int64_t checked_add(int64_t a, int64_t b, std::string_view what) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]]
    throw_overflow(what);
  return sum;
}

/// a - b; Error{kMalformed} naming `what` when the difference leaves int64.
inline int64_t checked_sub(int64_t a, int64_t b, std::string_view what) {
  int64_t difference;
  if (__builtin_sub_overflow(a, b, &difference)) [[unlikely]]
    throw_overflow(what);
  return difference;
}

/// a * b; Error{kMalformed} naming `what` when the product leaves int64.
inline int64_t checked_mul(int64_t a, int64_t b, std::string_view what) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]]
    throw_overflow(what);
  return product;
}

/// a + b, held at the ends of int64.
inline int64_t saturating_add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]]
    return b > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
  return sum;
}

}  // namespace icount
