// A loop over independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace icount {

/// Runs work(0) .. work(count - 1) on up to `jobs` threads, the caller's among them; the first exception ends the loop
/// and is thrown again here.
void run_parallel(size_t count, int jobs, const std::function<void(size_t)>& work);

}  // namespace icount
