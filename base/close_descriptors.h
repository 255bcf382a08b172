// Closing what a process has open but needs no more. A step of base/spawn: the watcher of a process tree keeps two
// descriptors.
#pragma once

namespace icount {

/// Closes every descriptor but these two. Async-signal-safe: a child calls it between fork and exec. Where there is
/// neither close_range (kernels before 5.9, filters of older containers) nor /proc, the rest stays open.
void close_all_but(int a, int b);

}  // namespace icount
