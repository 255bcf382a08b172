// Calls in a C++ statement whose inputs are constants: what the compiler can work out before the program runs. Read
// from the text alone, so it is a guess; timer/batch_gathering asks it only for statements that cost almost nothing.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// The first call in `stmt` all of whose arguments are literals, or variables that `setup` initialises with a literal
/// and never hides by icount::keep(variable): "std::to_string(123456789)". Empty when there is none; icount::keep
/// itself, casts and control flow are no calls.
std::string find_call_of_constants(std::string_view stmt, std::string_view setup);

}  // namespace icount
