// The process of a server that stays warm: the only one of its key, apart from the terminal and from who started it, at
// most so many of one user. Started by harness/session_client through `icount server run`.
#pragma once

#include "icount/harness/session_spec.h"

namespace icount {

/// Becomes the server of `spec`: returns in the caller's process when the server listens (in a process of its own, in
/// a session of its own), or when one of this key listens already. Error{kIo} when no socket can be made.
void start_session_server(const SessionSpec& spec);

}  // namespace icount
