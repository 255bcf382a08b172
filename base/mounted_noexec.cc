#include "icount/base/mounted_noexec.h"

#include <sys/statvfs.h>

namespace icount {

std::string describe_noexec(const std::filesystem::path& program) {
  struct statvfs system {};
  if (::statvfs(program.c_str(), &system) != 0 || (system.f_flag & ST_NOEXEC) == 0) return {};
  return "is on a file system that is mounted noexec; put it elsewhere (ICOUNT_CACHE moves the build cache)";
}

}  // namespace icount
