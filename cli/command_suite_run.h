// icount suite run: see its help text in the .cc.
#pragma once

#include "cli/command.h"

namespace icount {

const CommandSpec& suite_run_command();

}  // namespace icount
