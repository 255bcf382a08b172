#include "timer/timer.h"

#include <chrono>

namespace icount {

double CallableTimeSource::run_block(int64_t number) {
  using Clock = std::chrono::steady_clock;
  loop_(1);  // a warm-up outside the clock, as the ancestor's compiled loop does
  Clock::time_point start = Clock::now();
  loop_(number);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace icount
