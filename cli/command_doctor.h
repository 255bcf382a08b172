// `icount doctor`: what is here, what is missing, and does it count right?
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& doctor_command();

}  // namespace icount
