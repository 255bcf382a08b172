// A loop over independent pieces of work on several threads, and what it stands on.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace icount {

/// Threads that run `work`, joined by their destructors: as many as asked for, fewer where no more are to be had.
std::vector<std::jthread> start_threads(size_t count, const std::function<void()>& work);

/// Runs work(0) .. work(count - 1) on up to `jobs` threads, the caller's among them; the first exception ends the loop
/// and is thrown again here. Where no thread is to be had the caller's does it all.
void run_parallel(size_t count, int jobs, const std::function<void(size_t)>& work);

// Waiting on a condition variable with what libstdc++ has had since GCC 11: std::condition_variable::wait is a symbol
// of GCC 12's, and the archive has to start where that is missing (RHEL 9, Amazon Linux 2023).

/// As std::condition_variable::wait; may return without a notification, as that may.
inline void wait_on(std::condition_variable& condition, std::unique_lock<std::mutex>& lock) {
  condition.wait_for(lock, std::chrono::hours(1));
}

/// At least 1. Less than the machine has under `taskset`, in a cpuset or on a cluster's node;
/// std::thread::hardware_concurrency() does not say so.
int count_usable_cores();

}  // namespace icount
