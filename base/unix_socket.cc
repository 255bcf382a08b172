#include "icount/base/unix_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "icount/base/error.h"
#include "icount/base/file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr int kBacklog = 64;

/// The address of `path` by way of its opened folder: names of sockets hold no more than 107 bytes.
sockaddr_un address_of(const Descriptor& folder, const fs::path& path) {
  const std::string name = fmt::format("/proc/self/fd/{}/{}", folder.get(), path.filename().string());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.size() >= sizeof address.sun_path)
    throw Error(ErrorKind::kIo, fmt::format("cannot use the socket {}: its name is too long", path.string()));
  std::memcpy(address.sun_path, name.data(), name.size());
  return address;
}

[[noreturn]] void fail(const fs::path& path, int reason) {
  throw Error(ErrorKind::kIo, fmt::format("cannot make the socket {}: {}", path.string(), errno_text(reason)));
}

int make_socket(const fs::path& path, int flags) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (fd < 0) fail(path, errno);
  return fd;
}

}  // namespace

int listen_at(const fs::path& path) {
  const Descriptor folder = open_descriptor(path.parent_path(), O_RDONLY | O_DIRECTORY);
  const sockaddr_un address = address_of(folder, path);
  const int fd = make_socket(path, SOCK_NONBLOCK);
  ::unlink(path.c_str());
  const mode_t before = ::umask(0177);
  const bool bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int reason = errno;
  ::umask(before);
  if (bound && ::listen(fd, kBacklog) == 0) return fd;
  const int why = bound ? errno : reason;
  ::close(fd);
  fail(path, why);
}

int connect_to(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return -1;
  if (!S_ISSOCK(status.st_mode)) throw Error(ErrorKind::kIo, fmt::format("{} is not a socket", path.string()));
  if (status.st_uid != ::geteuid())
    throw Error(ErrorKind::kIo, fmt::format("the socket {} belongs to user {}, not to this one ({})", path.string(),
                                            status.st_uid, ::geteuid()));
  const Descriptor folder = open_descriptor(path.parent_path(), O_RDONLY | O_DIRECTORY);
  const sockaddr_un address = address_of(folder, path);
  const int fd = make_socket(path, 0);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  const int reason = errno;
  ::close(fd);
  if (reason == ECONNREFUSED || reason == ENOENT) return -1;
  throw Error(ErrorKind::kIo, fmt::format("cannot connect to the socket {}: {}", path.string(), errno_text(reason)));
}

int accept_from(int listening) { return ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK); }

std::optional<Peer> peer_of(int connection) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return std::nullopt;
  return Peer{credentials.uid, credentials.pid};
}

}  // namespace icount
