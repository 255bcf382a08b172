// The Callgrind command line, in one place: every option with its reason (docs/measuring.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/callgrind/version.h"

namespace icount {

struct CallgrindOptions {
  std::filesystem::path out_file;   ///< with %p for the process id where several write
  bool instrument_at_start = true;  ///< false: the program asks for it (stub servers)
  bool collect_at_start = true;     ///< false: the program toggles (PyTorch's markers)
  bool follow_children = false;     ///< also programs that it starts (exec)
  bool collect_jumps = false;       ///< jumps between instructions: what happens inside functions
  int callers = 0;                  ///< contexts: each function once for every chain of so many callers; 0: none
  std::vector<std::string> extra;   ///< after all others
};

/// A file as Valgrind's options name it: a '%' in it, of TMPDIR, is none of Valgrind's own.
std::string valgrind_path(const std::filesystem::path& path);

/// What gives a program the stack that it has without Valgrind, whose main threads have 16 MB at most unless told: an
/// option, or none where that is enough (`ulimit -s`).
std::vector<std::string> probe_stack_options();

/// argv up to the program: "valgrind -q --tool=callgrind ...", or icount's own tool where valgrind.counter_folder is
/// set; that one knows what icount itself asks for, no callers and no further events.
std::vector<std::string> make_callgrind_command(const Valgrind& valgrind, const CallgrindOptions& options);

}  // namespace icount
