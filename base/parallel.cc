#include "icount/base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "icount/base/error.h"

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

int count_usable_cores() {
  cpu_set_t allowed;
  const int usable = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0
                         ? CPU_COUNT(&allowed)
                         : static_cast<int>(std::thread::hardware_concurrency());  // more than 1,024 in the machine
  return std::max(1, usable);
}

}  // namespace icount
