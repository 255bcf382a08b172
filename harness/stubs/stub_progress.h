// What a measuring process is doing, and its word to the server about it: one report is one line in a pipe.
#pragma once

#include <features.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#define ICOUNT_STUB_KNOWS_THREADS
#endif
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "stub_job.h"

namespace icount_stub {

inline double read_clock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
inline double now_seconds() { return read_clock(CLOCK_MONOTONIC); }
/// Of all threads of this process.
inline double processor_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

/// What the child is doing; one for the process, so that it is at hand where no argument reaches (atfork, next()).
struct Progress {
  Job job;
  pid_t pid = 0;    // of the process that runs the benchmark; another one is a fork of the statement
  int report = -1;  // the parent reads here
  bool measuring_child = false;
  bool quiet = false;  // in a session: no word to the parent, which would wake it while time is taken
  double begun = 0;
  double seconds = 0;
  int64_t usage_allowed = 0;                      // by processes that a set-up waited for (stub_forks.h)
  int64_t cold_left = 0;                          // runs still to be timed one by one
  bool preparing = false;                         // up to the region, where a snapshot is taken (stub_prepare.h)
  bool resumed = false;                           // in a child that began with a snapshot
  void (*on_report)(const char* line) = nullptr;  // in a session: takes the reports instead of the parent
};

inline Progress& progress() {
  static Progress instance;
  return instance;
}

__attribute__((format(printf, 1, 2))) inline void report(const char* format, ...) {
  char text[6000];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text, sizeof text - 1, format, arguments);
  va_end(arguments);
  if (progress().on_report) return progress().on_report(text);
  if (n > static_cast<int>(sizeof text) - 2) n = sizeof text - 2;
  for (int i = 0; i < n; ++i)
    if (text[i] == '\n') text[i] = '\r';
  text[n] = '\n';
  [[maybe_unused]] const ssize_t written = write(progress().report, text, static_cast<size_t>(n) + 1);
}

inline void report_phase(const char* name) {
  if (!progress().quiet) report("phase %s", name);
}

/// The region begins. Where this process or one that it was forked from has ever had a second thread, locks and
/// allocations cost other instructions: libraries start theirs as they are loaded where there is more than one core.
inline void report_region() {
#ifdef ICOUNT_STUB_KNOWS_THREADS
  if (!__libc_single_threaded && !progress().quiet) report("multi_threaded");
#endif
  report_phase("region");
}

}  // namespace icount_stub
