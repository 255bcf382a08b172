// The options --valgrind and --counter of commands that count. cli/cli.cc puts what it says into the environment that
// the command gets (ICOUNT_VALGRIND), where what measures looks (callgrind/carried_valgrind.h).
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

inline constexpr OptionSpec kValgrindOption = {
    "valgrind", "carried|system|PROGRAM",
    "which Valgrind counts: the one that was installed with icount, the system's, or a program (default: "
    "ICOUNT_VALGRIND, else the carried one where there is one)"};

/// Likewise ICOUNT_COUNTER (callgrind/own_counter.h).
inline constexpr OptionSpec kCounterOption = {
    "counter", "callgrind|own",
    "which tool of Valgrind counts: Callgrind, or icount's own, which needs a fraction of the time (docs/counter.md; "
    "default: ICOUNT_COUNTER, else icount's own where it can)"};

bool has_valgrind_option(const CommandSpec& command);
bool has_counter_option(const CommandSpec& command);

}  // namespace icount
