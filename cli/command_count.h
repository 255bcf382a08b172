// `icount count`: instructions of statements, or of any program.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& count_command();

}  // namespace icount
