// How many threads a library of this process uses, set for a while: what a Timer over a callable does with num_threads.
// For statements as text the stub does it (harness/stubs/stub_server.h).
#pragma once

#include <functional>
#include <optional>

namespace icount {

/// Reads and sets a number of threads.
struct ThreadControl {
  std::function<int()> get;
  std::function<void(int)> set;
};

/// That of LibTorch, else of OpenMP, when this program has one loaded; looked up by name, so nothing is linked for it.
std::optional<ThreadControl> find_thread_control();

/// Sets a number of threads and restores the one before at its end.
class ThreadScope {
 public:
  /// Without a control, one thread is taken for what there is; Error{kUsage} for any other number.
  ThreadScope(const std::optional<ThreadControl>& control, int num_threads);
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;
  ~ThreadScope();

 private:
  const std::optional<ThreadControl>& control_;
  int before_ = 0;
};

}  // namespace icount
