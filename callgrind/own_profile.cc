#include "icount/callgrind/own_profile.h"

#include <fmt/format.h>

#include "icount/base/disk_room.h"
#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

/// The numbers of the totals: line with which Callgrind ends a part; `bytes` must end with it.
std::string_view last_totals(std::string_view bytes, const std::filesystem::path& path) {
  constexpr std::string_view kKey = "totals: ";
  if (bytes.empty()) fail_incomplete(path, "nothing was written");
  const std::string_view whole = bytes.substr(0, bytes.size() - (bytes.ends_with('\n') ? 1 : 0));
  const std::string_view line = whole.substr(whole.rfind('\n') + 1);  // npos + 1 is 0
  if (whole.size() == bytes.size() || !line.starts_with(kKey))
    fail_incomplete(path, fmt::format("it ends after {} bytes without its totals: line", with_thousands(bytes.size())));
  return line.substr(kKey.size());
}

/// Parts of several threads have one number.
void check_parts(const Profile& profile, const std::filesystem::path& path, int64_t first_part) {
  int64_t last = first_part - 1;
  for (const ProfilePart& part : profile.parts) {
    const bool follows = part.number == last + 1 || (part.number == last && last >= first_part);
    if (!follows) fail_incomplete(path, fmt::format("part {} is in the place of part {}", part.number, last + 1));
    if (!part.has_totals) fail_incomplete(path, fmt::format("part {} has no totals: line", part.number));
    last = part.number;
  }
}

bool is_programs_end(const ProfilePart& part) { return part.trigger.find("Program termination") != std::string::npos; }

/// Callgrind's words for why it wrote a part; a monitor's command has none of Callgrind's own before them.
bool is_written_for(const ProfilePart& part, LastPart last) {
  return last == LastPart::kAny || is_programs_end(part) == (last == LastPart::kProgramsEnd);
}

}  // namespace

void fail_incomplete(const std::filesystem::path& path, std::string_view what) {
  throw Error(ErrorKind::kIo,
              fmt::format("{}: not the whole profile: {}; {}; a full disk cuts profiles off: make room, "
                          "or set TMPDIR to a folder that has some. Where there is room, the program keeps Callgrind "
                          "from writing: it limits its own files or memory, forbids opening files (seccomp), "
                          "changes its user or root folder, or executes another program without the C library",
                          path.string(), what, describe_room(path.parent_path())));
}

Profile parse_own_profile(std::string_view bytes, const std::filesystem::path& path, const ParseOptions& options,
                          LastPart last, int64_t first_part) {
  last_totals(bytes, path);
  Profile profile;
  try {
    profile = parse_profile(bytes, path.string(), options);
  } catch (const Error& error) {
    fail_incomplete(path, error.what());
  }
  check_parts(profile, path, first_part);
  if (!is_written_for(profile.parts.back(), last))
    fail_incomplete(path, fmt::format("its last part was written for \"{}\"", profile.parts.back().trigger));
  return profile;
}

bool reaches_programs_end(const Profile& profile) {
  return !profile.parts.empty() && is_programs_end(profile.parts.back());
}

int64_t parse_own_total(std::string_view bytes, const std::filesystem::path& path) {
  const std::string_view numbers = last_totals(bytes, path);
  const auto total = parse_int64(numbers.substr(0, numbers.find(' ')));
  if (!total) fail_incomplete(path, fmt::format("its totals: line says {}", escape_for_terminal(numbers)));
  return *total;
}

}  // namespace icount
