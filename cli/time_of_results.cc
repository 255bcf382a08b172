#include "icount/cli/time_of_results.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "icount/suite/suite_record.h"

namespace icount {

int64_t time_of_results(const ResultFile& file, const std::string& path) {
  int64_t newest = 0;
  for (const Result& result : file.results) newest = std::max(newest, parse_record(result.extra).unix_time);
  if (newest > 0) return newest;
  std::error_code failure;
  const auto written = std::filesystem::last_write_time(path, failure);
  if (failure) return 0;
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(written).time_since_epoch())
      .count();
}

}  // namespace icount
