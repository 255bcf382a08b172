// A text put together of words of a grammar: how targets get past the first check of what is written by hand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/recipe.h"

namespace icount {

/// Up to `most` of the words, one after the other.
inline std::string words_of(Recipe& recipe, std::span<const std::string_view> words, unsigned most) {
  std::string text;
  for (unsigned left = recipe.next() % (most + 1); left > 0; --left) text += words[recipe.next() % words.size()];
  return text;
}

}  // namespace icount
