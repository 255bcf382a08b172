#include "icount/report/report_limits.h"

#include <algorithm>

namespace icount {
namespace {

size_t share(size_t whole, size_t benchmarks, size_t least, size_t most) {
  return std::clamp(whole / std::max<size_t>(benchmarks, 1), least, most);
}

}  // namespace

ReportLimits report_limits(size_t benchmarks) {
  return {
      .causes = share(4'000, benchmarks, 8, 200),
      .functions = share(30'000, benchmarks, 20, 30'000),
      .edges = share(30'000, benchmarks, 20, 30'000),
      .frames = share(120'000, benchmarks, 60, 30'000),
      .lines = share(10'000, benchmarks, 10, 2'000),
      .opened = share(100, benchmarks, 1, 16),
      .source_lines = share(6'000, benchmarks, 12, 150),
  };
}

}  // namespace icount
