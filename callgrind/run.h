// Any program under Callgrind, to its end: how it ended and the profile it left. For stubs, which hold many
// benchmarks, see harness/stub_client.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/callgrind/parser.h"
#include "icount/callgrind/profile.h"
#include "icount/callgrind/version.h"

namespace icount {

struct CallgrindRunSpec {
  std::vector<std::string> argv;                        ///< the program and its arguments; looked up in our PATH
  std::optional<std::vector<std::string>> environment;  ///< nullopt: ours
  std::filesystem::path working_dir;                    ///< empty: ours
  bool disable_aslr = false;
  bool follow_children = false;  ///< programs it starts are profiled too; the profile stays that of the first
  bool inherit_output = false;   ///< the program writes to our standard output and error
  bool collect_at_start = true;  ///< false: the program's own toggles decide
  int callers = 0;               ///< contexts of so many callers (callgrind/command.h)
  Seconds time_limit{0};
  ParseOptions parse;
  std::filesystem::path keep;  ///< non-empty: the raw profile is copied there
  std::function<bool()> cancelled;
};

struct CallgrindRun {
  ProcessOutcome outcome;
  std::optional<Profile>
      profile;  ///< all parts; nullopt when the program was stopped, or ended before Callgrind could write
  std::string unhandled_instruction;     ///< one line for the user when that is how it ended
  std::string unread_debug_information;  ///< a remark of callgrind/valgrind_log; empty: all was read
};

/// Error{kTool} when the program can't be started, Error{kIo} when its profile is not whole (callgrind/own_profile.h).
/// A failing program is a value.
CallgrindRun run_callgrind(const CallgrindRunSpec& spec, const Valgrind& valgrind);

}  // namespace icount
