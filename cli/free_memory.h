// How much memory the machine can still give, so that a request that cannot fit is refused instead of tried.
#pragma once

#include <cstdint>

namespace icount {

/// MemAvailable of /proc/meminfo in bytes; the largest number where that cannot be read.
int64_t probe_free_memory_bytes();

}  // namespace icount
