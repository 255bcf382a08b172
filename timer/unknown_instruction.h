// An instruction that ended a measured process because Valgrind does not know it, told with its text and its function.
#pragma once

#include <string>

#include "icount/callgrind/valgrind_log.h"

namespace icount {

/// One line for the user.
std::string describe_unknown_instruction(UnhandledInstruction instruction);

}  // namespace icount
