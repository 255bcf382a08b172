// Files that a command writes when its work is done: what would keep them from being written is better known before an
// hour of measuring than after it. Called by the commands that measure.
#pragma once

#include <optional>
#include <string>

namespace icount {

/// Why `path` can't be written, "is a folder" or the like; nullopt when it can, or is empty.
std::optional<std::string> why_not_writable(const std::string& path);

/// Error{kIo} "PATH: why not".
void check_writable(const std::string& path);

}  // namespace icount
