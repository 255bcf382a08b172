// Whether a program's or library's file has the client request CALLGRIND_TOGGLE_COLLECT in it. Valgrind's log names the
// other requests that take something out of a count (callgrind/valgrind_log.h), not this one.
#pragma once

#include <filesystem>

namespace icount {

/// True when the loaded part of the file has a client request (on x86-64) and the number of this one
/// (valgrind/callgrind.h: 'C', 'T', 2), as the instruction that stores it has; debug information lists all numbers.
/// Whether it is ever asked is not looked at. False for a file that cannot be read (it may be executable and not
/// readable) and for one that is no 64-bit ELF file.
bool may_toggle_collection(const std::filesystem::path& file);

}  // namespace icount
