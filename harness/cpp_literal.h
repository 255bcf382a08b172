// Texts in generated C++. Used by the files of this folder that write stubs.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// A C++ string literal with the bytes of `text`; what is not printable is written in octal, and no trigraph can arise.
std::string cpp_string_literal(std::string_view text);

}  // namespace icount
