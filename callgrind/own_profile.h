// Profiles that icount itself had Callgrind write. Callgrind goes on without a word when a write fails, and what a full
// disk leaves of a profile is a profile again: with fewer costs. So these are only read when they are whole; a file of
// the user's own may be less (callgrind/parser.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "icount/callgrind/parser.h"
#include "icount/callgrind/profile.h"

namespace icount {

/// What the last part of the file was written for.
enum class LastPart {
  kAny,            ///< the process may have been killed behind any of its dumps
  kProgramsEnd,    ///< Callgrind's own dump when the program ends
  kClientRequest,  ///< a client request or the monitor's command
};

/// `bytes` of `path` as a profile. Error{kIo} naming the file, what is missing and the room on its disk: unless it ends
/// with the totals: line of its last part, every part has totals: that are the sum of its costs, the parts are numbered
/// without a gap from `first_part` on, and the last one was written for what it should.
Profile parse_own_profile(std::string_view bytes, const std::filesystem::path& path, const ParseOptions& options,
                          LastPart last, int64_t first_part = 1);

/// Whether Callgrind wrote its last part when the program ended: after a dump before that, a process may have gone on.
bool reaches_programs_end(const Profile& profile);

/// The first event's number in the totals: line that ends such a file of one part. Error{kIo} likewise.
int64_t parse_own_total(std::string_view bytes, const std::filesystem::path& path);

/// Throws that Error{kIo}: "PATH: not the whole profile: WHAT; ...".
[[noreturn]] void fail_incomplete(const std::filesystem::path& path, std::string_view what);

}  // namespace icount
