// Sockets between processes of one user, named by a file: making one, connecting to one, and who is at the other end.
// harness/session_process listens, harness/session_client connects.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace icount {

/// A listening socket at `path`, mode 0600, close-on-exec and non-blocking; what lies there is replaced. Paths may be
/// longer than the system's limit for socket names. Error{kIo} "cannot make the socket PATH: REASON".
int listen_at(const std::filesystem::path& path);

/// A connection to the socket at `path`, close-on-exec; -1 when nobody listens there, or there is no such file.
/// Error{kIo} when it may not be used: it belongs to another user, or to none who may connect.
int connect_to(const std::filesystem::path& path);

/// The next connection of a listening socket, non-blocking and close-on-exec; -1 when there is none.
int accept_from(int listening);

/// The user and the process at the other end; nullopt when the system does not tell.
struct Peer {
  uid_t user = 0;
  pid_t pid = 0;
};
std::optional<Peer> peer_of(int connection);

}  // namespace icount
