// `icount diff BASE HEAD`: the causes of a difference, which add up to it exactly. The main job of icount.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& diff_command();

}  // namespace icount
