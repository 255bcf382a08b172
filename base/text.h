// Text helpers without domain words: splitting, numbers as people read them, bytes made harmless for a terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Pieces between separators; an empty text gives one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Lines without their LF (a CR before it stays); a final LF opens no further line, an empty text has no line.
std::vector<std::string_view> split_lines(std::string_view text);

/// Without blanks, tabs, CR and LF at both ends.
std::string_view trim(std::string_view text);

/// 1234567 -> "1,234,567"; negative numbers keep their sign in front.
std::string with_thousands(int64_t value);

/// Like with_thousands, with "+" before positive numbers; 0 -> "0".
std::string with_sign(int64_t value);

/// A whole decimal int64 (optional sign), nothing before or after; nullopt otherwise, overflow included.
std::optional<int64_t> parse_int64(std::string_view text);

/// Control bytes, DEL and bytes that are not UTF-8 as \xNN, bidirectional controls as \u{...}: a terminal stays as it
/// was. The first character of what hosted CI reads as a command ("::error" at a line's beginning, "##[" anywhere) too.
std::string escape_for_terminal(std::string_view text);

/// escape_for_terminal on each line; line breaks stay.
std::string escape_lines_for_terminal(std::string_view text);

/// Columns a terminal uses for UTF-8 text, counted in code points.
size_t display_width(std::string_view text);

/// At most `width` code points; what is cut from the middle becomes " ... ".
std::string shorten_middle(std::string_view text, size_t width);

/// Length of the longest common prefix.
size_t common_prefix(std::string_view a, std::string_view b);

}  // namespace icount
