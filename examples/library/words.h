// A small library to be counted.
#pragma once

#include <string_view>

/// Words between separators. WORDS_SEPARATOR comes from the target.
int count_words(std::string_view text);
inline char words_separator() { return WORDS_SEPARATOR; }
