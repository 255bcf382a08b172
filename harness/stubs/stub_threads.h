// Threads of a measured process: how their number is set, and waiting until they do nothing. The unit that includes
// this may define ICOUNT_STUB_SET_THREADS(n) first (LibTorch's setting, Python's).
#pragma once

#include <time.h>

#include "stub_progress.h"

extern "C" void omp_set_num_threads(int) __attribute__((weak));

#ifndef ICOUNT_STUB_SET_THREADS
#define ICOUNT_STUB_SET_THREADS(n) \
  if (omp_set_num_threads) omp_set_num_threads(n)
#endif

namespace icount_stub {

/// A pool's workers spin for a while before they sleep, which would be counted as far as it falls into the region.
/// While one spins, Valgrind, which runs one thread at a time, lets it have its turn before this one goes on:
/// processor time passes.
inline void wait_for_idle_threads() {
  constexpr int kMostSleeps = 500;
  constexpr timespec kSleep = {0, 10'000'000};
  constexpr double kOwnSeconds = 0.001;
  for (int quiet = 0, i = 0; quiet < 2 && i < kMostSleeps; ++i) {
    const double before = processor_seconds();
    nanosleep(&kSleep, nullptr);
    quiet = processor_seconds() - before < kOwnSeconds ? quiet + 1 : 0;
  }
}

}  // namespace icount_stub
