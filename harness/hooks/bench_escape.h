// What runs beside a region, and is in no count of it: processes that it makes, threads that outlive it. Plain system
// calls and no heap.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "bench_log.h"

namespace icount_hooks {

/// Threads of this process but those that are about to be gone: who waits for a thread goes on a moment before it is.
inline long count_live_threads() {
  struct Entry {
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[1];
  };
  alignas(Entry) char entries[4096];
  const int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  long live = 0;
  for (long got; tasks >= 0 && (got = syscall(SYS_getdents64, tasks, entries, sizeof(entries))) > 0;)
    for (long at = 0; at < got;) {
      const Entry* const entry = reinterpret_cast<const Entry*>(entries + at);
      at += entry->size;
      if (entry->name[0] == '.') continue;
      Line path;
      path.text("/proc/self/task/").text(entry->name).text("/stat");
      char stat[512];
      const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
      const long size = file < 0 ? 0 : read(file, stat, sizeof(stat) - 1);
      if (file >= 0) close(file);
      if (size <= 0) continue;
      stat[size] = 0;
      const char* field = strrchr(stat, ')');  // the name before may hold anything
      for (int i = 2; field && i < 9; ++i) field = strchr(field + 1, ' ');
      constexpr unsigned long kExiting = 4;  // of the kernel's flags of a task
      if (!field || !(strtoul(field, nullptr, 10) & kExiting)) ++live;
    }
  if (tasks >= 0) close(tasks);
  return live;
}

/// Who is there beside the calling thread.
class Others {
 public:
  enum Escape { kNone, kProcess, kThread, kStaleCode };

  static Others now() {
    Others others;
    siginfo_t info;
    others.has_children_ = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
    getrusage(RUSAGE_CHILDREN, &others.ended_);
    struct stat tasks;
    others.threads_ = stat("/proc/self/task", &tasks) == 0 ? static_cast<long>(tasks.st_nlink) - 2 : 0;
    return others;
  }

  /// Who came since: a process in any case, a thread when it is still there.
  Escape since() const {
    const Others present = now();
    if ((present.has_children_ && !has_children_) || memcmp(&present.ended_, &ended_, sizeof(ended_)) != 0)
      return kProcess;
    return present.threads_ > threads_ && count_live_threads() > threads_ ? kThread : kNone;
  }

 private:
  struct rusage ended_ = {};  ///< of all children that were waited for
  bool has_children_ = false;
  long threads_ = 0;
};

}  // namespace icount_hooks
