// icount suite list: see its help text in the .cc.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& suite_list_command();

}  // namespace icount
