#include "icount/suite/core_pool.h"

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {

std::string to_text(const CoreRange& range) {
  return range.first == range.last ? fmt::format("{}", range.first) : fmt::format("{}-{}", range.first, range.last);
}

CorePool::CorePool(const CoreRange& range) : range_(range), taken_(static_cast<size_t>(range.size())) {
  ICOUNT_CHECK(range.first >= 0 && range.last >= range.first, "a core pool needs a core");
}

std::optional<CoreRange> CorePool::reserve(int cores) {
  ICOUNT_CHECK(cores >= 1, "a reservation is of one core or more");
  if (cores > size()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} cores were asked for, but there are only cores {}", cores, to_text(range_)));
  }
  int free = 0;
  for (int i = 0; i < size(); ++i) {
    free = taken_[i] ? 0 : free + 1;
    if (free < cores) continue;
    for (int j = i - cores + 1; j <= i; ++j) taken_[j] = true;
    return CoreRange{range_.first + i - cores + 1, range_.first + i};
  }
  return std::nullopt;
}

void CorePool::release(const CoreRange& range) {
  for (int core = range.first; core <= range.last; ++core) {
    ICOUNT_CHECK(core >= range_.first && core <= range_.last && taken_[core - range_.first],
                 "released cores that were not reserved");
    taken_[core - range_.first] = false;
  }
}

}  // namespace icount
