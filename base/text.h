// Text helpers without domain words: splitting, numbers as people read them, bytes made harmless for a terminal.
#pragma once

#include <cstddef>
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

// UTF-8, one code point at a time, for texts that come from anywhere: stray bytes are seen, never trusted.

struct CodePoint {
  size_t length;  ///< bytes of the well-formed sequence; 0 for a byte that starts none
  uint32_t value;
};

/// The code point at `at`, which lies within the text.
CodePoint decode_utf8(std::string_view text, size_t at);

/// The text with U+FFFD for every byte that is not UTF-8.
std::string with_valid_utf8(std::string_view text);

/// "1 run" for (1, "run"), "2,000 runs" for (2000, "run"). For nouns whose plural is an s more.
std::string counted(int64_t count, std::string_view noun);

/// Replaces every `from`, which is not empty, from left to right; what was put in is not looked at again.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Edits (insert, delete, replace a byte) between two words.
size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that `word` most likely means: it begins with `word` or `word` with it, ends with "_" and `word`, or
/// is a few edits away. Empty when none is near; of equally near ones the first.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

/// Without blanks at its ends; empty for an empty text.
std::string first_line(std::string_view text);

/// The last line that is not blank, without blanks at its ends; empty when there is none.
std::string last_line(std::string_view text);

// What keeps names from acting where they are only shown: characters that a terminal or a log obeys, and commands that
// hosted CI reads in what a job prints. base/json.h asks it, too.

/// Controls, DEL, those of the second set (U+0080 to U+009F), bidirectional controls, and the separators of lines and
/// paragraphs (U+2028, U+2029): none is printed as it is.
bool is_unprintable(uint32_t code_point);

/// Bytes at the beginning of `text` that show nothing: blanks of every width, line breaks, characters of no width. CI
/// and spreadsheets look behind them for commands and formulas.
size_t hidden_prefix(std::string_view text);

/// Whether the logs of hosted CI read a command at `at`, wherever in a line that is: "##[error]" and "##vso[" of Azure
/// and GitHub, "##teamcity[".
bool begins_log_command(std::string_view text, size_t at);

/// The line with a "::" at its beginning, where GitHub reads commands ("::set-env"), as "\x3a:". For lines that are put
/// together or cut after their texts were escaped.
std::string without_line_command(std::string line);

/// JSON text that means the same, with what is_unprintable() and begins_log_command() name written as \uNNNN.
std::string json_for_logs(std::string_view json);

}  // namespace icount
