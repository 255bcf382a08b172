// The Callgrind command line, in one place: every option with its reason (docs/measuring.md).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgrind/installed_valgrind.h"

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

// The options by which Callgrind writes dumps at the calls of functions, in the one order and form in which it loses
// none of them.

/// Options for a dump before each outermost call of the functions in `before` and one behind each in `after`, which are
/// names as profiles have them; "*" at the end of one of `before` stands for any text. Dumps may come at functions that
/// nobody asked for: what a dump was written for is its trigger.
std::vector<std::string> dump_options(std::span<const std::string> before, std::span<const std::string> after);

// How Valgrind is started so that the program does not see in which folder that happens. Debian's /usr/bin/valgrind is
// a shell script that sets variables and executes valgrind.bin; the shell adds PWD to the environment, whose length
// moves the program's stack and with it, by some instructions, its count.

/// What replaces `valgrind`, argv[0] of a command: the same script with PWD and OLDPWD unset before it executes
/// Valgrind. `script` is what the file `valgrind` begins with. {valgrind} for anything but a script of /bin/sh that
/// ends with `exec $0.bin "$@"`, $0.bin quoted or not: an executable adds nothing to the environment.
std::vector<std::string> make_launcher(const std::filesystem::path& valgrind, std::string_view script);

/// The same, of the file's own text.
std::vector<std::string> load_launcher(const std::filesystem::path& valgrind);

}  // namespace icount
