// What a measuring process does between its fork and its end: it runs one benchmark and says how that went.
#pragma once

#include <cxxabi.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include <exception>
#include <typeinfo>

#include "stub_benchmark.h"
#include "stub_device.h"
#include "stub_forks.h"
#include "stub_mappings.h"
#include "stub_objects.h"
#include "stub_progress.h"
#include "stub_region.h"
#include "stub_resume.h"
#include "stub_snapshot.h"
#include "stub_threads.h"

namespace icount_stub {

inline Registration* find_benchmark(int index) {
  for (Registration* at = Registration::first(); at; at = at->next)
    if (at->index == index) return at;
  return nullptr;
}

__attribute__((noinline)) inline void run_empty(Context& context) {
  while (context.next())
    for (int64_t i = 0, n = context.count(); i < n; ++i) {
    }
}

/// The type of the exception in flight, for people.
inline const char* exception_type() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (!type) return "unknown";
  int failed = 0;
  const char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &failed);
  return failed == 0 ? name : type->name();
}

/// What is to be said of a benchmark whose function has ended; true when it came to its end.
inline bool end_benchmark(Context& context) {
  Progress& now = progress();
  if (getpid() != now.pid) _exit(0);  // a process that went around fork (clone) and ran on
  if (waited_for_others() || has_children()) {
    report("forked the statement makes further processes");
    return false;
  }
  if (Region::step(context) != Region::kEnded) {
    report("returned");
    return false;
  }
  return true;
}

/// Runs one benchmark in a child and says how it went; true when it came to its end.
__attribute__((noinline)) inline bool run_benchmark(const Job& job) {
  Registration* benchmark = job.registration ? job.registration : find_benchmark(job.benchmark);
  const Benchmark run = benchmark ? benchmark->run : &run_empty;
  Context context;
  try {
    run(context);
  } catch (const std::exception& error) {
    const char* what = error.what();  // LibTorch's begin with an empty line
    report("threw %s: %s", exception_type(), what + strspn(what, " \r\n\t"));
    return false;
  } catch (...) {
    report("threw %s", exception_type());
    return false;
  }
  return end_benchmark(context);
}

/// Moves the stack pointer to a multiple of 64 kB first: below it every address is the same whatever the environment
/// block above holds, and with it every alignment-dependent path (docs/measuring.md, section "Stack").
__attribute__((noinline)) inline bool run_aligned(const Job& job) {
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_alloca(16));
  volatile char* pad = static_cast<volatile char*>(__builtin_alloca((job.align ? here & 0xffff : 0) + 16));
  pad[0] = 0;
  return run_benchmark(job);
}

/// In the child of `server`, whose death ends it: one that died before the kernel was told is another's parent by then.
inline void become_child(pid_t server, int output, int report_fd) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server) _exit(127);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, 0);
  if (nothing > 2) close(nothing);
  if (output >= 0) {
    dup2(output, 1);
    dup2(output, 2);
    close(output);
  }
  Progress& now = progress();
  now.pid = getpid();
  now.report = report_fd;
  now.measuring_child = true;
}

[[noreturn]] inline void finish_child(bool done) {
  const Progress& now = progress();
  fflush(nullptr);
  if (done && now.job.mode == Mode::kWall) report("seconds %.17g", now.seconds);
  if ((now.job.mode == Mode::kWall || now.job.mode == Mode::kDry) && has_cuda_context()) report("device cuda");
  if (now.resumed) report("prepared");
  if (done && (now.job.mode == Mode::kCallgrind || now.job.mode == Mode::kToggle) && maps_unlinked_code())
    report("unlinked_code");
  if (done && now.job.objects)
    for_each_object([](const char* path, const char* id) { report("object %s %s", id, path); });
  if (done) report("done");
  _exit(done ? 0 : 1);
}

[[noreturn]] inline void run_child(const Job& job) {
  progress().job = job;
  report_phase("setup");
  if (job.mode == Mode::kCallgrind)
    CALLGRIND_ZERO_STATS;  // the first part is then set-up and warm-up, not the parent's work
#ifdef ICOUNT_STUB_WARM
  const bool may_resume = job.mode == Mode::kCallgrind && job.align;
  if (const Snapshot* snapshot = may_resume ? Snapshots::find(job.benchmark, job.warmup) : nullptr)
    resume_snapshot(*snapshot);
#endif
  if ((job.threads != 1 || job.mode == Mode::kToggle) && !job.sets_threads_late()) ICOUNT_STUB_SET_THREADS(job.threads);
  finish_child(run_aligned(job));
}

}  // namespace icount_stub
