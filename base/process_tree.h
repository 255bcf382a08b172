// A program and everything that it starts, watched to its end: who forked whom, what each went on as, how each ended.
// base/spawn starts such a tree on request; what was seen is a file of events, read here. Linux's ptrace(2), which sees
// a process before it runs its first instruction and so loses none; system calls are not stopped at.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Where the events of a watched tree go, and the one file per process that is saved from being written over.
struct TreeWatch {
  std::filesystem::path events;  ///< a new file; read_process_events reads its bytes
  /// Of each process, the file PREFIX + its id is renamed to PREFIX + id + "." + N when the process becomes another
  /// program or ends, with N from 1 in the order of such moments: neither its next program nor a later process of the
  /// same id writes over it. In a PID namespace that the program makes, the file's name has the id that the process has
  /// there. Where two processes have one, their file is neither's and is not renamed.
  std::string file_prefix;
};

/// One thing that happened; in the order of time.
struct ProcessEvent {
  enum class Kind {
    kUnwatched,  ///< the system refuses to trace; value is its errno, and only the first process's end follows
    kForked,     ///< value is the new process
    kExecuted,   ///< it runs another program from here on: `program` and `argv`
    kEnded       ///< value is the wait status
  };
  Kind kind = Kind::kUnwatched;
  pid_t pid = 0;
  int value = 0;
  int kept = 0;  ///< N of the file that was renamed at this moment; 0: there was none
  std::string program;
  std::vector<std::string> argv;
  /// Of kForked: the maker's file has grown since it last made a process or a thread, or became this program.
  bool has_written = false;
  /// Of kExecuted and kEnded: another process with the same id, in its own PID namespace, may have written the file.
  bool shares_file = false;
};

/// The events of a log, an incomplete last one left out. Error{kMalformed} for what is no such log.
std::vector<ProcessEvent> read_process_events(std::string_view bytes);

/// What the owner of a watched tree sends to the watcher to end everything in it, wherever it has moved (setsid).
/// The same from anybody else is ignored, for a program may send it to its whole group.
constexpr int kEndTreeSignal = SIGUSR1;

/// Runs in the process between `owner` and `root`, its child, which waits until a byte comes out of `go`. Watches until
/// root has ended, then ends as root did; processes that are left run on unwatched, unless `owner` sent SIGTERM before:
/// then they are killed. When it sends kEndTreeSignal or ends, the tree is killed, and its watcher last. With an owner
/// of 0 no signal counts. `events` is open for writing.
[[noreturn]] void watch_process_tree(pid_t root, int go, int events, const char* file_prefix, pid_t owner);

}  // namespace icount
