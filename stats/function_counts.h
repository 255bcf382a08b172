// Counts per function as an ordered list, and the algebra on such lists: PyTorch's FunctionCount and
// FunctionCounts. CallgrindStats (stats/callgrind_stats.h) holds four of them; report/measurement_text.h prints
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// A count and the function it belongs to, usually "file:function [object]". Ordered by count, then by name.
struct FunctionCount {
  int64_t count = 0;
  std::string function;

  auto operator<=>(const FunctionCount&) const = default;
};

/// What operator* does with rows of equal name.
enum class EqualNames {
  kAdded,    ///< their scaled counts are added up, as every other operation does
  kLastWins  ///< PyTorch's: only the last row of a name is kept
};

/// An immutable list. Results of arithmetic and transform are in descending order (equal counts: names
/// descending), hold no zero and each name once. Every sum that leaves int64 is an Error{kMalformed}.
class FunctionCounts {
 public:
  FunctionCounts() = default;
  /// Keeps the rows in the given order, duplicates and zeros included.
  FunctionCounts(std::vector<FunctionCount> rows, bool inclusive, bool truncate_rows = true)
      : rows_(std::move(rows)), inclusive_(inclusive), truncate_rows_(truncate_rows) {}
  /// Rows brought into descending order; nothing is merged or dropped.
  static FunctionCounts sorted(std::vector<FunctionCount> rows, bool inclusive);

  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  const std::vector<FunctionCount>& rows() const { return rows_; }
  /// Whether counts include callees; such lists can't be mixed with exclusive ones.
  bool inclusive() const { return inclusive_; }
  /// Whether printing may leave out the middle of a long list; false for slices.
  bool truncate_rows() const { return truncate_rows_; }

  /// Row `index`; negative ones count from the end. Error{kUsage} outside the list.
  const FunctionCount& at(int64_t index) const;
  const FunctionCount& operator[](int64_t index) const { return at(index); }
  /// Rows from..to with Python's meaning of negative and absent ends.
  FunctionCounts slice(std::optional<int64_t> from, std::optional<int64_t> to) const;

  int64_t sum() const;
  /// Rows whose name fits, in their order.
  FunctionCounts filter(const std::function<bool(std::string_view)>& fits) const;
  /// Every name rewritten; rows whose names become equal are added up.
  FunctionCounts transform(const std::function<std::string(std::string_view)>& rewrite) const;
  /// Without CPython's dictionary look-up (dictobject.c:lookdict_unicode...), as PyTorch understands
  /// noise.
  FunctionCounts denoise() const;
  /// Without every function of a noise group (callgraph/noise_groups.h).
  FunctionCounts without_noise_groups() const;

  /// Each count times `factor`, exact.
  FunctionCounts times(int64_t factor, EqualNames names = EqualNames::kAdded) const;
  /// Each count as a double times `factor`, cut toward zero: digits beyond 2^53 are lost. Error{kUsage} when
  /// a product is no int64.
  FunctionCounts times(double factor, EqualNames names = EqualNames::kAdded) const;

  /// Order matters for equality: the same rows, the same flag `inclusive`.
  bool operator==(const FunctionCounts& other) const { return rows_ == other.rows_ && inclusive_ == other.inclusive_; }

 private:
  std::vector<FunctionCount> rows_;
  bool inclusive_ = false;
  bool truncate_rows_ = true;
};

/// Sum and difference per name. Error{kUsage} "Cannot merge inclusive and exclusive counts." when the flags
/// differ.
FunctionCounts operator+(const FunctionCounts& a, const FunctionCounts& b);
FunctionCounts operator-(const FunctionCounts& a, const FunctionCounts& b);
FunctionCounts operator-(const FunctionCounts& a);
inline FunctionCounts operator*(const FunctionCounts& a, int64_t factor) { return a.times(factor); }
inline FunctionCounts operator*(const FunctionCounts& a, int factor) { return a.times(int64_t{factor}); }
inline FunctionCounts operator*(const FunctionCounts& a, double factor) { return a.times(factor); }

}  // namespace icount
