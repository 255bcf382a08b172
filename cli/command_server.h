// `icount server status`, `stop` and `run`: the servers that stay warm between commands (docs/server.md).
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& server_status_command();
const CommandSpec& server_stop_command();
const CommandSpec& server_run_command();

}  // namespace icount
