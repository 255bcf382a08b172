// Changes to a text: every place of a word replaced, how many changes lie between two words, and which word is meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Replaces every `from`, which is not empty, from left to right; what was put in is not looked at again.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Edits (insert, delete, replace a byte) between two words.
size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that `word` most likely means: it begins with `word` or `word` with it, ends with "_" and `word`, or
/// is a few edits away. Empty when none is near; of equally near ones the first.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace icount
