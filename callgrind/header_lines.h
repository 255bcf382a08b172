// Header lines ("key: text") and the sums at a part's end: what they put into Profile and ProfilePart. The parser
// decides which part a line belongs to.
#pragma once

#include <string_view>
#include <vector>

#include "icount/callgrind/parse_report.h"
#include "icount/callgrind/profile.h"

namespace icount {

/// Puts one header line into the profile or part. False when its key is none of the format's. Refuses format versions
/// above 1, unknown positions, events named twice.
bool read_header_line(std::string_view line, const ParseReport& report, Profile& profile, ProfilePart& part);

/// Whether the line's key is one of those above; such a line after body lines begins a part.
bool is_header_line(std::string_view line);

/// The numbers of a "summary:" or "totals:" line, one per event; missing ones are 0, numbers above int64 are held
/// there.
std::vector<int64_t> read_sums(std::string_view numbers, const ParseReport& report, size_t events);

}  // namespace icount
