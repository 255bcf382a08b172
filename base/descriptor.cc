#include "icount/base/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "icount/base/error.h"

namespace icount {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Descriptor open_descriptor(const std::filesystem::path& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (fd < 0) throw Error(ErrorKind::kIo, fmt::format("cannot open {}: {}", path.string(), errno_text(errno)));
  return Descriptor(fd);
}

}  // namespace icount
