// The fingerprint's facts that name what a whole program's count lacks. timer/count_program sets them where something
// is missing, comparable() refuses sides that lack different things.
#pragma once

#include <string_view>

namespace icount {

/// Processes that ran and are not in the count, or not as a whole, by name: "weird, weird, su".
inline constexpr std::string_view kUncountedFact = "uncounted processes";

/// What the program asked of Callgrind that takes something out of its count: "stop, zero".
inline constexpr std::string_view kRequestsFact = "client requests";

/// The cores that it may run on, of what asks for their number. What does not ask has no such fact: that is no
/// difference.
inline constexpr std::string_view kCoresFact = "cores";

}  // namespace icount
