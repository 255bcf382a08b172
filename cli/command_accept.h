// `icount accept`: writes accepted values beside the suite. See console/command_spec.h.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& accept_command();

}  // namespace icount
