// Any program under Callgrind, to its end, and the programs that it starts: how each ended and the profiles it left.
// For stubs, which hold many benchmarks, see harness/stub_client.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "icount/base/process.h"
#include "icount/base/process_tree.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/callgrind/own_profile.h"
#include "icount/callgrind/parser.h"
#include "icount/callgrind/profile.h"
#include "icount/callgrind/traced_calls.h"
#include "icount/callgrind/valgrind_log.h"

namespace icount {

struct CallgrindRunSpec {
  std::vector<std::string> argv;                        ///< the program and its arguments; looked up in our PATH
  std::optional<std::vector<std::string>> environment;  ///< nullopt: ours
  std::filesystem::path working_dir;                    ///< empty: ours
  std::filesystem::path input_file;                     ///< its standard input; empty: an empty one
  bool disable_aslr = false;
  bool follow_children = true;      ///< programs that it starts run under Callgrind, too; forked copies do in any case
  bool inherit_output = false;      ///< the program writes to our standard output and error
  bool instrument_at_start = true;  ///< false: the program's own CALLGRIND_START_INSTRUMENTATION decides
  bool separate_threads = false;
  std::vector<std::string> within;  ///< dumps at the calls of these functions, named as profiles name them
  /// Of kLeavingFunctions (callgrind/run.h), those by whose names the program calls functions of its own.
  std::vector<std::string> own_functions;
  int callers = 0;                   ///< contexts of so many callers (callgrind/command.h)
  std::vector<std::string> options;  ///< further options of Callgrind (callgrind/user_options.h)
  bool collect_jumps = false;        ///< record what happens inside functions
  bool list_system_calls = false;    ///< fill CallgrindRun::system_calls; each call takes ten microseconds longer
  Seconds time_limit{0};
  std::function<bool()> cancelled;
};

/// One process of the program: what it ran last and everything that it cost.
struct ProcessProfile {
  std::vector<std::string> argv;
  int parent = -1;  ///< index of who forked it; -1: the program itself
  enum class End { kExited, kSignalled, kOutlived } end = End::kExited;
  int code = 0;  ///< exit status or signal
  /// Of each program that it ran, one after the other; a forked copy's first begins at its fork.
  std::vector<Profile> programs;
  bool is_copy = false;  ///< programs[0] is a copy of programs[copied_from] of the parent
  size_t copied_from = 0;
  std::string not_counted;  ///< why it has no programs, or not all of them; empty: it is counted as a whole
};

struct CallgrindRun {
  ProcessOutcome outcome;
  std::vector<ProcessProfile> processes;  ///< the program, then what it started, each before its own; empty when it was
                                          ///< stopped, or ended before Callgrind could write
  std::optional<UnhandledInstruction> unhandled_instruction;  ///< when that is how it ended
  std::string unread_debug_information;   ///< a remark of callgrind/valgrind_log; empty: all was read
  bool maps_unlinked_code = false;        ///< of callgrind/valgrind_log: stale code may have run
  Chance chance;                          ///< of callgrind/valgrind_log
  std::vector<std::string> notes;         ///< what could not be followed
  std::vector<std::string> not_followed;  ///< the same as names: a program that Valgrind refused, "what it starts"
  CountingRequests requests;              ///< what the program itself took out of its count
  SystemCalls system_calls;               ///< with list_system_calls, of the run itself
};

/// Leaves the files that Callgrind and the watcher wrote in `folder`, which is empty before. Error{kTool} when the
/// program can't be started, Error{kIo} when a profile is not whole (callgrind/own_profile.h). A failing program is a
/// value.
CallgrindRun run_callgrind(const CallgrindRunSpec& spec, const Valgrind& valgrind, const std::filesystem::path& folder,
                           const ParseOptions& parse);

/// What Valgrind logged of the processes of a run, also of one that failed.
std::string load_run_logs(const std::filesystem::path& folder);

/// The processes and notes of an earlier run from the files that it left; they may be compressed.
CallgrindRun load_callgrind_run(const std::filesystem::path& folder, const ParseOptions& parse);

// Where one process becomes two, or another program: Callgrind's counters are copied by fork and lost by exec, so a
// dump is asked for at the door of the C library's functions that do either.

/// Functions before whose entry a dump is written: those that make the system call for a new process (glibc's, older
/// glibc's, musl's; system and popen go through posix_spawn, which goes through clone) and for another program.
/// Callgrind dumps before a function that is not active. In a thread `clone` always is, since the thread began there:
/// so posix_spawn (by the names that Valgrind gives to symbols with versions) and what glibc calls clone through are
/// doors of their own.
inline constexpr std::array<std::string_view, 20> kLeavingFunctions = {
    "_Fork",         "fork",           "__fork",         "__libc_fork",  "vfork",
    "__vfork",       "__libc_vfork",   "clone",          "__clone",      "__clone3",
    "execve",        "fexecve",        "execveat",       "posix_spawn",  "posix_spawn@*",
    "__posix_spawn", "posix_spawnp@*", "__posix_spawnp", "posix_spawnp", "__clone_internal"};

/// Whether `function` is one of them; "*" at a name's end stands for any text.
bool is_leaving_function(std::string_view function);

/// Whether the process wrote a dump at such a door when it had run `block` basic blocks: a copy that begins there
/// inherited the handful of instructions from the door to the system call, and nothing else.
/// That the dump was written for this fork, and not for an earlier one, is for the caller to know.
bool has_fork_at(const Profile& parent, int64_t block);

// The events of a watched tree (base/process_tree.h) -> the processes of a counted program, in an order that is the
// same in every run, with the profiles that each of them left. Pure.

/// One process that a counted program consisted of.
struct ListedProcess {
  pid_t pid = 0;
  int parent = -1;                ///< index of who forked it; -1: the program itself
  std::vector<std::string> argv;  ///< what it ran last; its parent's while it is a copy of that
  bool is_copy = false;           ///< it began as a copy of its parent, as all but the first do
  bool parent_wrote = false;      ///< of a copy: its parent wrote a profile for this very fork
  size_t parent_file = 0;         ///< of a copy: index in the parent's `kept` of the program that it is a copy of
  std::vector<int> kept;      ///< numbers of the files that it left, one per program that it ran; 0: that one left none
  bool shares_file = false;   ///< its files may be another process's (PID namespaces), so it has none
  bool followed = true;       ///< what it ran last ran under Callgrind
  std::optional<int> status;  ///< wait status; nullopt: it outlived the program
};

/// The first process first, then each before those it forked, in the order in which it did.
std::vector<ListedProcess> list_processes(std::span<const ProcessEvent> events);

// The folder that a run under Callgrind left (events of its processes, a profile and a log of Valgrind's for each) ->
// the processes with what they cost. timer/count_program keeps it.

/// Names in such a folder: the watcher's log; what stands before the process id of a profile and of a log.
inline constexpr const char* kRunEvents = "events";
inline constexpr const char* kRunProfilePrefix = "cg.";
inline constexpr const char* kRunLogPrefix = "log.";

class RunFolder {
 public:
  /// Error{kIo} when the events can't be read. Profiles may be compressed.
  RunFolder(std::filesystem::path folder, const ParseOptions& parse);

  /// What happened to the processes, in the order of time.
  const std::vector<ProcessEvent>& events() const { return events_; }

  /// All logs, one after the other.
  std::string load_logs() const;

  /// Valgrind's list of system calls, which is no part of the logs any more afterwards.
  SystemCalls take_system_calls();

  /// Fills processes, notes, not_followed and requests. Error{kIo} when a profile is not whole
  /// (callgrind/own_profile.h), Error{kTool} when Valgrind gave up the program itself.
  void read(CallgrindRun& run);

 private:
  ProcessProfile read_process(const ListedProcess& listed, const std::vector<ProcessProfile>& before,
                              const std::vector<ListedProcess>& all);
  void read_programs(const ListedProcess& listed, const std::vector<ProcessProfile>& before,
                     const std::vector<ListedProcess>& all, ProcessProfile& process);
  std::string why_nothing_is_left(const ListedProcess& listed, size_t program) const;
  std::string valgrinds_reason(pid_t pid) const;
  std::optional<Profile> parse_whole(std::string_view bytes, const std::filesystem::path& path, LastPart last,
                                     pid_t pid) const;
  bool begins_at_fork(const Profile& profile, const ListedProcess& listed, const std::vector<ProcessProfile>& before,
                      const std::vector<ListedProcess>& all);
  void add_notes(CallgrindRun& run) const;
  bool others_ran() const;

  std::filesystem::path folder_;
  const ParseOptions& parse_;
  std::vector<ProcessEvent> events_;
  std::set<std::tuple<size_t, size_t, int64_t>> starts_;  // of copies: their parent, its program, its basic block
};

}  // namespace icount
