// How much of each table a report keeps, so that one page of many benchmarks stays small enough to be attached to a
// review (3 MB for 200 benchmarks). What is left out is summed up and said, never silent.
#pragma once

#include <cstddef>

namespace icount {

/// Rows kept per benchmark.
struct ReportLimits {
  size_t causes = 200;
  size_t functions = 30'000;
  size_t edges = 30'000;
  size_t frames = 30'000;
  size_t lines = 2'000;
  size_t opened = 16;         ///< functions with their source
  size_t source_lines = 150;  ///< executed lines of each of their files
};

/// The limits for a page of that many benchmarks.
ReportLimits report_limits(size_t benchmarks);

}  // namespace icount
