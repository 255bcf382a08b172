// The option --valgrind of every command that counts. cli/cli.cc puts what it says into the environment that the
// command gets (ICOUNT_VALGRIND), where what measures looks (callgrind/carried_valgrind.h).
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

inline constexpr OptionSpec kValgrindOption = {
    "valgrind", "carried|system|PROGRAM",
    "which Valgrind counts: the one that was installed with icount, the system's, or a program (default: "
    "ICOUNT_VALGRIND, else the carried one where there is one)"};

bool has_valgrind_option(const CommandSpec& command);

}  // namespace icount
