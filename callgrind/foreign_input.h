// Input that is no profile at all: empty, compressed, binary, some other text. Refused with words that say what to do.
#pragma once

#include <string_view>

#include "icount/callgrind/parse_report.h"

namespace icount {

/// Throws for an empty input and for compressed data.
void refuse_other_formats(std::string_view bytes, const ParseReport& report);

/// Throws when `piece` of `bytes` holds a NUL byte: no profile where `bytes` has no events: line, else a damaged one.
void refuse_nul(std::string_view piece, std::string_view bytes, const ParseReport& report);

/// Whether any line begins with "events:".
bool has_events_line(std::string_view bytes);

/// "no events: line; ...", with the first bytes shown.
[[noreturn]] void fail_without_events(std::string_view bytes, const ParseReport& report);

}  // namespace icount
