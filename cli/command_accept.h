// `icount accept`: writes accepted values beside the suite. See cli/command_spec.h.
#pragma once

#include "cli/command_spec.h"

namespace icount {

const CommandSpec& accept_command();

}  // namespace icount
