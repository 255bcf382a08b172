// The options that say which statements are meant: one reading for `icount count` and `icount time`.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/harness/timer_args.h"

namespace icount {

inline constexpr OptionSpec kFileOption{"file", "FILE",
                                        "statements from a file: one per line, or sections headed by [label] lines"};
inline constexpr OptionSpec kGlobalOption{
    "global", "NAME=KIND:VALUE",
    "pass a copy of a value to the statements: n=int:5, r=float:0.5, on=bool:true, s=str:TEXT, b=bytes:00ff, "
    "b=file:FILE, v=json:[1,2] (a list or dict), x=tensor:FILE, m=module:FILE",
    true};
inline constexpr OptionSpec kLanguageOption{"language", "c++|torchscript|python",
                                            "language of the statements (default c++)"};

/// Problems are noted on `parsed`.
Language read_language(const ParsedOptions& parsed);

/// Every statement of --stmt and --file, for one thread, with --setup, --global-setup, --global and --backward.
/// Problems are noted on `parsed`; Error{kIo} and Error{kMalformed} for the file.
std::vector<TimerArgs> read_statement_texts(const ParsedOptions& parsed, Language language);

/// Warns of folders among the values of --cxxflag and `link_option` (-I, -isystem, -L...) that are not there: compilers
/// say nothing.
void warn_of_missing_folders(const ParsedOptions& parsed, const char* link_option, CommandContext& context);

/// The numbers of --num-threads; {1} without. More than one is a problem for a statement without any threads.
std::vector<int64_t> read_thread_counts(const ParsedOptions& parsed, const std::vector<TimerArgs>& statements);

}  // namespace icount
