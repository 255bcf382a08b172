// Rational terms to whole numbers that still add up: the largest remainder method, made antisymmetric.
// Used by the explaining diff (docs/explaining_diff.md, "Integers").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace icount {

struct RoundedTerms {
  std::vector<int64_t> whole;  ///< next to each term; with `rest` they add up to the total
  int64_t rest = 0;            ///< 0 unless the terms miss the total by more than floating-point residue
};

/// Indices by magnitude, the largest first; of equals the first, where those that differ in the last bits are equal:
/// these depend on which side is the base. A total order, if the values come in one that does not.
std::vector<uint32_t> by_magnitude(std::span<const long double> values);

/// `order` holds every index once, most important first; it settles ties between equal remainders and takes up residue.
/// Negating all terms and the total negates the result and changes nothing else.
RoundedTerms round_to_total(std::span<const long double> terms, int64_t total, std::span<const uint32_t> order);

}  // namespace icount
