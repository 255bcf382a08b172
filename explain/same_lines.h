// Which lines of the two sides' sources are one, where a diff of them is at hand. Made by mine/line_map.h; what pairs
// the lines of a function asks it before it compares figures.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace icount {

/// The line of head that a line of base is, by base's file as its profile has it; 0: head has no such line. Nothing:
/// the file is not known. Empty: none is.
using SameLines = std::function<std::optional<uint64_t>(std::string_view file, uint64_t line)>;

}  // namespace icount
