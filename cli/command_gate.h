// `icount gate`: is what changed allowed? See console/command_spec.h.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& gate_command();

}  // namespace icount
