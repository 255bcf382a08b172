// Run-length coding of text, small enough to read at a glance: the library that this example's suite measures.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace run_length {

/// "aaab" -> "3a1b"; runs longer than nine are split.
inline std::string encode(std::string_view text) {
  std::string packed;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t run = 1;
    while (run < 9 && i + run < text.size() && text[i + run] == text[i]) ++run;
    packed += static_cast<char>('0' + run);
    packed += text[i];
    i += run;
  }
  return packed;
}

/// The text that encode() was given.
inline std::string decode(std::string_view packed) {
  std::string text;
  for (std::size_t i = 0; i + 1 < packed.size(); i += 2)
    text.append(static_cast<std::size_t>(packed[i] - '0'), packed[i + 1]);
  return text;
}

}  // namespace run_length
