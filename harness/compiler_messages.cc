#include "icount/harness/compiler_messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/harness/stub_source.h"
#include "icount/harness/torchscript_source.h"

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

/// Of the source line under an error, where it declares that a TorchScript statement reads a name: what is wrong in the
/// user's own text. Empty for other lines.
std::string undefined_parameter(std::string_view source) {
  const size_t at = source.find(kTorchScriptReads);
  if (at == std::string_view::npos) return {};
  const size_t begin = source.find("(void)(") + 7, end = source.find(')', begin);
  if (begin < 7 || end == std::string_view::npos) return {};
  return fmt::format("stmt: '{}' is not defined: the set-up (C++) has no such variable; the statement reads it in: {}",
                     source.substr(begin, end - begin), trim(source.substr(at + kTorchScriptReads.size())));
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
  const std::vector<std::string_view> all = split_lines(message);
  for (size_t i = 0; i < all.size(); ++i) {
    std::string error = error_of_line(all[i]);
    // Once the end of the global set-up is missed, all behind it is taken for a part of it.
    const bool misses_end = first.starts_with(kAfterGlobalSetup);
    if (is_users_text(error) && !misses_end) {
      const std::string undefined = i + 1 < all.size() ? undefined_parameter(all[i + 1]) : std::string();
      return undefined.empty() ? error : undefined;
    }
    if (first.empty()) first = error;
  }
  for (const auto& [place, text] : {std::pair{kAfterGlobalSetup, "global_setup"}, {"icount-generated", "stmt"}})
    if (first.starts_with(place))
      return fmt::format("{}: unexpected end of the text; are its braces, quotes and comments closed? ({})", text,
                         first);
  if (std::string unlinked = unlinked_symbol(message); !unlinked.empty()) return unlinked;
  if (!first.empty()) return first;
  for (const std::string_view line : split_lines(message))
    if (line.find("error") != std::string_view::npos || line.find("undefined") != std::string_view::npos)
      return std::string(trim(line));
  const auto lines = split_lines(message);
  return lines.empty() ? "the compiler failed without a message" : std::string(trim(lines[0]));
}

}  // namespace icount
