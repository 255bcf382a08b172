#include "icount/base/disk_room.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <cerrno>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {

std::string describe_room(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::path place = std::filesystem::absolute(folder, ignored);
  struct statvfs disk {};
  while (::statvfs(place.c_str(), &disk) != 0 && place.has_relative_path()) place = place.parent_path();
  const double free_bytes = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
  std::string text = fmt::format("{} has {:.1f} MB free", place.string(), free_bytes / 1e6);
  if (disk.f_files > 0 && disk.f_favail == 0) text += ", no free inode";
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    text += fmt::format(", and no file may pass {} bytes (ulimit -f)", limit.rlim_cur);
  return text;
}

std::string find_want_of_room(std::string_view message) {
  const std::string words[] = {errno_text(ENOSPC), errno_text(EDQUOT), errno_text(EFBIG), "SIGXFSZ"};
  for (const std::string_view line : split_lines(message))
    for (const std::string& word : words)
      if (line.find(word) != std::string_view::npos) return std::string(trim(line));
  return {};
}

std::string describe_noexec(const std::filesystem::path& program) {
  struct statvfs system {};
  if (::statvfs(program.c_str(), &system) != 0 || (system.f_flag & ST_NOEXEC) == 0) return {};
  return "is on a file system that is mounted noexec; put it elsewhere (ICOUNT_CACHE moves the build cache)";
}

}  // namespace icount
