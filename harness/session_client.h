// Our end of a server that stays warm (harness/session_spec.h): finding the one of a key, starting it, asking what runs
// and ending it. A connection then speaks the stub protocol through harness/stub_client.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/harness/session_spec.h"
#include "icount/harness/stub_client.h"

namespace icount {

/// A connection to the running server of this socket, when it has started; nullopt when there is none. A server that
/// can't be used is an Error: {kIo} somebody else's, {kTool} of another version of the protocol, not ready within
/// `limit`, or broken; {kTool} "interrupted" when cancelled.
std::optional<StubConnection> connect_session(const std::filesystem::path& socket, Seconds limit,
                                              const std::function<bool()>& cancelled);

/// Has `icount` (the program and its arguments) start a server, unless one of this key runs. It outlives this process.
/// Error{kTool} or {kIo} with its words when it can't.
void start_session(const std::vector<std::string>& icount, const SessionSpec& spec);

/// What the server of this socket says; nullopt when none answers within two seconds.
std::optional<SessionStatus> ask_session_status(const std::filesystem::path& socket);

/// Every server that runs, oldest first. Sockets that nobody listens at any more are in `stale`.
struct RunningSessions {
  std::vector<SessionStatus> running;
  std::vector<std::filesystem::path> stale;
};
RunningSessions find_sessions(const std::filesystem::path& folder);

/// Asks the server to end and waits for it, at most ten seconds; false when it still runs.
bool stop_session(const std::filesystem::path& socket);

/// Removes a socket that nobody listens at, with its lock.
void remove_stale_session(const std::filesystem::path& socket);

}  // namespace icount
