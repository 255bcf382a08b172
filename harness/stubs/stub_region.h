// The phases of a benchmark as Context::next() walks through them, and the markers around its region.
// Defines the functions of Context, so it belongs in one unit of a program.
#pragma once

#include <stdint.h>
#include <sys/mman.h>
#include <valgrind/callgrind.h>

#include "stub_benchmark.h"
#include "stub_progress.h"
#include "stub_resume.h"
#include "stub_threads.h"

namespace icount_stub {

/// Writes one byte of every line of a buffer of its own, so that what the statement touched before is no longer
/// cached.
inline void empty_caches(int64_t bytes) {
  constexpr int64_t kLineBytes = 64;
  static char* buffer = nullptr;
  static int64_t size = 0;
  if (size < bytes) {
    void* memory =
        mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    buffer = static_cast<char*>(memory);
    size = bytes;
  }
  for (int64_t at = 0; at < bytes; at += kLineBytes) const_cast<volatile char*>(buffer)[at]++;
}

/// The steps that Context::next() walks through. Kept out of line: what it costs between the markers is the same for
/// every benchmark and is measured by the empty one.
class Region {
 public:
  enum Step { kBegin, kWarmedUp, kThreaded, kInRegion, kEnded };
  static int step(const Context& context) { return context.step_; }

  static bool advance(Context& context) {
    Progress& now = progress();
    switch (context.step_) {
      case kBegin:
        context.step_ = kWarmedUp;
        report_phase("warmup");
        if (now.job.warmup > 0) {
          context.count_ = now.job.warmup;
          return true;
        }
        [[fallthrough]];
      case kWarmedUp:
#ifdef ICOUNT_STUB_WARM
        if (now.preparing) keep_state(now.job);
#endif
        if (now.job.sets_threads_late() && warm_up_threads(context, now)) return true;
        [[fallthrough]];
      case kThreaded:
        if (now.job.sets_threads_late()) wait_for_idle_threads();
        report_region();
        context.count_ = now.job.cold_bytes > 0 && now.job.number > 1 ? 1 : now.job.number;
        now.cold_left = now.job.number;
        now.seconds = 0;
        return enter(context, now);
      default:
        return leave(context, now);
    }
  }

  static bool leave(Context& context, Progress& now) {
    if (now.job.mode == Mode::kCallgrind) {
      dump(now);
      if (now.job.then > 0) {  // the dump that ends this region begins another
        context.count_ = now.job.then;
        now.job.then = 0;
        return true;
      }
    } else if (now.job.mode == Mode::kToggle) {
      CALLGRIND_TOGGLE_COLLECT;
      CALLGRIND_DUMP_STATS;
      if (--now.job.repeats > 0) return enter(context, now);
    } else {
      now.seconds += now_seconds() - now.begun;
      if (now.job.cold_bytes > 0 && --now.cold_left > 0) return enter(context, now);
    }
    context.step_ = kEnded;
    return false;
  }

 private:
  /// Threads begin after what a snapshot has to carry over: it takes no threads along.
  static bool warm_up_threads(Context& context, const Progress& now) {
    context.step_ = kThreaded;
    ICOUNT_STUB_SET_THREADS(now.job.threads);
    context.count_ = now.job.warmup;
    return now.job.warmup > 0;
  }

  /// Of the threads of a tool that keeps them apart, a client request writes the calling one alone; the monitor's
  /// command writes all.
  static void dump(const Progress& now) {
    if (now.job.per_thread)
      VALGRIND_MONITOR_COMMAND("dump region");
    else
      CALLGRIND_DUMP_STATS;
  }

  static bool enter(Context& context, Progress& now) {
    context.step_ = kInRegion;
    if (now.job.mode == Mode::kCallgrind) {
      dump(now);
    } else if (now.job.mode == Mode::kToggle) {
      CALLGRIND_TOGGLE_COLLECT;
    } else {
      if (now.job.cold_bytes > 0) empty_caches(now.job.cold_bytes);
      now.begun = now_seconds();
    }
    return true;
  }
};

__attribute__((noinline)) bool Context::next() { return Region::advance(*this); }
__attribute__((noinline)) int Context::begin_warmup() {
  report_phase("warmup");
  return static_cast<int>(progress().job.warmup);
}
__attribute__((noinline)) int Context::begin_region() {
  report_region();
  return static_cast<int>(progress().job.number);
}
__attribute__((noinline)) int Context::repeats() const { return static_cast<int>(progress().job.repeats); }
__attribute__((noinline)) void Context::end() { step_ = Region::kEnded; }

}  // namespace icount_stub
