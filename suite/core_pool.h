// The cores that benchmarks may be pinned to, handed out as contiguous ranges. Used for wall times (suite/batch.h),
// which must not share a core; instruction counts don't mind.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace icount {

/// Cores first..last, both included.
struct CoreRange {
  int first = 0;
  int last = 0;
  int size() const { return last - first + 1; }
  bool operator==(const CoreRange&) const = default;
};

/// "3", or "0-3": what taskset and GOMP_CPU_AFFINITY take.
std::string to_text(const CoreRange& range);

class CorePool {
 public:
  /// The cores of `range`, all free. Works from one core on.
  explicit CorePool(const CoreRange& range);

  int size() const { return range_.size(); }
  /// The first free run of `cores` neighbours; nullopt when there is none now. Error{kUsage} when the whole pool is
  /// smaller: waiting would never end.
  std::optional<CoreRange> reserve(int cores);
  /// Gives back what reserve() handed out.
  void release(const CoreRange& range);

 private:
  CoreRange range_;
  std::vector<bool> taken_;
};

}  // namespace icount
