#include "icount/harness/watched_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

namespace icount {
namespace {

namespace fs = std::filesystem;

/// What tells one content of a file from another without reading it.
std::string mark_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return "missing";
  return fmt::format("{} {} {} {}.{}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

}  // namespace

WatchedFiles::WatchedFiles(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) marks_.emplace_back(file, mark_of(file));
}

bool WatchedFiles::have_changed() const {
  return std::any_of(marks_.begin(), marks_.end(), [](const auto& mark) { return mark_of(mark.first) != mark.second; });
}

}  // namespace icount
