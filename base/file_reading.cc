#include "icount/base/file_reading.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

constexpr size_t kMostBeyondSize = size_t{64} << 20;  // devices and much of /proc say 0 and give more
constexpr size_t kMostOfPipe = size_t{16} << 30;      // as of what is unpacked

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what) {
  throw Error(ErrorKind::kIo, fmt::format("{}: {}", path.string(), what));
}

[[noreturn]] void close_and_fail(int fd, const std::filesystem::path& path, std::string_view what) {
  ::close(fd);
  fail(path, what);
}

int open_with(const std::filesystem::path& path, int flags, struct stat& status) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);
  if (fd < 0) fail(path, fmt::format("cannot read: {}", errno_text(errno)));
  if (::fstat(fd, &status) != 0) close_and_fail(fd, path, fmt::format("cannot read: {}", errno_text(errno)));
  if (S_ISDIR(status.st_mode)) close_and_fail(fd, path, "is a folder, a file was expected");
  return fd;
}

size_t most_of(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return static_cast<size_t>(status.st_size) + kMostBeyondSize;
  return S_ISCHR(status.st_mode) ? kMostBeyondSize : kMostOfPipe;
}

[[noreturn]] void fail_endless(const struct stat& status, const std::filesystem::path& path) {
  if (S_ISCHR(status.st_mode)) fail(path, "is a device that gives more than 64 MiB; a file was expected");
  if (!S_ISREG(status.st_mode)) fail(path, "gives more than 16 GiB; save its output in a file, and name that file");
  fail(path,
       fmt::format("gives more than 64 MiB beyond its size of {} bytes: it grows, or has no end, like some files of "
                   "/proc; name a copy of it",
                   with_thousands(status.st_size)));
}

bool is_null_device(const struct stat& status) { return S_ISCHR(status.st_mode) && status.st_rdev == ::makedev(1, 3); }

}  // namespace

int open_for_reading(const std::filesystem::path& path, struct stat& status) {
  // Not to wait for a file such as /proc/kmsg; a pipe that is opened so would seem empty.
  const bool is_file = ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  return open_with(path, is_file ? O_NONBLOCK : 0, status);
}

int open_regular_file(const std::filesystem::path& path) {
  struct stat status {};
  // A socket cannot be opened, and opening some devices does things.
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) &&
      !is_null_device(status))
    fail(path, fmt::format("is a {}; a file was expected: save its output in a file, and name that file",
                           S_ISFIFO(status.st_mode)   ? "pipe"
                           : S_ISSOCK(status.st_mode) ? "socket"
                                                      : "device"));
  const int fd = open_with(path, O_NONBLOCK, status);
  if (!S_ISREG(status.st_mode) && !is_null_device(status)) close_and_fail(fd, path, "is no longer a file");
  return fd;
}

std::string read_all(int fd, const struct stat& status, const std::filesystem::path& path) {
  const size_t most = most_of(status);
  std::string out;
  std::string chunk(size_t{1} << 16, '\0');
  while (true) {
    const ssize_t n = ::read(fd, chunk.data(), chunk.size());
    if (n == 0) return out;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN && S_ISREG(status.st_mode))
      fail(path, "has no end: it is empty now and waits for more; name a copy of it");
    if (n < 0) fail(path, fmt::format("cannot read: {}", errno_text(errno)));
    out.append(chunk, 0, static_cast<size_t>(n));
    if (out.size() > most) fail_endless(status, path);
  }
}

std::string load_regular_file(const std::filesystem::path& path) {
  const Descriptor fd(open_regular_file(path));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) fail(path, fmt::format("cannot read: {}", errno_text(errno)));
  return read_all(fd.get(), status, path);
}

}  // namespace icount
