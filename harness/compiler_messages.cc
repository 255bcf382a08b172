#include "icount/harness/compiler_messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/harness/stub_source.h"

namespace icount {
namespace {

/// "NAME:LINE:COLUMN: error: WHAT" -> "NAME:LINE:COLUMN: WHAT"; empty for other lines.
std::string error_of_line(std::string_view line) {
  for (const std::string_view mark : {": error: ", ": fatal error: "}) {
    const size_t at = line.find(mark);
    if (at != std::string_view::npos)
      return std::string(line.substr(0, at)) + ": " + std::string(line.substr(at + mark.size()));
  }
  return {};
}

/// A linker's complaint with the user's line: "stmt:1: undefined symbol: f()"; empty when the message is another.
std::string unlinked_symbol(std::string_view message) {
  constexpr std::string_view kLld = "undefined symbol: ";
  constexpr std::string_view kPlace = ">>> referenced by ";
  constexpr std::string_view kBfd = ": undefined reference to ";
  std::string symbol;
  for (const std::string_view line : split_lines(message)) {
    if (const size_t at = line.find(kLld); at != std::string_view::npos) symbol = plain_function_name(line.substr(at));
    if (!symbol.empty() && line.starts_with(kPlace))
      return fmt::format("{}: {}", trim(line.substr(kPlace.size(), line.find(" (") - kPlace.size())), symbol);
    if (const size_t at = line.find(kBfd); at != std::string_view::npos) {
      const size_t place = line.rfind('/', at);
      return plain_function_name(line.substr(place == std::string_view::npos ? 0 : place + 1));
    }
  }
  return symbol;
}

bool is_users_text(std::string_view place) {
  for (const std::string_view name : {"stmt:", "setup:", "global_setup:", "backward:"})
    if (place.starts_with(name)) return true;
  return false;
}

}  // namespace

Members suspects_of(std::string_view message, const Members& among) {
  Members suspects;
  for (const std::string_view line : split_lines(message)) {
    const size_t at = line.find("icount-");
    if (at == std::string_view::npos || error_of_line(line).empty()) continue;
    const std::string_view digits = line.substr(at + 7, line.find('/', at) - at - 7);
    const auto index = parse_int64(digits);
    if (!index || std::find(among.begin(), among.end(), static_cast<size_t>(*index)) == among.end()) continue;
    if (std::find(suspects.begin(), suspects.end(), static_cast<size_t>(*index)) == suspects.end())
      suspects.push_back(static_cast<size_t>(*index));
  }
  return suspects;
}

Members unlinked_of(std::string_view message, const Members& among) {
  Members suspects;
  for (const std::string_view line : split_lines(message)) {
    const long index = benchmark_of_name(line);
    if (index < 0 || std::find(among.begin(), among.end(), static_cast<size_t>(index)) == among.end()) continue;
    if (std::find(suspects.begin(), suspects.end(), static_cast<size_t>(index)) == suspects.end())
      suspects.push_back(static_cast<size_t>(index));
  }
  return suspects;
}

std::string first_compiler_error(std::string_view message) {
  std::string first;
  for (const std::string_view line : split_lines(message)) {
    std::string error = error_of_line(line);
    if (is_users_text(error)) return error;
    if (first.empty()) first = error;
  }
  if (first.starts_with("icount-generated:"))
    return "stmt: unexpected end of the text; are its braces, quotes and comments closed? (" + first + ")";
  if (std::string unlinked = unlinked_symbol(message); !unlinked.empty()) return unlinked;
  if (!first.empty()) return first;
  for (const std::string_view line : split_lines(message))
    if (line.find("error") != std::string_view::npos || line.find("undefined") != std::string_view::npos)
      return std::string(trim(line));
  const auto lines = split_lines(message);
  return lines.empty() ? "the compiler failed without a message" : std::string(trim(lines[0]));
}

}  // namespace icount
