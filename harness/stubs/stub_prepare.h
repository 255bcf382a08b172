// Preparing: the server hands over to a fork of itself, which runs the set-up and warm-up of benchmarks one after
// another, leaves the state after them as snapshots that measured children begin with (docs/measuring.md, "Warming"),
// and puts its own memory back before it serves. What Valgrind translated meanwhile every child finds translated. The
// fork is what a measured child is, so that what fork changes (LibTorch's handlers drop its thread pool) is changed
// there, too. A benchmark that ends its process costs only its own snapshot. x86-64 only.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

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

/// The descriptors of a server, out of the way of those that a benchmark opens.
class PutAside {
 public:
  bool put() {
    for (Entry& entry : entries_)
      if ((entry.aside = fcntl(entry.own, F_DUPFD_CLOEXEC, kFirst)) < 0) return false;
    return true;
  }
  void take_back() {
    for (const Entry& entry : entries_) {
      dup2(entry.aside, entry.own);
      close(entry.aside);
    }
  }

 private:
  static constexpr int kFirst = KernelState::kFiles;  // behind those that are compared
  struct Entry {
    int own;
    int aside;
  };
  Entry entries_[4] = {{STDOUT_FILENO, -1}, {STDERR_FILENO, -1}, {kRequests, -1}, {kReplies, -1}};
};

class Preparer {
 public:
  /// Prepares the benchmarks whose indices begin `words`; each gets `limit` seconds (0: no limit).
  explicit Preparer(const char* words)
      : words_(words),
        warmup_(find_number(words, "warmup", 10)),
        limit_(strtod(find_key(words, "limit", "0"), nullptr)) {}

  /// Returns in the process that is to serve from now on. The one before stays to end when that one does, and as it
  /// did; the client's death ends both. False when the memory does not suffice.
  bool hand_over(const Strays& strays) {
    if (!Snapshots::open()) return false;
    Snapshots::progress() = 0;
    const pid_t self = getpid();
    for (; nth(Snapshots::progress()) != kNoBenchmark; ++Snapshots::progress()) {
      const pid_t successor = fork();
      if (successor < 0) return false;
      if (successor == 0) {
        prepare_all(self);
        return true;
      }
      setpgid(successor, successor);
      const int status = wait_for(successor);
      kill(-successor, SIGKILL);
      strays.end([](pid_t) { return false; });                   // what a set-up left running, wherever it went
      if (nth(Snapshots::progress()) != kNoBenchmark) continue;  // it ended in the middle of this one: left out
      if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        kill(getpid(), WTERMSIG(status));
      }
      _exit(WEXITSTATUS(status));
    }
    return true;
  }

 private:
  int wait_for(pid_t successor) const {
    int seen = -1, status = 0;
    double since = 0;
    for (;;) {
      const int at = Snapshots::progress();
      const bool serves = nth(at) == kNoBenchmark;
      if (serves) {
        close(kRequests);
        close(kReplies);
      }
      const pid_t ended = waitpid(successor, &status, serves ? 0 : WNOHANG);
      if (ended == successor || (ended < 0 && errno != EINTR)) return status;
      if (serves) continue;
      if (at != seen) {
        seen = at;
        since = now_seconds();
      } else if (limit_ > 0 && now_seconds() - since > limit_) {
        kill(-successor, SIGKILL);
      }
      pollfd client{kRequests, 0, 0};
      if (poll(&client, 1, 5) > 0) _exit(0);
    }
  }

  /// The index at this place of the list; kNoBenchmark behind its end.
  int nth(int place) const {
    const char* at = words_;
    for (;; --place) {
      char* end = nullptr;
      const long index = strtol(at, &end, 10);
      if (end == at) return kNoBenchmark;
      if (place == 0) return static_cast<int>(index);
      at = end;
    }
  }

  /// In the successor: ends it where it is not what it was any more.
  void prepare_all(pid_t predecessor) {
    const Progress servers = progress();
    PutAside descriptors;
    if (!descriptors.put()) _exit(2);
    become_child(predecessor, open("/dev/null", O_RDWR), -1);
    close(kRequests);  // as in a measured child, down to the number that a file of the set-up gets
    close(kReplies);
    MemoryKeeper& keeper = MemoryKeeper::instance();
    if (!keeper.remember()) _exit(2);
    const KernelState before = KernelState::read_own();
    for (int benchmark; (benchmark = nth(Snapshots::progress())) != kNoBenchmark; ++Snapshots::progress()) {
      if (!find_benchmark(benchmark)) continue;
      prepare_one(benchmark, before);
      if (count_threads() != 1 || waited_for_others() || has_children() || !(KernelState::read_own() == before) ||
          !keeper.put_back())
        _exit(1);
    }
    keeper.forget();
    descriptors.take_back();
    progress() = servers;
    CALLGRIND_ZERO_STATS;  // a child would have to do that, to a copy of its own
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
  int64_t warmup_;
  double limit_;
};

}  // namespace icount_stub

#endif  // ICOUNT_STUB_WARM
