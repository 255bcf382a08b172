#include "icount/store/hex_bytes.h"

#include <cstddef>

namespace icount {

std::string to_hex_bytes(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex = "\\x";
  hex.reserve(2 + 2 * bytes.size());
  for (const unsigned char byte : bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string from_hex_bytes(std::string_view hex) {
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (size_t i = 2; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  return bytes;
}

}  // namespace icount
