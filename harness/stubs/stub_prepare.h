// Preparing: before instrumentation starts, processes of their own run the set-up and warm-up of benchmarks, one after
// another, and leave the state after them as snapshots that measured children begin with (docs/measuring.md,
// "Warming"). They are forked from the server as a measured child is, so that what fork changes (LibTorch's handlers
// drop its thread pool) is changed there too. A benchmark that ends its process costs only its own snapshot. x86-64
// only.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stub_child.h"
#include "stub_forks.h"
#include "stub_job.h"
#include "stub_kernel.h"
#include "stub_line.h"
#include "stub_memory.h"
#include "stub_progress.h"
#include "stub_resume.h"
#include "stub_snapshot.h"
#include "stub_threads.h"

#ifdef ICOUNT_STUB_WARM

namespace icount_stub {

/// One preparing process after another, for every so many-th benchmark of a list.
class Preparer {
 public:
  /// Prepares benchmarks share, share + shares, ... of the list in `words`; each gets `limit` seconds (0: no limit).
  Preparer(const char* words, int share, int shares)
      : words_(words),
        cursor_(words),
        share_(share),
        shares_(shares),
        warmup_(find_number(words, "warmup", 10)),
        limit_(strtod(find_key(words, "limit", "0"), nullptr)) {
    Snapshots::progress(share_) = share;
    begin();
  }

  /// Looks after the process of now; false when there is nothing left to do.
  bool look_after() {
    if (pid_ <= 0) return false;
    const int at = Snapshots::progress(share_);
    const double now = now_seconds();
    if (at != seen_) {
      seen_ = at;
      since_ = now;
    } else if (limit_ > 0 && now - since_ > limit_) {
      kill(-pid_, SIGKILL);
    }
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return true;
    kill(-pid_, SIGKILL);  // what a set-up left running
    // It ends when all is done, or in the middle of the benchmark it is at: that one is left out.
    Snapshots::progress(share_) += shares_;
    pid_ = 0;
    if (nth(Snapshots::progress(share_)) != kNoBenchmark) begin();
    return pid_ > 0;
  }

 private:
  void begin() {
    if (nth(Snapshots::progress(share_)) == kNoBenchmark) return;
    seen_ = Snapshots::progress(share_);
    since_ = now_seconds();
    pid_ = fork();
    if (pid_ == 0) prepare_all();
    if (pid_ > 0) setpgid(pid_, pid_);
  }

  /// The index at this place of the list; kNoBenchmark behind its end. Quick for places in rising order.
  int nth(int place) {
    if (place < cursor_place_) {
      cursor_ = words_;
      cursor_place_ = 0;
    }
    for (;;) {
      char* end = nullptr;
      const long index = strtol(cursor_, &end, 10);
      if (end == cursor_) return kNoBenchmark;
      if (cursor_place_ == place) return static_cast<int>(index);
      cursor_ = end;
      ++cursor_place_;
    }
  }

  [[noreturn]] void prepare_all() {
    const int nothing = open("/dev/null", O_RDWR);
    become_child(nothing, -1);
    close(kRequests);  // as in a measured child, down to the number that a file of the set-up gets
    close(kReplies);
    MemoryKeeper& keeper = MemoryKeeper::instance();
    Snapshots::use_arena(share_);
    if (!keeper.remember()) _exit(2);
    const KernelState before = KernelState::read_own();
    for (int benchmark; (benchmark = nth(Snapshots::progress(share_))) != kNoBenchmark;
         Snapshots::progress(share_) += shares_) {
      if (!find_benchmark(benchmark)) continue;
      prepare_one(benchmark, before);
      if (count_threads() != 1 || waited_for_others() || !(KernelState::read_own() == before) || !keeper.put_back())
        _exit(1);
    }
    Snapshots::progress(share_) -= shares_;
    _exit(0);
  }

  __attribute__((noinline)) void prepare_one(int benchmark, const KernelState& before) {
    Preparation here;
    here.stack_end = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + 16;
    here.before = &before;
    preparation() = &here;
    Progress& now = progress();
    now.job = Job{};
    now.job.benchmark = benchmark;
    now.job.mode = Mode::kCallgrind;
    now.job.warmup = warmup_;
    now.quiet = true;
    now.preparing = true;
    if (save_registers(&here.back) == 0) {
      const bool done = run_aligned(now.job);
      if (progress().resumed) finish_child(done);
    }
  }

  const char* words_;
  const char* cursor_;
  int cursor_place_ = 0;
  int share_;
  int shares_;
  int64_t warmup_;
  double limit_;
  pid_t pid_ = 0;
  int seen_ = 0;
  double since_ = 0;
};

}  // namespace icount_stub

#endif  // ICOUNT_STUB_WARM
