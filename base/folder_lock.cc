#include "icount/base/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace icount {

FolderLock::FolderLock(const std::filesystem::path& file)
    : folder_(::open(std::filesystem::absolute(file).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (folder_.get() >= 0 && ::flock(folder_.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
}

}  // namespace icount
