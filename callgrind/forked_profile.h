// Where one process becomes two, or another program: Callgrind's counters are copied by fork and lost by exec, so a
// dump is asked for at the door of the C library's functions that do either. Used by callgrind/run.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "icount/callgrind/profile.h"

namespace icount {

/// Functions before whose entry a dump is written: those that make the system call for a new process (glibc's, older
/// glibc's, musl's; system and popen go through posix_spawn, which goes through clone) and for another program.
/// Callgrind dumps before a function that is not active. In a thread `clone` always is, since the thread began there:
/// so posix_spawn (by the names that Valgrind gives to symbols with versions) and what glibc calls clone through are
/// doors of their own.
inline constexpr std::array<std::string_view, 20> kLeavingFunctions = {
    "_Fork",         "fork",           "__fork",         "__libc_fork",  "vfork",
    "__vfork",       "__libc_vfork",   "clone",          "__clone",      "__clone3",
    "execve",        "fexecve",        "execveat",       "posix_spawn",  "posix_spawn@*",
    "__posix_spawn", "posix_spawnp@*", "__posix_spawnp", "posix_spawnp", "__clone_internal"};

/// Whether `function` is one of them; "*" at a name's end stands for any text.
bool is_leaving_function(std::string_view function);

/// Whether the process wrote a dump at such a door when it had run `block` basic blocks: a copy that begins there
/// inherited the handful of instructions from the door to the system call, and nothing else.
/// That the dump was written for this fork, and not for an earlier one, is for the caller to know.
bool has_fork_at(const Profile& parent, int64_t block);

}  // namespace icount
