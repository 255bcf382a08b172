// PTX, the text that a driver compiles when a program is loaded: where there is no machine code it is what can be
// compared. As a Cubin whose functions have text for code: comments, places in the source and the version are left out.
#pragma once

#include <string>
#include <string_view>

#include "icount/kernels/cubin.h"

namespace icount {

/// "sm_90 (PTX)" is its architecture. What stands outside kernels is a part of each. Error{kMalformed} for a kernel
/// without an end.
Cubin parse_ptx(std::string_view text, std::string name);

}  // namespace icount
