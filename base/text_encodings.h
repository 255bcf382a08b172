// Bytes as text that every JSON reader takes (RFC 4648 base64 with padding), and hex digits.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// Four characters for every three bytes begun.
std::string to_base64(std::string_view bytes);

/// The bytes back. Error{kMalformed} beginning with `name` for anything else than padded base64 without blanks.
std::string from_base64(std::string_view text, std::string_view name);

/// 0 to 15 for a digit of either case; -1 for another character.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace icount
