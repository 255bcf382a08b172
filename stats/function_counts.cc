#include "icount/stats/function_counts.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/stats/name_rules.h"

namespace icount {
namespace {

constexpr std::string_view kWhat = "a sum of function counts";

// Adds up by name while keeping the first-seen order, so that nothing depends on a hash.
class Accumulator {
 public:
  void add(std::string_view function, int64_t count) {
    auto [at, is_new] = index_.try_emplace(std::string(function), rows_.size());
    if (is_new)
      rows_.push_back({count, at->first});
    else
      rows_[at->second].count = checked_add(rows_[at->second].count, count, kWhat);
  }
  void replace(std::string_view function, int64_t count) {
    auto [at, is_new] = index_.try_emplace(std::string(function), rows_.size());
    if (is_new)
      rows_.push_back({count, at->first});
    else
      rows_[at->second].count = count;
  }
  FunctionCounts finish(bool inclusive) && {
    std::erase_if(rows_, [](const FunctionCount& row) { return row.count == 0; });
    return FunctionCounts::sorted(std::move(rows_), inclusive);
  }

 private:
  std::unordered_map<std::string, size_t> index_;
  std::vector<FunctionCount> rows_;
};

template <typename Product>
FunctionCounts scaled(const FunctionCounts& counts, EqualNames names, Product product) {
  Accumulator result;
  for (const FunctionCount& row : counts) {
    if (names == EqualNames::kAdded)
      result.add(row.function, product(row.count));
    else
      result.replace(row.function, product(row.count));
  }
  return std::move(result).finish(counts.inclusive());
}

void check_same_kind(const FunctionCounts& a, const FunctionCounts& b) {
  if (a.inclusive() != b.inclusive()) throw Error(ErrorKind::kUsage, "Cannot merge inclusive and exclusive counts.");
}

// Python's clipping of a slice end.
size_t clipped(std::optional<int64_t> at, size_t absent, size_t size) {
  if (!at) return absent;
  int64_t length = static_cast<int64_t>(size);
  int64_t from_start = *at < 0 ? std::max<int64_t>(*at + length, 0) : *at;
  return static_cast<size_t>(std::min(from_start, length));
}

}  // namespace

FunctionCounts FunctionCounts::sorted(std::vector<FunctionCount> rows, bool inclusive) {
  std::stable_sort(rows.begin(), rows.end(), std::greater<>());
  return FunctionCounts(std::move(rows), inclusive);
}

const FunctionCount& FunctionCounts::at(int64_t index) const {
  int64_t length = static_cast<int64_t>(size());
  int64_t row = index < 0 ? index + length : index;
  if (row < 0 || row >= length)
    throw Error(ErrorKind::kUsage,
                "FunctionCounts has " + std::to_string(length) + " rows, no row " + std::to_string(index));
  return rows_[row];
}

FunctionCounts FunctionCounts::slice(std::optional<int64_t> from, std::optional<int64_t> to) const {
  size_t first = clipped(from, 0, size());
  size_t last = std::max(first, clipped(to, size(), size()));
  return FunctionCounts({rows_.begin() + first, rows_.begin() + last}, inclusive_, false);
}

int64_t FunctionCounts::sum() const {
  int64_t total = 0;
  for (const FunctionCount& row : rows_) total = checked_add(total, row.count, kWhat);
  return total;
}

FunctionCounts FunctionCounts::filter(const std::function<bool(std::string_view)>& fits) const {
  std::vector<FunctionCount> kept;
  std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(kept),
               [&](const FunctionCount& row) { return fits(row.function); });
  return FunctionCounts(std::move(kept), inclusive_);
}

FunctionCounts FunctionCounts::transform(const std::function<std::string(std::string_view)>& rewrite) const {
  Accumulator result;
  for (const FunctionCount& row : rows_) result.add(rewrite(row.function), row.count);
  return std::move(result).finish(inclusive_);
}

FunctionCounts FunctionCounts::denoise() const {
  return filter([](std::string_view name) { return !is_pytorch_noise(name); });
}

FunctionCounts FunctionCounts::without_noise_groups() const {
  return filter([](std::string_view name) {
    CountedName parts = split_counted_name(name);
    return noise_group_of(parts.function, parts.object).empty();
  });
}

FunctionCounts FunctionCounts::times(int64_t factor, EqualNames names) const {
  return scaled(*this, names,
                [factor](int64_t count) { return checked_mul(count, factor, "a scaled function count"); });
}

FunctionCounts FunctionCounts::times(double factor, EqualNames names) const {
  return scaled(*this, names, [factor](int64_t count) {
    double product = std::trunc(static_cast<double>(count) * factor);
    if (!(product >= -0x1p63 && product < 0x1p63))
      throw Error(ErrorKind::kUsage, "function count " + std::to_string(count) + " times " + std::to_string(factor) +
                                         " is not a 64-bit count");
    return static_cast<int64_t>(product);
  });
}

FunctionCounts operator+(const FunctionCounts& a, const FunctionCounts& b) {
  check_same_kind(a, b);
  Accumulator result;
  for (const FunctionCount& row : a) result.add(row.function, row.count);
  for (const FunctionCount& row : b) result.add(row.function, row.count);
  return std::move(result).finish(a.inclusive());
}

FunctionCounts operator-(const FunctionCounts& a) { return a.times(int64_t{-1}); }

FunctionCounts operator-(const FunctionCounts& a, const FunctionCounts& b) {
  check_same_kind(a, b);
  Accumulator result;
  for (const FunctionCount& row : a) result.add(row.function, row.count);
  for (const FunctionCount& row : b) result.add(row.function, checked_sub(0, row.count, kWhat));
  return std::move(result).finish(a.inclusive());
}

}  // namespace icount
