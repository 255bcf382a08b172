#include "icount/base/file_saving.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/folder_entries.h"
#include "icount/base/text.h"

namespace icount {
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

}  // namespace icount
