// Hex digits: what the readers of escaped and binary texts take them apart with.
#pragma once

namespace icount {

/// 0 to 15 for a digit of either case; -1 for another character.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace icount
