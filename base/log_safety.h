// What keeps names from acting where they are only shown: characters that a terminal or a log obeys, and commands that
// hosted CI reads in what a job prints. base/text.h escapes texts with it, base/json.h what is printed as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace icount {

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
