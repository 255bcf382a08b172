#include "icount/base/scratch_dir.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOwner = ".owner";
constexpr const char* kFreshOwner = ".owner.new";
constexpr time_t kLongUnowned = 24 * 60 * 60;
constexpr std::string_view kSuffix = ".XXXXXX";

/// A locked file in the folder, which has its name only once it is locked; -1 where there are no locks.
int make_owner(const fs::path& folder) {
  const fs::path fresh = folder / kFreshOwner;
  const int fd = ::open(fresh.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::rename(fresh.c_str(), (folder / kOwner).c_str()) == 0) return fd;
  ::unlink(fresh.c_str());
  ::close(fd);
  return -1;
}

/// What is removed last: a folder whose removal was killed still says that nobody owns it.
void remove_folder(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::path& entry : folder_entries(folder))
    if (entry.filename() != kOwner) fs::remove_all(entry, ignored);
  fs::remove_all(folder, ignored);
}

/// Of a process that was killed before it owned its folder: ours, a day old, and nothing in it. A folder with content
/// and no owner may be in use where there are no locks, or was given away.
void remove_if_never_owned(const fs::path& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() ||
      ::time(nullptr) - status.st_mtime < kLongUnowned)
    return;
  for (const fs::path& entry : folder_entries(folder))
    if (entry.filename() != kFreshOwner) return;
  ::unlink((folder / kFreshOwner).c_str());
  ::rmdir(folder.c_str());
}

/// Ours, and its owner's file is there and free. One that is let go at this moment has none any more.
bool is_abandoned(const fs::path& folder, const Descriptor& owner) {
  struct stat status {};
  return owner.get() >= 0 && ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && ::flock(owner.get(), LOCK_EX | LOCK_NB) == 0 &&
         ::fstat(owner.get(), &status) == 0 && status.st_nlink > 0;
}

void sweep(const fs::path& root, std::string_view prefix) {
  for (const fs::path& entry : folder_entries(root)) {
    const std::string name = entry.filename().string();
    if (name.size() != prefix.size() + kSuffix.size() || !name.starts_with(prefix) || name[prefix.size()] != '.')
      continue;
    const Descriptor owner(::open((entry / kOwner).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (is_abandoned(entry, owner)) remove_folder(entry);
    if (owner.get() < 0) remove_if_never_owned(entry);
  }
}

}  // namespace

fs::path temporary_folder() {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (!error) folder = fs::absolute(folder, error);  // the programs that get its names may run in another folder
  if (!error) return folder;
  const char* variable = std::getenv("TMPDIR");
  const std::string named = variable == nullptr ? "the folder that TMP, TEMP or TEMPDIR names"
                            : *variable == '\0' ? "an empty TMPDIR"
                                                : variable;
  throw Error(ErrorKind::kIo, fmt::format("cannot use {} for temporary files: {}; set TMPDIR to a writable folder",
                                          named, error.message()));
}

ScratchDir::ScratchDir(std::string_view prefix, fs::path root) {
  if (root.empty()) root = temporary_folder();
  sweep(root, prefix);
  std::string pattern = (root / fmt::format("{}{}", prefix, kSuffix)).string();
  if (!::mkdtemp(pattern.data()))
    throw Error(ErrorKind::kIo, fmt::format("cannot make a temporary folder in {}: {}; set TMPDIR to a writable folder",
                                            root.string(), errno_text(errno)));
  path_ = pattern;
  owner_ = make_owner(path_);
}

ScratchDir::ScratchDir(ScratchDir&& other) noexcept
    : path_(std::exchange(other.path_, {})), owner_(std::exchange(other.owner_, -1)) {}

ScratchDir& ScratchDir::operator=(ScratchDir&& other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::exchange(other.path_, {});
    owner_ = std::exchange(other.owner_, -1);
  }
  return *this;
}

ScratchDir::~ScratchDir() { remove(); }

fs::path ScratchDir::release() {
  disown(path_);
  return std::exchange(path_, {});
}

std::error_code ScratchDir::release_as(const fs::path& path) {
  std::error_code error;
  fs::rename(path_, path, error);
  if (error) return error;
  disown(path);
  path_.clear();
  return {};
}

void ScratchDir::disown(const fs::path& folder) {
  if (owner_ < 0) return;
  ::unlink((folder / kOwner).c_str());
  ::close(std::exchange(owner_, -1));
}

void ScratchDir::remove() {
  if (path_.empty()) return;
  // A folder that cannot be removed must not turn a result into a failure; whoever comes next sweeps it.
  ignore_failures([&] { remove_folder(path_); });
  if (owner_ >= 0) ::close(std::exchange(owner_, -1));
}

}  // namespace icount
