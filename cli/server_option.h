// Whether a command uses a server that stays warm (docs/server.md): --no-server, ICOUNT_SERVER, CI. For the commands
// that count statements.
#pragma once

#include "icount/console/command_spec.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

inline constexpr OptionSpec kNoServerOption = {
    "no-server", "", "use no running server and start none: slower, with the same counts (docs/server.md)"};

/// What the environment allows; with `refused` (--no-server) nothing. `starts`: the command leaves a server behind
/// where none runs. Error{kUsage} for values of ICOUNT_SERVER and ICOUNT_SERVER_IDLE that mean nothing.
ServerUse make_server_use(bool refused, bool starts, const CommandContext& context);

}  // namespace icount
