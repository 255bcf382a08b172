#include "icount/harness/cache_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "icount/base/error.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_make(const fs::path& folder, const std::string& reason) {
  throw Error(ErrorKind::kIo, fmt::format("cannot make the build cache {}: {}; set ICOUNT_CACHE to a writable folder",
                                          folder.string(), reason));
}

}  // namespace

void make_cache_folder(const fs::path& folder, bool may_be_sticky) {
  std::error_code error;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  if (error) fail_to_make(folder, error.message());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) fail_to_make(folder, errno_text(errno));
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) fail_to_make(folder, errno_text(errno));
  if (!S_ISDIR(status.st_mode)) fail_to_make(folder, errno_text(ENOTDIR));
  if (status.st_uid != ::geteuid() && ::geteuid() != 0)
    throw Error(ErrorKind::kIo,
                fmt::format("the build cache {} belongs to another user, whose programs would be run from it; set "
                            "ICOUNT_CACHE to a folder of your own",
                            folder.string()));
  if ((status.st_mode & S_IWOTH) == 0 || (may_be_sticky && (status.st_mode & S_ISVTX) != 0)) return;
  throw Error(ErrorKind::kIo,
              fmt::format("every user may write the build cache {} (mode {:04o}), from which programs are run; remove "
                          "it, or 'chmod o-w' it if nobody else used it, or set ICOUNT_CACHE to another folder",
                          folder.string(), status.st_mode & 07777));
}

fs::path make_folder_in_cache(const fs::path& cache, const char* name) {
  make_cache_folder(cache, true);
  make_cache_folder(cache / name, false);
  return cache / name;
}

}  // namespace icount
