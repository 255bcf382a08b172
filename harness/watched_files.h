// Files that a running server was started from, and whether one of them has changed since. Used by
// harness/session_server.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace icount {

class WatchedFiles {
 public:
  /// Remembers how the files are now; one may be missing.
  explicit WatchedFiles(const std::vector<std::filesystem::path>& files);

  /// Whether one was replaced, written to, made or removed since. Contents are not read.
  bool have_changed() const;

 private:
  std::vector<std::pair<std::filesystem::path, std::string>> marks_;
};

}  // namespace icount
