#include "icount/timer/thread_control.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {
namespace {

std::optional<ThreadControl> look_up(const char* getter, const char* setter) {
  const auto get = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, getter));
  const auto set = reinterpret_cast<void (*)(int)>(::dlsym(RTLD_DEFAULT, setter));
  if (!get || !set) return std::nullopt;
  return ThreadControl{get, set};
}

}  // namespace

std::optional<ThreadControl> find_thread_control() {
  // at::get_num_threads(), at::set_num_threads(int): LibTorch sets OpenMP's number and those of its own pools.
  if (auto libtorch = look_up("_ZN2at15get_num_threadsEv", "_ZN2at15set_num_threadsEi")) return libtorch;
  return look_up("omp_get_max_threads", "omp_set_num_threads");
}

ThreadScope::ThreadScope(const std::optional<ThreadControl>& control, int num_threads) : control_(control) {
  if (control_) {
    before_ = control_->get();
    if (before_ != num_threads) control_->set(num_threads);
  } else if (num_threads != 1) {
    throw Error(ErrorKind::kUsage, fmt::format("num_threads is {}, but this program has neither LibTorch nor OpenMP to "
                                               "set it in; say how with CallableOptions::threads",
                                               num_threads));
  }
}

ThreadScope::~ThreadScope() {
  if (control_ && control_->get() != before_) control_->set(before_);
}

}  // namespace icount
