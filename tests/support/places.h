// Where the tree under test and its build lie. Functions, not macros, so that one source file alone knows the paths.
#pragma once

#include <string>

namespace icount {

/// The project's root, without a slash behind it.
std::string source_dir();
/// The build folder, without a slash behind it; icount itself lies in it.
std::string binary_dir();

}  // namespace icount
