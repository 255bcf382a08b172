// `icount bisect`: which commit made it dearer, and why. See console/command_spec.h.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& bisect_command();

}  // namespace icount
