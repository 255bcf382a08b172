#include "icount/base/cores.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace icount {

int count_usable_cores() {
  cpu_set_t allowed;
  const int usable = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0
                         ? CPU_COUNT(&allowed)
                         : static_cast<int>(std::thread::hardware_concurrency());  // more than 1,024 in the machine
  return std::max(1, usable);
}

}  // namespace icount
