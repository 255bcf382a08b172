// Products of sizes: a few drawn dimensions easily pass 64 bits, and a wrapped product would slip under every
// limit.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace icount {

/// factor * values[0] * values[1] ...; held at the ends of int64 once it leaves them, except that a zero
/// anywhere gives 0.
inline int64_t saturating_product(const std::vector<int64_t>& values, int64_t factor) {
  for (const int64_t value : values)
    if (value == 0) return 0;
  int64_t product = factor;
  for (const int64_t value : values) {
    const bool negative = (product < 0) != (value < 0);
    if (__builtin_mul_overflow(product, value, &product))
      product = negative ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  }
  return product;
}

}  // namespace icount
