// Processes that a statement makes: no count holds their work, so the first one ends the job.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stub_progress.h"

namespace icount_stub {

// The first fork of a statement ends its job: what runs in other processes is in no count, and a statement that forks
// in a loop would fill the machine.
inline void end_forking_parent() {
  Progress& now = progress();
  if (!now.measuring_child) return;
  report("forked the statement makes further processes");
  _exit(1);
}
inline void end_forked_child() {
  Progress& now = progress();
  if (now.measuring_child) _exit(0);
}

/// Grows with each process that was waited for.
inline int64_t usage_of_others() {
  rusage usage;
  if (getrusage(RUSAGE_CHILDREN, &usage) != 0) return 0;
  return usage.ru_maxrss + usage.ru_minflt + usage.ru_majflt + usage.ru_nvcsw + usage.ru_nivcsw;
}

/// Processes that were made without fork (system, posix_spawn) and waited for, where such are not allowed.
inline bool waited_for_others() { return usage_of_others() > progress().usage_allowed; }

/// Processes that were made by system calls of the statement's own, past every hook, and not waited for.
inline bool has_children() {
  siginfo_t info;
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

/// The processes that a server did not start itself: what a statement left behind comes to it when its maker ends,
/// whatever session or group it went to.
class Strays {
 public:
  /// From here on orphans below come to this process. Its children of now are not strays.
  void begin() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    own_count_ = list(own_);
  }

  /// Ends all children but those that `is_known`, and theirs in turn.
  template <typename IsKnown>
  void end(IsKnown&& is_known) const {
    constexpr int kMostRounds = 1000;  // a statement that forks faster than it is ended
    for (int round = 0, found = 1; found > 0 && round < kMostRounds; ++round) {
      pid_t children[kMost];
      const int count = list(children);
      found = 0;
      for (int i = 0; i < count; ++i) {
        if (is_known(children[i]) || is_own(children[i])) continue;
        ++found;
        kill(children[i], SIGKILL);
        waitpid(children[i], nullptr, __WALL);
      }
    }
  }

 private:
  static constexpr int kMost = 256;

  /// Children of this process's only thread; none where the kernel does not tell.
  static int list(pid_t (&children)[kMost]) {
    char text[8 * kMost];
    const int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t size = 0;
    for (ssize_t n; size < static_cast<ssize_t>(sizeof text) - 1 &&
                    (n = read(fd, text + size, sizeof text - 1 - static_cast<size_t>(size))) > 0;)
      size += n;
    close(fd);
    text[size] = 0;
    int count = 0;
    char* end = text;
    for (char* at = text; count < kMost; at = end) {
      const long pid = strtol(at, &end, 10);
      if (end == at || *end != ' ') break;  // the last one, when it is cut off, comes in the next round
      children[count++] = static_cast<pid_t>(pid);
    }
    return count;
  }

  bool is_own(pid_t pid) const {
    for (int i = 0; i < own_count_; ++i)
      if (own_[i] == pid) return true;
    return false;
  }

  pid_t own_[kMost];
  int own_count_ = 0;
};

}  // namespace icount_stub
