// A series of values as one short line of block characters, oldest first. For tables of `icount history`.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace icount {

/// At most `columns` of ▁▂▃▄▅▆▇█, from the lowest value of the series to its highest; a blank where a column has no
/// value. Each column stands for equally many neighbours and shows the last of them that is a value, so that the newest
/// one is always seen. Values that are all equal lie in the middle.
std::string render_sparkline(std::span<const std::optional<double>> values, size_t columns);

}  // namespace icount
