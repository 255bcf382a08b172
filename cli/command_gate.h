// `icount gate`: is what changed allowed? See cli/command_spec.h.
#pragma once

#include "cli/command_spec.h"

namespace icount {

const CommandSpec& gate_command();

}  // namespace icount
