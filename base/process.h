// Child processes: argv in, a value out. Every end of a child is a value (exit code, signal, time-out); only a program
// that cannot be started at all is an Error. The child gets a process group of its own, which is ended as a whole.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/command_line.h"
#include "icount/base/process_tree.h"

namespace icount {

using Seconds = std::chrono::duration<double>;

/// What to run and under which limits.
struct ProcessSpec {
  std::vector<std::string> argv;                        ///< argv[0] is looked up in PATH when it has no slash
  std::optional<std::vector<std::string>> environment;  ///< complete block of NAME=VALUE; nullopt: ours
  std::filesystem::path working_dir;                    ///< empty: ours
  std::string input;                                    ///< fed to standard input, then closed
  std::filesystem::path input_file;                     ///< non-empty: standard input is this file, `input` is not used
  Seconds time_limit{0};  ///< 0: none; then SIGTERM to the group, a second of grace, SIGKILL (watched: the tree)
  size_t max_output_bytes = size_t{1} << 24;  ///< per stream; more is read and dropped, the tail is kept
  bool disable_aslr = false;                  ///< personality(ADDR_NO_RANDOMIZE); see ProcessOutcome::aslr_refused
  bool inherit_output = false;                ///< the child writes to our stdout and stderr, nothing is captured
  std::optional<TreeWatch> watch;             ///< watch it and what it starts (base/process_tree.h)
  std::function<bool()> cancelled;            ///< asked ten times a second; true ends the group as a time-out does
};

/// How it ended.
struct ProcessOutcome {
  enum class End { kExited, kSignalled, kTimedOut, kCancelled };
  End end = End::kExited;
  int pid = 0;        ///< of the program, for files named after it; of a watched one the events tell it
  int exit_code = 0;  ///< when kExited
  int signal = 0;     ///< when kSignalled
  std::string output;
  std::string errors;
  bool output_cut = false;  ///< more than max_output_bytes came; the tail is here
  bool aslr_refused = false;
  Seconds wall{0};

  bool ok() const { return end == End::kExited && exit_code == 0; }
};

/// Runs to the end. Error{kTool} "cannot start PROGRAM: REASON" when exec fails, "cannot learn how PROGRAM ended" when
/// this process ignores SIGCHLD or waits for it elsewhere, Error{kIo} when no pipe or process is to be had.
ProcessOutcome run_process(const ProcessSpec& spec);

/// "exit status 3", "killed by signal 11 (SIGSEGV)", "no end after 10 s, stopped".
std::string describe_end(const ProcessOutcome& outcome);

/// "SIGSEGV" for 11; "signal 99" for what has no name.
std::string signal_name(int signal);

}  // namespace icount
