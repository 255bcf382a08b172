#include "icount/base/large_pages.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace icount {

void prefer_large_pages(size_t bytes) {
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  void* const room = std::malloc(bytes);
  if (!room) return;
  const uintptr_t at = reinterpret_cast<uintptr_t>(room);
  const uintptr_t begin = (at + kLargePage - 1) / kLargePage * kLargePage, end = (at + bytes) / kLargePage * kLargePage;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  std::free(room);
}

}  // namespace icount
