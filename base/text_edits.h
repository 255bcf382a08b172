// Changes to a text: every place of a word replaced, and how many changes lie between two words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace icount {

/// Replaces every `from`, which is not empty, from left to right; what was put in is not looked at again.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Edits (insert, delete, replace a byte) between two words.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace icount
