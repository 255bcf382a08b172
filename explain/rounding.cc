#include "icount/explain/rounding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace icount {
namespace {

// A term this little above a whole number is one: it was computed from whole numbers with a relative error near 1e-19.
constexpr long double kWhole = 1e-7L;
// Remainders are equal where they are as multiples of its inverse: what is computed from the other side's end differs
// in the last bits.
constexpr long double kSteps = 1 << 20;
constexpr long double kLargest = 4.6e18L;
constexpr int64_t kResidue = 16;

/// Largest remainder for a total that is not negative, or zero with the first term positive.
RoundedTerms round_upright(std::span<const long double> terms, int64_t total, std::span<const uint32_t> order) {
  RoundedTerms result;
  std::vector<int64_t>& whole = result.whole;
  whole.resize(terms.size());
  std::vector<long double> remainder(terms.size());
  __int128 missing = total;
  for (size_t i = 0; i < terms.size(); ++i) {
    const long double term = std::isnan(terms[i]) ? 0 : std::clamp(terms[i], -kLargest, kLargest);
    const long double down = std::floor(term);
    whole[i] = static_cast<int64_t>(down);
    remainder[i] = term - down;
    missing -= whole[i];
  }
  std::vector<uint32_t> by_remainder(order.begin(), order.end());
  const auto steps = [&](uint32_t i) { return std::llround(remainder[i] * kSteps); };
  std::stable_sort(by_remainder.begin(), by_remainder.end(),
                   [&](uint32_t a, uint32_t b) { return steps(a) > steps(b); });
  for (uint32_t i : by_remainder) {
    if (missing <= 0) break;
    if (remainder[i] < kWhole) break;
    ++whole[i];
    --missing;
  }
  // Residue of the arithmetic is a unit or two; it goes where it shows least. More than that is no residue.
  const bool residue = !order.empty() && missing >= -kResidue && missing <= kResidue;
  if (residue) {
    whole[order.front()] += static_cast<int64_t>(missing);
  } else {
    result.rest = static_cast<int64_t>(missing);
  }
  return result;
}

}  // namespace

std::vector<uint32_t> by_magnitude(std::span<const long double> values) {
  std::vector<uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto magnitude = [&](uint32_t i) { return static_cast<double>(std::abs(values[i])); };
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return magnitude(a) > magnitude(b); });
  return order;
}

RoundedTerms round_to_total(std::span<const long double> terms, int64_t total, std::span<const uint32_t> order) {
  bool negate = total < 0;
  if (total == 0) {
    const auto first = std::find_if(order.begin(), order.end(), [&](uint32_t i) { return terms[i] != 0; });
    negate = first != order.end() && terms[*first] < 0;
  }
  if (!negate) return round_upright(terms, total, order);
  std::vector<long double> negated(terms.begin(), terms.end());
  for (long double& term : negated) term = -term;
  RoundedTerms result = round_upright(negated, -total, order);
  for (int64_t& value : result.whole) value = -value;
  result.rest = -result.rest;
  return result;
}

}  // namespace icount
