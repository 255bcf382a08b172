// icount serve: the history in a browser, on loopback.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& serve_command();

}  // namespace icount
