// Where one process becomes two, or another program: Callgrind's counters are copied by fork and lost by exec, so a
// dump is asked for at the door of the C library's functions that do either. Used by callgrind/run.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "icount/callgrind/profile.h"

namespace icount {

/// Functions before whose entry a dump is written: those that make the system call for a new process (glibc's, older
/// glibc's, musl's; posix_spawn, system and popen go through clone) and for another program.
inline constexpr std::array<std::string_view, 13> kLeavingFunctions = {
    "_Fork", "fork",    "__fork",   "__libc_fork", "vfork",   "__vfork", "__libc_vfork",
    "clone", "__clone", "__clone3", "execve",      "fexecve", "execveat"};

/// Whether `function` is one of them.
bool is_leaving_function(std::string_view function);

/// Whether the process wrote a dump at such a door when it had run `block` basic blocks: a copy that begins there
/// inherited the handful of instructions from the door to the system call, and nothing else.
bool has_fork_at(const Profile& parent, int64_t block);

}  // namespace icount
