// Any program under Callgrind, to its end, and the programs that it starts: how each ended and the profiles it left.
// For stubs, which hold many benchmarks, see harness/stub_client.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/callgrind/parser.h"
#include "icount/callgrind/profile.h"
#include "icount/callgrind/traced_calls.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/callgrind/version.h"

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
  /// Of kLeavingFunctions (callgrind/forked_profile.h), those by whose names the program calls functions of its own.
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

}  // namespace icount
