#include "icount/base/utf8.h"

#include <algorithm>

namespace icount {

CodePoint decode_utf8(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {1, lead};
  const size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                                                      : 0;
  if (length == 0 || at + length > text.size()) return {0, 0};
  uint32_t value = lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xC0) != 0x80) return {0, 0};
    value = (value << 6) | (next & 0x3F);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  return overlong || surrogate || value > 0x10FFFF ? CodePoint{0, 0} : CodePoint{length, value};
}

std::string with_valid_utf8(std::string_view text) {
  std::string valid;
  for (size_t at = 0; at < text.size();) {
    const size_t length = decode_utf8(text, at).length;
    valid += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(at, length);
    at += std::max<size_t>(length, 1);
  }
  return valid;
}

}  // namespace icount
