#include "icount/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <utility>

#include "icount/base/compression.h"
#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/file_reading.h"
#include "icount/base/file_saving.h"
#include "icount/base/program_paths.h"
#include "icount/base/text.h"

namespace icount {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what) {
  throw Error(ErrorKind::kIo, fmt::format("{}: {}", path.string(), what));
}

void write_all(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, fmt::format("cannot write: {}", errno_text(errno)));
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

mode_t new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// The owner, the group and the mode of the file that the new one replaces. Where the owner may not be given away, the
/// group alone may be, and what may not is left as it is: the file is the writer's then.
void make_like(int fd, const std::optional<struct stat>& before) {
  if (before && ::fchown(fd, before->st_uid, before->st_gid) != 0 &&
      ::fchown(fd, static_cast<uid_t>(-1), before->st_gid) != 0)
    errno = 0;
  ::fchmod(fd, before ? before->st_mode & 07777 : new_file_mode());  // behind the owner: giving away clears bits
}

/// A new name is on disk when its folder is; where a file system can't sync folders, it is there when it comes to it.
void sync_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) ::fsync(fd.get());
}

}  // namespace

FileBytes::FileBytes(FileBytes&& other) noexcept
    : owned_(std::move(other.owned_)),
      map_(std::exchange(other.map_, nullptr)),
      map_size_(std::exchange(other.map_size_, 0)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  if (this == &other) return *this;
  unmap();
  owned_ = std::move(other.owned_);
  map_ = std::exchange(other.map_, nullptr);
  map_size_ = std::exchange(other.map_size_, 0);
  return *this;
}

FileBytes::~FileBytes() { unmap(); }

void FileBytes::unmap() {
  if (map_) ::munmap(const_cast<char*>(map_), map_size_);
  map_ = nullptr;
}

void FileBytes::release_memory(size_t begin, size_t end) const {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const size_t first = begin / page * page;  // the rest of that page was released before, or is in use and comes back
  const size_t whole_pages = std::min(end, map_size_) / page * page;
  if (map_ && whole_pages > first) ::madvise(const_cast<char*>(map_) + first, whole_pages - first, MADV_DONTNEED);
}

FileBytes map_file(const std::filesystem::path& path) {
  struct stat status;
  const Descriptor fd(open_for_reading(path, status));
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return FileBytes(read_all(fd.get(), status, path));
  FileBytes file;
  const auto size = static_cast<size_t>(status.st_size);
  void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (map == MAP_FAILED) fail(path, errno_text(errno));
  ::madvise(map, size, MADV_SEQUENTIAL);
  file.map_ = static_cast<const char*>(map);
  file.map_size_ = size;
  return file;
}

FileBytes load_file(const std::filesystem::path& path) {
  FileBytes file = map_file(path);
  if (detect_compression(file.view()) == Compression::kNone) return file;
  return FileBytes(decompress(file.view(), path.string(), most_unpacked_bytes(file.view().size())));
}

std::string load_text(const std::filesystem::path& path) {
  struct stat status;
  const Descriptor fd(open_for_reading(path, status));
  return read_all(fd.get(), status, path);
}

void save_file(const std::filesystem::path& path, std::string_view bytes) {
  struct stat status;
  std::optional<struct stat> before;
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail(path, "is a folder, cannot write a file there");
    if (!S_ISREG(status.st_mode)) {
      const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
      if (fd.get() < 0) fail(path, fmt::format("cannot write: {}", errno_text(errno)));
      return write_all(fd.get(), bytes, path);
    }
    before = status;
  } else if (errno == ELOOP) {
    fail(path, fmt::format("cannot write: {}", errno_text(ELOOP)));
  }
  const std::filesystem::path target = end_of_links(path);
  TemporaryBeside temporary(target, path);
  write_all(temporary.descriptor(), bytes, path);
  make_like(temporary.descriptor(), before);
  if (::fsync(temporary.descriptor()) != 0) fail(path, fmt::format("cannot write: {}", errno_text(errno)));
  temporary.take_place();
  sync_folder_of(target);
}

std::filesystem::path find_program(std::string_view program) {
  if (program.empty()) return {};
  for (const std::filesystem::path& candidate : possible_programs(program)) {
    struct stat status;
    if (::stat(candidate.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(candidate.c_str(), X_OK) == 0)
      return candidate;
  }
  return {};
}

std::filesystem::path real_path(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  return error ? path : real;
}

}  // namespace icount
