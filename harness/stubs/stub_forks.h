// Processes that a statement makes: no count holds their work, so the first one ends the job.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include "stub_progress.h"

namespace icount_stub {

// The first fork of a statement ends its job: what runs in other processes is in no count, and a statement that forks
// in a loop would fill the machine.
inline void end_forking_parent() {
  Progress& now = progress();
  if (!now.measuring_child) return;
  report("forked the statement makes further processes");
  _exit(1);
}
inline void end_forked_child() {
  Progress& now = progress();
  if (now.measuring_child) _exit(0);
}

/// Processes that were made without fork (system, posix_spawn) and waited for.
inline bool waited_for_others() {
  rusage usage;
  return getrusage(RUSAGE_CHILDREN, &usage) == 0 && usage.ru_maxrss > 0;
}

}  // namespace icount_stub
