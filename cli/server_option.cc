#include "icount/cli/server_option.h"

namespace icount {

ServerUse make_server_use(bool refused, bool starts, const CommandContext& context) {
  ServerUse server;
  if (refused) return server;
  server.use = session_use(context.environment);
  server.idle_seconds = session_idle_seconds(context.environment);
  if (starts && !context.program.empty()) server.start_command = {context.program.string(), "server", "run"};
  return server;
}

}  // namespace icount
