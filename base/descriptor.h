// A file descriptor that closes itself, for the few places that talk to the kernel directly.
#pragma once

#include <filesystem>

namespace icount {

/// Owns one descriptor; a negative one is none. Neither copied nor moved.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  int get() const { return fd_; }

 private:
  int fd_;
};

/// open(2) with O_CLOEXEC, a new file readable by its owner alone. Error{kIo} "cannot open PATH: REASON".
Descriptor open_descriptor(const std::filesystem::path& path, int flags);

}  // namespace icount
