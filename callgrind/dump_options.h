// The options by which Callgrind writes dumps at the calls of functions, in the one order and form in which it loses
// none of them. Pure; callgrind/run asks.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Options for a dump before each outermost call of the functions in `before` and one behind each in `after`, which are
/// names as profiles have them; "*" at the end of one of `before` stands for any text. Dumps may come at functions that
/// nobody asked for: what a dump was written for is its trigger.
std::vector<std::string> dump_options(std::span<const std::string> before, std::span<const std::string> after);

}  // namespace icount
