// What a server that stays warm does: holds one stub server, hands the lines of its clients on to it and the answers
// back, each to the client that asked, and ends when it is no longer used, or when what it was started from has
// changed. harness/session_process is the process around it. The lines: docs/server.md.
#pragma once

#include <functional>

#include "icount/harness/session_spec.h"

namespace icount {

/// Serves the clients that connect at `listening` until the server's end. `leave` is called before their connections
/// close: who sees that may start another server in this place.
void serve_session(const SessionSpec& spec, int listening, const std::function<void()>& leave);

}  // namespace icount
