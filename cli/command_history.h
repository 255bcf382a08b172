// `icount history`: how benchmarks went over the stored runs, and which commits changed them.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& history_command();

}  // namespace icount
