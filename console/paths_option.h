// The option --paths of every command that shows names of files: whether the reader's own folders are shortened away
// (base/reader_paths.h). cli/cli.cc does it to everything that such a command prints; files of a command's own (an HTML
// page, the answers of a gate) ask for it themselves.
#pragma once

#include "icount/base/reader_paths.h"
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

}  // namespace icount
