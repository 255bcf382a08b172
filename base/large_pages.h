// Memory in pages of 2 MiB where the system gives them on request: tables of megabytes are then there after two page
// faults instead of a thousand. Asked for by inputs/load_profile.cc before it reads a large profile.
#pragma once

#include <cstddef>

namespace icount {

/// Asks for large pages where the heap takes its next `bytes` from; nothing is taken yet. Without effect where the
/// system gives none, or where the heap gives freed memory of that size back at once (cli/main.cc sees to that).
void prefer_large_pages(size_t bytes);

}  // namespace icount
