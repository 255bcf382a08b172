#include "icount/base/close_descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "icount/base/text.h"

namespace icount {
namespace {

/// By the kernel's list: trying every number that is permitted would take minutes where a thousand million are.
void close_listed(int a, int b) {
  const int list = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) return;
  alignas(dirent64) char entries[2048];
  long size;
  while ((size = ::syscall(SYS_getdents64, list, entries, sizeof entries)) > 0)
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const auto number = parse_int64(entry->d_name);  // none: "." and ".."
      if (number && *number != a && *number != b && *number != list) ::close(static_cast<int>(*number));
    }
  ::close(list);
}

}  // namespace

void close_all_but(int a, int b) {
  const auto lower = static_cast<unsigned>(std::min(a, b)), upper = static_cast<unsigned>(std::max(a, b));
  if (::close_range(upper + 1, ~0U, 0) != 0) return close_listed(a, b);
  if (lower > 0) ::close_range(0, lower - 1, 0);
  if (upper > lower + 1) ::close_range(lower + 1, upper - 1, 0);
}

}  // namespace icount
