// Which elements of one list are which of another, where both keep their order: lines of a function, functions without
// names, template arguments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace icount {

/// The pairs of places, ascending on both sides, whose likeness(base, head) has the highest sum; of equal sums the one
/// that pairs the earliest. A likeness of 0 makes no pair. Takes time and memory in the product of both lengths.
template <typename Likeness>
std::vector<std::pair<size_t, size_t>> align_in_order(size_t base, size_t head, const Likeness& likeness) {
  const size_t columns = head + 1;
  std::vector<double> best((base + 1) * columns, 0);
  for (size_t b = base; b-- > 0;)
    for (size_t h = head; h-- > 0;)
      best[b * columns + h] = std::max(
          {best[(b + 1) * columns + h], best[b * columns + h + 1], best[(b + 1) * columns + h + 1] + likeness(b, h)});
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t b = 0, h = 0; b < base && h < head;) {
    const double here = best[b * columns + h], alike = likeness(b, h);
    if (alike > 0 && here == best[(b + 1) * columns + h + 1] + alike)
      pairs.emplace_back(b++, h++);
    else
      ++(here == best[(b + 1) * columns + h] ? b : h);
  }
  return pairs;
}

/// By pair of numbers, ascending on both sides: whether those around it moved as far. Of others it is not certain that
/// they are one: something was put in or taken out between them and the next.
inline std::vector<bool> moved_along(const std::vector<std::pair<uint64_t, uint64_t>>& pairs) {
  const auto shift = [&](size_t i) { return pairs[i].second - pairs[i].first; };
  std::vector<bool> along(pairs.size(), true);
  for (size_t i = 0; i + 1 < pairs.size(); ++i)
    if (shift(i) != shift(i + 1)) along[i] = along[i + 1] = false;
  return along;
}

}  // namespace icount
