// `icount bisect`: which commit made it dearer, and why. See cli/command_spec.h.
#pragma once

#include "cli/command_spec.h"

namespace icount {

const CommandSpec& bisect_command();

}  // namespace icount
