// UTF-8, one code point at a time, for texts that come from anywhere: stray bytes are seen, never trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace icount {

struct CodePoint {
  size_t length;  ///< bytes of the well-formed sequence; 0 for a byte that starts none
  uint32_t value;
};

/// The code point at `at`, which lies within the text.
CodePoint decode_utf8(std::string_view text, size_t at);

/// The text with U+FFFD for every byte that is not UTF-8.
std::string with_valid_utf8(std::string_view text);

}  // namespace icount
