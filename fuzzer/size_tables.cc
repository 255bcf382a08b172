#include "icount/fuzzer/size_tables.h"

#include <algorithm>
#include <cmath>

namespace icount {

std::vector<int64_t> regular_sizes(int64_t first, int64_t last) {
  std::vector<int64_t> sizes;
  for (int64_t two = 1; two <= last; two *= 2)
    for (int64_t three = two; three <= last; three *= 3)
      for (int64_t five = three; five <= last; five *= 5)
        if (five >= first) sizes.push_back(five);
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

std::vector<Distribution::Entry> equally_likely(const std::vector<int64_t>& values) {
  std::vector<Distribution::Entry> table;
  for (const int64_t value : values) table.emplace_back(value, 1.0 / static_cast<double>(values.size()));
  return table;
}

std::vector<Distribution::Entry> log_spread(const std::vector<int64_t>& values, int64_t last) {
  std::vector<Distribution::Entry> table;
  const double whole = std::log2(static_cast<double>(last + 1) / static_cast<double>(values.front()));
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t next = i + 1 < values.size() ? values[i + 1] : last + 1;
    table.emplace_back(values[i], std::log2(static_cast<double>(next) / static_cast<double>(values[i])) / whole);
  }
  return table;
}

}  // namespace icount
