#include "icount/base/process_tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr size_t kMostText = 1 << 16;  // of a program's name and command line; the rest is left out

/// What stands before the text of each event in the log.
struct EventHead {
  int32_t kind, pid, value, kept;
  int32_t flag;  // of a fork has_written, of other events shares_file
  uint32_t program_size, argv_size;
};

void write_all(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // a full disk: the log ends here, and its reader misses the end of the first process
    bytes += n;
    size -= static_cast<size_t>(n);
  }
}

/// Reads as much of /proc/PID/NAME as fits.
size_t read_proc(pid_t pid, const char* name, char* buffer, size_t size) {
  char path[64];
  ::snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  size_t have = 0;
  while (have < size) {
    const ssize_t n = ::read(fd, buffer + have, size - have);
    if (n <= 0) break;
    have += static_cast<size_t>(n);
  }
  ::close(fd);
  return have;
}

/// The process that a thread belongs to; the thread itself when that cannot be read.
pid_t process_of(pid_t thread) {
  char text[4096];
  const size_t size = read_proc(thread, "status", text, sizeof text - 1);
  text[size] = 0;
  const char* line = ::strstr(text, "\nTgid:");
  return line ? static_cast<pid_t>(::atoi(line + 6)) : thread;
}

/// The process's own id as it sees it itself: another one in a PID namespace that the program made.
pid_t own_id_of(pid_t process) {
  char text[4096];
  const size_t size = read_proc(process, "status", text, sizeof text - 1);
  text[size] = 0;
  const char* line = ::strstr(text, "\nNSpid:");
  if (!line) return process;
  line += 7;
  pid_t id = process;
  for (char* end; *line != '\n' && *line != 0; line = end) {
    const long number = ::strtol(line, &end, 10);
    if (end == line) break;
    id = static_cast<pid_t>(number);  // the innermost comes last
  }
  return id;
}

/// Follows the tree. Runs in the child of a process that may have threads: glibc keeps malloc usable there.
class Watcher {
 public:
  Watcher(pid_t root, int events, const char* file_prefix, pid_t owner)
      : root_(root), events_(events), prefix_(file_prefix), owner_(owner) {
    // All are blocked: one that the program sends to its group must neither end nor stop us.
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    ::signal(SIGCHLD, SIG_DFL);  // ignored, it is not sent
    ::sigemptyset(&awaited_);
    for (const int number : {SIGCHLD, SIGTERM, kEndTreeSignal}) ::sigaddset(&awaited_, number);
  }

  /// The wait status of the first process.
  int watch(int go) {
    if (owner_ > 0) ::prctl(PR_SET_PDEATHSIG, kEndTreeSignal);
    constexpr long kWhat = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
    if (::ptrace(PTRACE_SEIZE, root_, nullptr, kWhat) != 0) tell(ProcessEvent::Kind::kUnwatched, root_, errno, 0);
    known_.insert(root_);
    processes_.insert(root_);
    write_all(go, "g", 1);
    ::close(go);
    if (is_abandoned()) end_all();
    while (true) {
      int status = 0;
      const pid_t thread = ::waitpid(-1, &status, __WALL | WNOHANG);
      if (thread == 0) {
        wait_for_signal();
        continue;
      }
      if (thread < 0) {  // nothing is left of a tree that was to end, but what the system does not let us trace
        if (ending_) ::kill(0, SIGKILL);
        return 0;
      }
      if (WIFSTOPPED(status)) {
        take_stop(thread, status);
        continue;
      }
      known_.erase(thread);
      if (processes_.erase(thread) == 0) continue;  // a thread
      const int kept = keep_file(thread);
      tell({static_cast<int32_t>(ProcessEvent::Kind::kEnded), thread, status, kept, sharing_.contains(thread), 0, 0});
      own_ids_.erase(thread);
      copies_.erase(thread);
      sharing_.erase(thread);
      if (thread != root_ || ending_) continue;
      if (!root_is_last_) return status;
      end_all();
    }
  }

 private:
  bool is_abandoned() const { return owner_ > 0 && ::getppid() != owner_; }

  /// Until there may be something to wait for, or the tree is to end.
  void wait_for_signal() {
    siginfo_t sender;
    const int number = ::sigwaitinfo(&awaited_, &sender);
    if (number != SIGTERM && number != kEndTreeSignal) return;
    if (owner_ == 0 || (sender.si_pid != owner_ && !is_abandoned())) return;
    root_is_last_ = true;
    if (number == kEndTreeSignal) end_all();
  }

  /// Whatever is made from here on ends when it is told of.
  void end_all() {
    ending_ = true;
    for (const pid_t process : processes_) ::kill(process, SIGKILL);
  }

  static void go_on(pid_t thread, int signal) { ::ptrace(PTRACE_CONT, thread, nullptr, static_cast<long>(signal)); }

  void take_stop(pid_t thread, int status) {
    const int event = status >> 16;
    const int number = WSTOPSIG(status);
    if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE) {
      unsigned long created = 0;
      ::ptrace(PTRACE_GETEVENTMSG, thread, nullptr, &created);
      take_new(thread, static_cast<pid_t>(created));
      go_on(thread, 0);
    } else if (event == PTRACE_EVENT_EXEC) {
      take_exec(thread);
      go_on(thread, 0);
    } else if (event == PTRACE_EVENT_STOP && number != SIGTRAP) {
      ::ptrace(PTRACE_LISTEN, thread, nullptr, nullptr);  // stopped by a signal, until SIGCONT
    } else if (event == PTRACE_EVENT_STOP && !known_.contains(thread)) {
      early_.insert(thread);  // it waits until its maker's event has been told: the log stays in order
    } else {
      go_on(thread, event == 0 ? number : 0);
    }
  }

  void take_new(pid_t maker, pid_t created) {
    known_.insert(created);
    const pid_t process = process_of(maker);
    const bool has_written = has_grown(process);
    if (process_of(created) == created) {
      note_own_id(created);
      give_room_for_log(created, copies_[created] = copies_[process] + 1);
      processes_.insert(created);
      if (ending_) ::kill(created, SIGKILL);
      tell({static_cast<int32_t>(ProcessEvent::Kind::kForked), process, created, 0, has_written, 0, 0});
    }
    if (early_.erase(created) != 0) go_on(created, 0);
  }

  /// A copy under Valgrind opens a log of its own beside its parent's, which stays open: for a dozen of them there is
  /// room above the program's limit of descriptors, and the next one logs to standard error. The program does not see
  /// this limit: Valgrind answers for it.
  static void give_room_for_log(pid_t process, int copies) {
    constexpr int kMostWithout = 6;
    rlimit limit{};
    if (copies <= kMostWithout || ::prlimit(process, RLIMIT_NOFILE, nullptr, &limit) != 0) return;
    ++limit.rlim_cur;
    limit.rlim_max = std::max(limit.rlim_max, limit.rlim_cur);  // where that may not be, it stays as it is
    ::prlimit(process, RLIMIT_NOFILE, &limit, nullptr);
  }

  void take_exec(pid_t pid) {
    copies_.erase(pid);
    char path[64];
    ::snprintf(path, sizeof path, "/proc/%d/exe", pid);
    const ssize_t program_size = ::readlink(path, text_, 4096);
    const size_t start = program_size > 0 ? static_cast<size_t>(program_size) : 0;
    const size_t size = read_proc(pid, "cmdline", text_ + start, sizeof text_ - start);
    tell(ProcessEvent::Kind::kExecuted, pid, 0, keep_file(pid), start, size);
  }

  pid_t own_id(pid_t pid) const {
    const auto at = own_ids_.find(pid);
    return at == own_ids_.end() ? pid : at->second;
  }

  /// Two processes that have one id, each in its namespace, write to one file.
  void note_own_id(pid_t created) {
    const pid_t own = own_id_of(created);
    if (own != created) own_ids_[created] = own;
    for (const pid_t other : processes_)
      if (other != created && own_id(other) == own) {
        sharing_.insert(other);
        sharing_.insert(created);
      }
  }

  /// Whether the process's file is larger than when this was last asked.
  bool has_grown(pid_t pid) {
    char path[4096];
    ::snprintf(path, sizeof path, "%s%d", prefix_, own_id(pid));
    struct stat file {};
    const off_t size = ::stat(path, &file) == 0 ? file.st_size : 0;
    off_t& before = sizes_[pid];
    const bool grown = size > before;
    before = size;
    return grown;
  }

  int keep_file(pid_t pid) {
    sizes_.erase(pid);
    char from[4096], to[4096];
    ::snprintf(from, sizeof from, "%s%d", prefix_, own_id(pid));
    if (sharing_.contains(pid)) return 0;
    ::snprintf(to, sizeof to, "%s%d.%d", prefix_, pid, kept_ + 1);
    return ::rename(from, to) == 0 ? ++kept_ : 0;
  }

  void tell(ProcessEvent::Kind kind, pid_t pid, int value, int kept, size_t program_size = 0, size_t argv_size = 0) {
    tell({static_cast<int32_t>(kind), pid, value, kept, sharing_.contains(pid), static_cast<uint32_t>(program_size),
          static_cast<uint32_t>(argv_size)});
  }

  void tell(const EventHead& head) {
    write_all(events_, reinterpret_cast<const char*>(&head), sizeof head);
    write_all(events_, text_, head.program_size + head.argv_size);
  }

  pid_t root_;
  int events_;
  const char* prefix_;
  pid_t owner_;
  sigset_t awaited_;
  bool root_is_last_ = false;  // with it everything ends
  bool ending_ = false;
  int kept_ = 0;
  std::set<pid_t> known_, early_, processes_;  // threads that were told of; those that stopped before; processes
  std::map<pid_t, pid_t> own_ids_;             // of processes in other PID namespaces
  std::map<pid_t, int> copies_;                // how many forks lie between a process and its program's start
  std::set<pid_t> sharing_;                    // processes whose file another one of the same own id may have written
  std::map<pid_t, off_t> sizes_;               // of the files of processes, when they last made something
  char text_[kMostText];
};

/// Ends as `status` says, without a core dump of its own.
[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::signal(WTERMSIG(status), SIG_DFL);
    sigset_t only;
    ::sigemptyset(&only);
    ::sigaddset(&only, WTERMSIG(status));
    ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
    ::raise(WTERMSIG(status));
    ::_exit(128 + WTERMSIG(status));
  }
  ::_exit(WEXITSTATUS(status));
}

std::vector<std::string> split_arguments(std::string_view bytes) {
  std::vector<std::string> argv;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\0'), bytes.size());
    argv.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return argv;
}

}  // namespace

void watch_process_tree(pid_t root, int go, int events, const char* file_prefix, pid_t owner) {
  end_as(Watcher(root, events, file_prefix, owner).watch(go));
}

std::vector<ProcessEvent> read_process_events(std::string_view bytes) {
  std::vector<ProcessEvent> events;
  EventHead head;
  while (bytes.size() >= sizeof head) {
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.kind < 0 || head.kind > static_cast<int32_t>(ProcessEvent::Kind::kEnded) ||
        head.program_size > kMostText || head.argv_size > kMostText)
      throw Error(ErrorKind::kMalformed, "the log of a process tree holds an event of no known kind");
    const size_t size = sizeof head + head.program_size + head.argv_size;
    if (bytes.size() < size) break;
    ProcessEvent event{static_cast<ProcessEvent::Kind>(head.kind), head.pid, head.value, head.kept, {}, {}};
    (event.kind == ProcessEvent::Kind::kForked ? event.has_written : event.shares_file) = head.flag != 0;
    event.program = bytes.substr(sizeof head, head.program_size);
    event.argv = split_arguments(bytes.substr(sizeof head + head.program_size, head.argv_size));
    events.push_back(std::move(event));
    bytes.remove_prefix(size);
  }
  return events;
}

}  // namespace icount
