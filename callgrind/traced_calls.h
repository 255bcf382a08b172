// What a program looked at besides its memory, from Valgrind's own list of its system calls (--trace-syscalls=yes),
// which has every one, however it is made. Pure. Made into a record of what its count stands on by
// timer/program_sources.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace icount {

struct SystemCalls {
  std::set<std::string> files;      ///< opened for reading, or not found
  std::set<std::string> folders;    ///< listed
  std::set<std::string> looked_at;  ///< stat, access, readlink and their kind
  bool own_file = false;            ///< it asked where its own file lies
  std::string unknown;              ///< what it asked for that can't be asked again, in words; empty: nothing
};

/// Of the first process in the log. Paths are as the program gave them. What is not known to be of no consequence is
/// unknown. Of `log` without such a list everything is.
SystemCalls find_system_calls(std::string_view log);

/// The log without them, as it is without that option.
std::string without_system_calls(std::string_view log);

}  // namespace icount
