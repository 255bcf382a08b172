// main() of a C++ stub: a server, or an ordinary program when it is run by hand. The unit that includes this may define
// ICOUNT_STUB_PREPARE() first, which runs at its start.
#pragma once

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include "stub_benchmark.h"
#include "stub_child.h"
#include "stub_image.h"
#include "stub_progress.h"
#include "stub_server.h"
#include "stub_threads.h"

#ifndef ICOUNT_STUB_PREPARE
#define ICOUNT_STUB_PREPARE()
#endif

namespace icount_stub {

/// Every benchmark once in this process, or the one asked for: a stub is also an ordinary program.
inline int run_by_hand(int argc, char** argv) {
  int64_t number = 1;
  int only = kNoBenchmark;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && strcmp(argv[i], "--number") == 0) {
      number = strtoll(argv[i + 1], nullptr, 10);
    } else if (i + 1 < argc && strcmp(argv[i], "--benchmark") == 0) {
      only = atoi(argv[i + 1]);
    } else {
      fprintf(stderr, "usage: %s [--benchmark INDEX] [--number RUNS]\n", argv[0]);
      return 2;
    }
  }
  if (RUNNING_ON_VALGRIND) CALLGRIND_START_INSTRUMENTATION;
  int ran = 0;
  for (Registration* at = Registration::first(); at; at = at->next) {
    if (only != kNoBenchmark && at->index != only) continue;
    Progress& now = progress();
    now.quiet = true;
    now.pid = getpid();
    now.report = 2;
    now.job = Job{};
    now.job.benchmark = at->index;
    now.job.mode = RUNNING_ON_VALGRIND ? Mode::kCallgrind : Mode::kWall;
    now.job.number = number;
    now.job.warmup = number < 10 ? number : 10;
    if (!run_aligned(now.job)) return 1;
    printf("%s: %" PRId64 " runs, %.6g s per run\n", at->label, number, now.seconds / static_cast<double>(number));
    ++ran;
  }
  return ran > 0 ? 0 : 2;
}

inline int run_main(int argc, char** argv) {
  ICOUNT_STUB_PREPARE();
  if (argc == 2 && strcmp(argv[1], "--icount-serve") == 0) Server::instance().serve();
  return run_by_hand(argc, argv);
}

}  // namespace icount_stub

/// Static objects of the program are never destroyed: parent and children end by _exit. Registering their destructors
/// would fill libc's tables, which grow on the heap by blocks of 32: the more static objects the neighbours' headers
/// have, the earlier a statement's own set-up or LibTorch's makes the table grow, and every later address moves.
/// Hidden, so that shared libraries go on with libc's.
extern "C" __attribute__((used, visibility("hidden"))) int icount_stub_forget_static_object(void (*)(void*), void*,
                                                                                            void*) asm("__cxa_atexit");
int icount_stub_forget_static_object(void (*)(void*), void*, void*) { return 0; }

/// Before every static object of the program, behind those of the libraries.
__attribute__((constructor(101))) static void icount_stub_count_first_threads() {
  icount_stub::threads_of_libraries() = icount_stub::count_threads();
}

#ifdef ICOUNT_STUB_LOADS
/// Where a child of another server enters this program (stub_image.h).
extern "C" __attribute__((used, visibility("hidden"))) void icount_stub_image_entry(const icount_stub::Job* asked,
                                                                                    int report) {
  icount_stub::Progress& now = icount_stub::progress();
  now.pid = getpid();
  now.report = report;
  now.measuring_child = true;
  icount_stub::Job job = *asked;
  job.registration = icount_stub::find_benchmark(job.benchmark);
  if (job.benchmark == icount_stub::kEmptyBenchmark || job.registration) icount_stub::run_child(job);
  icount_stub::report("unfit its program has no such statement");
  _exit(3);
}
ICOUNT_STUB_ENTRY_NOTE(icount_stub_image_entry);
#endif

int main(int argc, char** argv) { return icount_stub::run_main(argc, argv); }
