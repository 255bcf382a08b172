// What a measured process has mapped, asked of the kernel by plain system calls and without the heap. In stubs, and in
// the hooks of benchmark binaries.
#pragma once

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

namespace icount_stub {

/// Whether memory is mapped as code that a memfd or a deleted file backs: Valgrind runs the code that it saw first
/// there.
inline bool maps_unlinked_code() {
  constexpr char kDeleted[] = " (deleted)";
  constexpr long kEnd = sizeof(kDeleted) - 1;
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  char bytes[16384];
  long used = 0;
  bool found = false;
  for (long got; maps >= 0 && !found && used < long{sizeof bytes} &&
                 (got = read(maps, bytes + used, sizeof bytes - static_cast<size_t>(used))) > 0;) {
    used += got;
    const char *line = bytes, *const bytes_end = bytes + used;
    for (const char* end; !found && line < bytes_end; line = end + 1) {
      end = static_cast<const char*>(memchr(line, '\n', static_cast<size_t>(bytes_end - line)));
      if (!end) break;
      const char* rights = line;  // "FROM-TO r-xp OFFSET ..."
      while (*rights != ' ') ++rights;
      found = rights[3] == 'x' && memcmp(end - kEnd, kDeleted, kEnd) == 0;
    }
    used = bytes_end - line;
    memmove(bytes, line, static_cast<size_t>(used));
  }
  if (maps >= 0) close(maps);
  return found;
}

}  // namespace icount_stub
