#include "icount/base/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "icount/base/file_saving.h"

namespace icount {

FolderLock::FolderLock(const std::filesystem::path& file)
    : folder_(::open(end_of_links(std::filesystem::absolute(file)).parent_path().c_str(),
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (folder_.get() >= 0 && ::flock(folder_.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
}

}  // namespace icount
