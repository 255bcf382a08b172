// What a measured process has mapped, asked of the kernel by plain system calls and without the heap. In stubs, and in
// the hooks of benchmark binaries.
#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace icount_stub {

/// Whether memory is mapped as code that a memfd or a deleted file backs: Valgrind runs the code that it saw first
/// there.
inline bool maps_unlinked_code() {
  constexpr char kDeleted[] = " (deleted)";
  constexpr int kEnd = sizeof(kDeleted) - 1;
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  char bytes[4096];
  char tail[kEnd] = {};  // the line's last characters, in a ring
  bool found = false, is_code = false;
  int blanks = 0, length = 0;
  for (long got; maps >= 0 && !found && (got = read(maps, bytes, sizeof(bytes))) > 0;)
    for (long at = 0; at < got && !found; ++at) {
      const char c = bytes[at];
      if (c != '\n') {
        if (blanks == 1 && c == 'x') is_code = true;  // "FROM-TO r-xp OFFSET ..."
        if (c == ' ') ++blanks;
        tail[length++ % kEnd] = c;
        continue;
      }
      found = is_code && length > kEnd;
      for (int i = 0; found && i < kEnd; ++i) found = tail[(length + i) % kEnd] == kDeleted[i];
      is_code = false;
      blanks = length = 0;
    }
  if (maps >= 0) close(maps);
  return found;
}

}  // namespace icount_stub
