// icount suite show: see its help text in the .cc.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& suite_show_command();

}  // namespace icount
