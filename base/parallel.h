// A loop over independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace icount {

/// Threads that run `work`, joined by their destructors: as many as asked for, fewer where no more are to be had.
std::vector<std::jthread> start_threads(size_t count, const std::function<void()>& work);

/// Runs work(0) .. work(count - 1) on up to `jobs` threads, the caller's among them; the first exception ends the loop
/// and is thrown again here. Where no thread is to be had the caller's does it all.
void run_parallel(size_t count, int jobs, const std::function<void(size_t)>& work);

}  // namespace icount
