#include "words.h"

int count_words(std::string_view text) {
  int words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool is_word = c != words_separator();
    words += is_word && !inside;
    inside = is_word;
  }
  return words;
}
