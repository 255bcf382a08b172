// `icount show FILE`: what one profile or saved result says, as tables or JSON.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& show_command();

}  // namespace icount
