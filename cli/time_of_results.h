// When results were measured, for what is filed by time.
#pragma once

#include <cstdint>
#include <string>

#include "icount/stats/result.h"

namespace icount {

/// When the newest result was measured, else when the file was last written, in seconds; 0 when that cannot be told.
int64_t time_of_results(const ResultFile& file, const std::string& path);

}  // namespace icount
