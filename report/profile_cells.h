// Cells of the tables that show a profile: shares, and the place of a function. Used by profile_text.h and
// calls_text.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace icount {

/// What Callgrind writes for a file or an object that it does not know.
inline constexpr std::string_view kUnknownPlace = "???";

/// The file's name without its folders; the whole path with `raw`.
std::string base_of(std::string_view path, bool raw);

/// "dl-lookup.c, ld-linux-x86-64.so.2"; what is not known is left out.
std::string place_of(std::string_view file, std::string_view object, bool raw);

/// "12.34%"; "-" of nothing.
std::string percent_of(int64_t part, int64_t total);

}  // namespace icount
