// icount suite run: see its help text in the .cc.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& suite_run_command();

}  // namespace icount
