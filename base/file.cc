#include "icount/base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/program_paths.h"
#include "icount/base/text.h"

namespace icount {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Descriptor open_descriptor(const std::filesystem::path& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (fd < 0) throw Error(ErrorKind::kIo, fmt::format("cannot open {}: {}", path.string(), errno_text(errno)));
  return Descriptor(fd);
}

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

namespace {

constexpr size_t kMostBeyondSize = size_t{64} << 20;  // devices and much of /proc say 0 and give more
constexpr size_t kMostOfPipe = size_t{16} << 30;      // as of what is unpacked

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

namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux
constexpr std::string_view kMark = ".icount-";
constexpr size_t kRandomLetters = 6;

/// Ours, without an owner, and still what `path` names.
bool is_abandoned(const fs::path& path, int fd) {
  struct stat named {
  }, opened{};
  return ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::lstat(path.c_str(), &named) == 0 && ::fstat(fd, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev && S_ISREG(opened.st_mode) &&
         opened.st_uid == ::geteuid();
}

void sweep_beside(const fs::path& target) {
  const std::string start = target.filename().string() + std::string(kMark);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  for (const fs::path& entry : folder_entries(folder)) {
    const std::string name = entry.filename().string();
    if (name.size() != start.size() + kRandomLetters || !name.starts_with(start)) continue;
    const Descriptor fd(::open(entry.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (fd.get() >= 0 && is_abandoned(entry, fd.get())) ::unlink(entry.c_str());
  }
}

}  // namespace

fs::path end_of_links(const fs::path& path) {
  fs::path end = path;
  std::error_code error;
  for (int steps = 0; steps < kMostLinks && fs::is_symlink(end, error); ++steps) {
    const fs::path next = fs::read_symlink(end, error);
    if (error) break;
    end = end.parent_path() / next;
  }
  return end;
}

TemporaryBeside::TemporaryBeside(const fs::path& target, const fs::path& named) : target_(target), named_(named) {
  sweep_beside(target);
  while (!make()) {  // another swept it between its making and its lock
  }
}

bool TemporaryBeside::make() {
  std::string pattern = fmt::format("{}{}{}", target_.string(), kMark, std::string(kRandomLetters, 'X'));
  fd_ = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (fd_ < 0) throw Error(ErrorKind::kIo, fmt::format("{}: cannot write: {}", named_.string(), errno_text(errno)));
  path_ = pattern;
  while (::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat status {};
  if (::fstat(fd_, &status) != 0 || status.st_nlink > 0) return true;
  ::close(fd_);
  return false;
}

TemporaryBeside::~TemporaryBeside() {
  if (!path_.empty()) ::unlink(path_.c_str());
  ::close(fd_);
}

void TemporaryBeside::take_place() {
  if (::rename(path_.c_str(), target_.c_str()) != 0)
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot replace: {}", named_.string(), errno_text(errno)));
  path_.clear();
}

FolderLock::FolderLock(const std::filesystem::path& file)
    : folder_(::open(end_of_links(std::filesystem::absolute(file)).parent_path().c_str(),
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (folder_.get() >= 0 && ::flock(folder_.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
}

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// errno of what went wrong, else 0.
int read_folder(const std::filesystem::path& folder, std::vector<std::filesystem::path>& entries) {
  const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
  if (!opened) return errno;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(opened.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") entries.push_back(folder / name);
  }
  const int failure = errno;
  std::sort(entries.begin(), entries.end());
  return failure;
}

void add_files(const std::filesystem::path& folder, size_t most, std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& entry : list_folder(folder)) {
    if (files.size() > most) return;
    std::error_code error;  // gone meanwhile, or a link that leads nowhere: no file
    const auto kind = std::filesystem::symlink_status(entry, error).type();
    if (kind == std::filesystem::file_type::directory)
      add_files(entry, most, files);
    else if (std::filesystem::is_regular_file(entry, error))
      files.push_back(entry);
  }
}

}  // namespace

std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  if (const int failure = read_folder(folder, entries))
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot be listed: {}", folder.string(), errno_text(failure)));
  return entries;
}

std::vector<std::filesystem::path> folder_entries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  read_folder(folder, entries);
  return entries;
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, size_t most) {
  std::vector<std::filesystem::path> files;
  add_files(folder, most, files);
  return files;
}

}  // namespace icount
