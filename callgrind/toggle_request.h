// Whether a program's file has the client request CALLGRIND_TOGGLE_COLLECT in it. Valgrind's log names the other
// requests that take something out of a count (callgrind/valgrind_log.h), not this one.
#pragma once

#include <filesystem>

namespace icount {

/// True when the request's number (valgrind/callgrind.h: 'C', 'T', 2) stands in the file, as the immediate of the
/// instruction that stores it; other data of the same four bytes is possible and rare (one file of 40 MB in a hundred).
/// False for a file that cannot be read: it may be executable and not readable.
bool may_toggle_collection(const std::filesystem::path& program);

}  // namespace icount
