// `icount show FILE`: what one profile or saved result says, as tables or JSON.
#pragma once

#include "cli/command_spec.h"

namespace icount {

const CommandSpec& show_command();

}  // namespace icount
