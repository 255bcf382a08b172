// Waiting on a condition variable with what libstdc++ has had since GCC 11: std::condition_variable::wait is a symbol
// of GCC 12's, and the archive has to start where that is missing (RHEL 9, Amazon Linux 2023).
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace icount {

/// As std::condition_variable::wait; may return without a notification, as that may.
inline void wait_on(std::condition_variable& condition, std::unique_lock<std::mutex>& lock) {
  condition.wait_for(lock, std::chrono::hours(1));
}

}  // namespace icount
