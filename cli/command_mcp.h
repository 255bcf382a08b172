// `icount mcp`: a server of the Model Context Protocol on standard input and output.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& mcp_command();

}  // namespace icount
