// The state of a process that lies in the kernel and in no copy of its memory. A process that runs one benchmark after
// another compares it: what has changed can't be put back.
#pragma once

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <initializer_list>

namespace icount_stub {

/// Open files and where they are read, signal handlers and mask, timers, the current folder, the mask of new files,
/// limits and priority.
struct KernelState {
  static constexpr int kFiles = 128;  // descriptors that are compared
  uint64_t files = 0;
  uint64_t signals = 0;
  uint64_t surroundings = 0;

  static KernelState read_own() {
    KernelState state;
    for (int fd = 0; fd < kFiles; ++fd) {
      const int flags = fcntl(fd, F_GETFD);
      if (flags == -1) continue;
      add(state.files, static_cast<uint64_t>(fd));
      add(state.files, static_cast<uint64_t>(lseek(fd, 0, SEEK_CUR)));
    }
    for (int number = 1; number < 64; ++number) {
      struct sigaction action;
      if (number == SIGKILL || number == SIGSTOP || sigaction(number, nullptr, &action) != 0) continue;
      add(state.signals, reinterpret_cast<uintptr_t>(action.sa_handler));
    }
    sigset_t blocked;
    if (sigprocmask(SIG_BLOCK, nullptr, &blocked) == 0)
      for (int number = 1; number < 64; ++number)
        if (sigismember(&blocked, number) == 1) add(state.signals, static_cast<uint64_t>(number));
    state.read_surroundings();
    return state;
  }
  bool operator==(const KernelState& other) const {
    return files == other.files && signals == other.signals && surroundings == other.surroundings;
  }

 private:
  static void add(uint64_t& hash, uint64_t value) { hash = (hash ^ value) * 0x100000001b3 + 1; }

  void read_surroundings() {
    for (const int timer : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
      itimerval value;
      const bool runs = getitimer(timer, &value) == 0 && (value.it_value.tv_sec != 0 || value.it_value.tv_usec != 0);
      add(surroundings, runs ? 1 : 0);
    }
    char folder[PATH_MAX];
    const ssize_t length = readlink("/proc/self/cwd", folder, sizeof folder);
    for (ssize_t i = 0; i < length; ++i) add(surroundings, static_cast<unsigned char>(folder[i]));
    const mode_t mask = umask(0);
    umask(mask);
    add(surroundings, mask);
    for (const auto limit :
         {RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_STACK}) {
      rlimit value = {};
      getrlimit(limit, &value);
      add(surroundings, value.rlim_cur);
    }
    add(surroundings, static_cast<uint64_t>(getpriority(PRIO_PROCESS, 0)));
  }
};

}  // namespace icount_stub
