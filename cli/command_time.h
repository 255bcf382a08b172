// `icount time`: statements by the wall clock, through native stub servers or on a CUDA device.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& time_command();

}  // namespace icount
