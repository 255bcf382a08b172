// The options that ask for more than instructions: rows and reader, shared by `icount count`, `bench`, `suite run` and
// `gate`. callgrind/user_options.h makes Callgrind's options of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "icount/console/options.h"
#include "icount/verdict/gate_limit.h"

namespace icount {

inline constexpr OptionSpec kEventsOption{
    "events", "cache,branch",
    "also simulate caches and branch prediction: the events Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw and Bc Bcm Bi Bim, and "
    "the models L1m, LLm, Bm and estimated"};
inline constexpr OptionSpec kCacheOption{"cache", "I1=BYTES,WAYS,LINE",
                                         "size of a simulated cache, I1, D1 or LL (default: this machine's)", true};
inline constexpr OptionSpec kSyscallsOption{"syscalls", "",
                                            "also count system calls (sysCount) and their time (sysTime)"};
inline constexpr OptionSpec kCallgrindOption{
    "callgrind-option", "OPTION", "pass an option to Callgrind; those that break counting are refused", true};

/// What they say, as Callgrind takes it; problems are noted on `parsed`.
std::vector<std::string> read_event_options(const ParsedOptions& parsed);

/// Adds what Callgrind has to measure for the events that limits name; `memory` is set when DHAT has to.
void add_events_of(const LimitSet& limits, std::vector<std::string>& callgrind_options, bool& memory);

}  // namespace icount
