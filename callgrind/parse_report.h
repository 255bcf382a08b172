// Where a parser's complaints go: failures become Error{kMalformed} "NAME:LINE: text", warnings are gathered once per
// cause. Line numbers are counted only when something is said, so that the hot path keeps none.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgrind/profile.h"
#include "icount/callgrind/scanner.h"

namespace icount {

class ParseReport {
 public:
  /// Speaks about `text` under `name`. A pointer outside `text` (the copy of an unfinished last line) is the last line.
  ParseReport(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  /// Throws for the line that holds `at`.
  [[noreturn]] void fail(const char* at, std::string_view what) const;

  /// scanner.h's find_line_end for lines of which not every character is looked at otherwise: fails where one is a NUL
  /// byte.
  const char* find_line_end(const char* p, const char* end) const {
    const char* const line_end = icount::find_line_end(p, end);
    if (std::memchr(p, '\0', static_cast<size_t>(line_end - p))) fail(p, "NUL byte");
    return line_end;
  }
  /// The line behind an empty line or a comment at p, likewise; nullptr when p's line is neither.
  const char* skip_empty_line(const char* p, const char* end) const {
    return *p == '#' ? find_line_end(p, end) + 1 : icount::skip_empty_line(p);
  }

  /// One more sighting of `cause`; its text is the first one given. `at` may lie anywhere.
  void warn(const char* at, const std::string& cause) { warn_times(at, cause, 1); }
  void warn_times(const char* at, const std::string& cause, int64_t times);

  /// All warnings by line, then text. "N lines not understood" gets its number here.
  std::vector<ProfileWarning> take_warnings() const;

  /// Number of the line that holds `at`, from 1.
  int64_t line_of(const char* at) const;

  /// A line that is neither of the grammar's; the first one is quoted.
  void count_unknown_line(const char* at, std::string_view line);

  /// At most `most` bytes of input, made harmless, for use inside a message.
  static std::string quote(std::string_view bytes, size_t most = 40);

 private:
  std::string_view text_;
  std::string name_;
  std::map<std::string, ProfileWarning> warnings_;
  int64_t unknown_lines_ = 0;
  const char* first_unknown_ = nullptr;
  std::string first_unknown_text_;
};

// Header lines ("key: text") and the sums at a part's end: what they put into Profile and ProfilePart. The parser
// decides which part a line belongs to.

/// Puts one header line into the profile or part. False when its key is none of the format's. Refuses format versions
/// above 1, unknown positions, events named twice.
bool read_header_line(std::string_view line, const ParseReport& report, Profile& profile, ProfilePart& part);

/// Whether the line's key is one of those above; such a line after body lines begins a part.
bool is_header_line(std::string_view line);

/// The numbers of a "summary:" or "totals:" line, one per event; missing ones are 0, numbers above int64 are held
/// there.
std::vector<int64_t> read_sums(std::string_view numbers, const ParseReport& report, size_t events);

}  // namespace icount
