// `icount manual` and `icount completions`: the tables of the commands as manual pages and as completions of shells.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& manual_command();
const CommandSpec& completions_command();

}  // namespace icount
