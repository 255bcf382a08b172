// Threads of a measured process: how many there are, how their number is set, and waiting until they do nothing. The
// unit that includes this may define ICOUNT_STUB_SET_THREADS(n) first (LibTorch's setting, Python's).
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stub_progress.h"

extern "C" void omp_set_num_threads(int) __attribute__((weak));

#ifndef ICOUNT_STUB_SET_THREADS
#define ICOUNT_STUB_SET_THREADS(n) \
  if (omp_set_num_threads) omp_set_num_threads(n)
#endif

namespace icount_stub {

/// Threads of this process; 0 when that can't be read.
inline int count_threads() {
  const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[1024];
  const ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0) return 0;
  text[n] = 0;
  const char* at = strrchr(text, ')');  // the name before may hold anything
  for (int field = 2; at && field < 20; ++field) at = strchr(at + 1, ' ');
  return at ? atoi(at + 1) : 0;
}

/// Threads when the program's own static initializers were about to run, behind those of its libraries; 0: not known.
inline int& threads_of_libraries() {
  static int count = 0;
  return count;
}

/// Threads that the program's own initializers (its global set-ups) started: a forked child does not have them.
inline int count_lost_threads() {
  const int before = threads_of_libraries();
  const int now = before > 0 ? count_threads() : 0;
  return now > before ? now - before : 0;
}

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
