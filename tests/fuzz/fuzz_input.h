// What every fuzz target wants of a reader: a value or an Error, never anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "icount/base/error.h"

namespace icount {

inline std::string_view as_text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// What `read` returns; nullopt when it throws an Error, which is in order: most of a fuzzer's inputs must be refused.
template <typename Read>
auto accepted(Read&& read) -> std::optional<decltype(read())> {
  try {
    return std::forward<Read>(read)();
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Whether a target replays its corpus, as tests do, or searches for inputs. Where an input has several properties to be
// looked at, a search looks at one, which the input chooses, and so at more inputs; a replay looks at all.

#ifdef ICOUNT_FUZZ_REPLAY
inline constexpr bool kReplays = true;
#else
inline constexpr bool kReplays = false;
#endif

// A fuzzer's input as a recipe: what a target that makes profiles of bytes reads them by.

/// Bytes as numbers; 0 where there are no more.
class Recipe {
 public:
  explicit Recipe(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return at_ >= bytes_.size(); }
  uint8_t next() { return empty() ? uint8_t{0} : static_cast<uint8_t>(bytes_[at_++]); }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

// A text put together of words of a grammar: how targets get past the first check of what is written by hand.

/// Up to `most` of the words, one after the other.
inline std::string words_of(Recipe& recipe, std::span<const std::string_view> words, unsigned most) {
  std::string text;
  for (unsigned left = recipe.next() % (most + 1); left > 0; --left) text += words[recipe.next() % words.size()];
  return text;
}

}  // namespace icount
