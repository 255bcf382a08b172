// icount. What it can do: cli/commands.cc lists the commands, each cli/command_*.cc is one of them, cli/cli.cc finds
// the one that was asked for and turns failures into messages and exit codes (console/command_spec.h).
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "icount/base/error.h"
#include "icount/base/program_paths.h"
#include "icount/cli/cli.h"
#include "icount/console/process_events.h"
#include "icount/harness/build_cache.h"
#include "icount/objects/known_names.h"

namespace {

/// Keeps memory that was freed: large tables grow by doubling, and giving each one back to the system to get fresh,
/// empty pages for the next took a quarter of the time in which a profile is read.
void keep_freed_memory() {
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  ::mallopt(M_TOP_PAD, 4 << 20);
}

}  // namespace

int main(int argc, char** argv) {
  icount::fill_standard_descriptors();
  icount::explain_lost_memory();
  keep_freed_memory();
  std::ios::sync_with_stdio(false);
  // A closed pipe is the reader's decision ("icount show x | head"), not a failure.
  ::signal(SIGPIPE, SIG_IGN);
  // A file that may not grow (ulimit -f) is a failed write with a message, as on a full disk.
  ::signal(SIGXFSZ, SIG_IGN);
  // Whoever starts us may ignore it, and the system would not tell us then how programs ended.
  ::signal(SIGCHLD, SIG_DFL);
  icount::catch_interrupts();
  icount::explain_lost_mappings();

  const icount::Environment environment = icount::current_environment();
  icount::CommandContext context{
      .out = std::cout,
      .err = std::cerr,
      .terminal = icount::probe_terminal(STDOUT_FILENO, environment),
      .error_terminal = icount::probe_terminal(STDERR_FILENO, environment),
      .environment = environment,
      .cancelled = icount::interrupted,
      .arguments = {argv + 1, argv + argc},
      .program = icount::own_program(),
  };
  icount::ignore_failures(
      [&] { icount::keep_names_in(icount::default_cache_dir(environment)); });  // they are read again
  errno = 0;
  const icount::ExitCode code = icount::run_icount(context);
  if (!std::cout.good() && errno != EPIPE) {
    std::cerr << "icount: cannot write to standard output\n";
    return static_cast<int>(icount::ExitCode::kFailure);
  }
  icount::end_by_interrupt();
  return static_cast<int>(code);
}
