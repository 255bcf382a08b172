// Options that several commands have. --paths, of every command that shows names of files: whether the reader's own
// folders are shortened away (base/reader_paths.h). cli/cli.cc does it to everything that such a command prints; files
// of a command's own (an HTML page, the answers of a gate) ask for it themselves.
#pragma once

#include <optional>
#include <string>

#include "icount/base/reader_paths.h"
#include "icount/console/command_spec.h"
#include "icount/console/options.h"

namespace icount {

inline constexpr OptionSpec kPathsOption = {
    "paths", "short|full",
    "how to print paths below the current folder, the repository and the home folder: relative, from the repository's "
    "name, from ~; or in full (default short)"};

bool has_paths_option(const CommandSpec& command);

/// The current folder, the nearest folder from it upward that holds .git, and HOME; none of them with --paths full. The
/// command's check() says what is wrong with the option.
ReaderPaths probe_reader_paths(const ParsedOptions& parsed, const Environment& environment);

// The options --valgrind and --counter of commands that count. cli/cli.cc puts what it says into the environment that
// the command gets (ICOUNT_VALGRIND), where what measures looks (callgrind/installed_valgrind.h).

inline constexpr OptionSpec kValgrindOption = {
    "valgrind", "carried|system|PROGRAM",
    "which Valgrind counts: the one that was installed with icount, the system's, or a program (default: "
    "ICOUNT_VALGRIND, else the carried one where there is one)"};

/// Likewise ICOUNT_COUNTER (callgrind/installed_valgrind.h).
inline constexpr OptionSpec kCounterOption = {
    "counter", "callgrind|own",
    "which tool of Valgrind counts: Callgrind, or icount's own, which needs a fraction of the time (docs/counter.md; "
    "default: ICOUNT_COUNTER, else icount's own where it can)"};

bool has_valgrind_option(const CommandSpec& command);
bool has_counter_option(const CommandSpec& command);

// Files that a command writes when its work is done: what would keep them from being written is better known before an
// hour of measuring than after it.

/// Why `path` can't be written, "is a folder" or the like; nullopt when it can, or is empty.
std::optional<std::string> why_not_writable(const std::string& path);

/// Error{kIo} "PATH: why not".
void check_writable(const std::string& path);

}  // namespace icount
