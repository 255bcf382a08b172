// One at a time: processes that read a file, change it and write it anew take their turns, so that none loses what
// another wrote in between. The lock is on the file's folder: it leaves nothing behind, and ends with its process.
#pragma once

#include <filesystem>

#include "icount/base/descriptor.h"

namespace icount {

/// Held from construction, which waits for others, to its end. Where the file system has no locks nobody waits.
class FolderLock {
 public:
  /// Locks the folder of `file`, at the end of its links: where save_file writes. A folder that is not there is not
  /// locked: writing the file will say so.
  explicit FolderLock(const std::filesystem::path& file);

 private:
  Descriptor folder_;
};

}  // namespace icount
