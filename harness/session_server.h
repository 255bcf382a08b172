// A server that stays warm: holds one stub server, hands the lines of its clients on to it and the answers back, each
// to the client that asked, and ends itself when it is no longer used, or when what it was started from has changed.
// Started by harness/session_client through `icount server run`. The lines: docs/server.md.
#pragma once

#include <functional>

#include "icount/harness/session_spec.h"

namespace icount {

/// Becomes the server of `spec`: returns in the caller's process when the server listens (in a process of its own, in
/// a session of its own), or when one of this key listens already. Error{kIo} when no socket can be made.
void start_session_server(const SessionSpec& spec);

/// The server itself, in this process, until its end; `ready` is called when it listens. Nothing happens when another
/// one has this key. Error{kIo} when no socket can be made.
void run_session_server(const SessionSpec& spec, const std::function<void()>& ready);

}  // namespace icount
