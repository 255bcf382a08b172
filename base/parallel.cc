#include "icount/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "icount/base/ignore_failures.h"

namespace icount {

std::vector<std::jthread> start_threads(size_t count, const std::function<void()>& work) {
  std::vector<std::jthread> threads;
  ignore_failures([&] {  // those that there are do the work
    threads.reserve(count);
    while (threads.size() < count) threads.emplace_back(work);
  });
  return threads;
}

void run_parallel(size_t count, int jobs, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  auto worker = [&] {
    for (size_t i; (i = next++) < count;) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  const size_t wanted = std::min(count, static_cast<size_t>(std::max(jobs, 1)));
  {
    const auto threads = start_threads(wanted > 0 ? wanted - 1 : 0, worker);
    worker();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace icount
