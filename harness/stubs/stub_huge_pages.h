// Valgrind's own memory in huge pages: a server has hundreds of megabytes of it, and each fork copies, each child's end
// takes away, an entry for every page. In 2 MiB pages, which the kernel takes apart where a child writes, that is a
// fraction of the work. What a page holds stays as it is, and so does every address: no count can change.
#pragma once

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace icount_stub {

constexpr int kUseHugePages = 14;  // MADV_HUGEPAGE
constexpr int kMakeHugeNow = 25;   // MADV_COLLAPSE, Linux 6.1

/// Moves this range into huge pages as far as it holds whole ones. Where the kernel can't or won't, nothing happens.
inline void use_huge_pages(uintptr_t begin, uintptr_t end) {
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  begin = (begin + kHugePage - 1) & ~(kHugePage - 1);
  end &= ~(kHugePage - 1);
  if (begin >= end || madvise(reinterpret_cast<void*>(begin), end - begin, kUseHugePages) != 0) return;
  for (; begin < end; begin += kHugePage) madvise(reinterpret_cast<void*>(begin), kHugePage, kMakeHugeNow);
}

/// All of Valgrind's anonymous memory that can be written; `first` is where Valgrind's half of the addresses begins
/// (stub_memory.h). For the server, before it forks.
inline void put_valgrinds_memory_into_huge_pages(uintptr_t first) {
  static char text[1 << 20];
  const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  size_t used = 0;
  for (ssize_t n; used < sizeof text - 1 && (n = read(fd, text + used, sizeof text - 1 - used)) > 0;)
    used += static_cast<size_t>(n);
  close(fd);
  text[used] = 0;
  for (char* line = text; *line;) {
    char* line_end = line + strcspn(line, "\n");
    const bool last = *line_end == 0;
    *line_end = 0;
    char* at = nullptr;
    const uintptr_t begin = strtoull(line, &at, 16);
    const uintptr_t end = strtoull(at + 1, &at, 16);
    const bool is_plain = at[1] == 'r' && at[2] == 'w' && at[4] == 'p' && !strpbrk(at, "[/");
    if (begin >= first && is_plain) use_huge_pages(begin, end);
    line = last ? line_end : line_end + 1;
  }
}

}  // namespace icount_stub
