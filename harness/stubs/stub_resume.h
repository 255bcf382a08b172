// The two ends of a snapshot (stub_snapshot.h): a preparing process keeps its state where the region would begin, a
// measured child goes on from there. x86-64 only.
#pragma once

#include <stdint.h>

#include "stub_forks.h"
#include "stub_kernel.h"
#include "stub_memory.h"
#include "stub_progress.h"
#include "stub_snapshot.h"
#include "stub_threads.h"

#ifdef ICOUNT_STUB_WARM

namespace icount_stub {

/// Where a preparing process goes on after a snapshot, and how the kernel's side of it was before. On the stack of its
/// loop.
struct Preparation {
  Registers back;
  uintptr_t stack_end;
  const KernelState* before;
};
inline Preparation*& preparation() {
  static Preparation* current = nullptr;
  return current;
}

inline bool waited_for_others();

/// Takes the snapshot and leaves the benchmark for good; comes back in measured children alone, with their own job.
/// There is none of a process that is more than its memory: one with threads, files left open, processes made.
__attribute__((noinline)) inline void keep_state(const Job& job) {
  Preparation& here = *preparation();
  Registers registers;
  if (save_registers(&registers)) return;
  if (count_threads() == 1 && !waited_for_others() && KernelState::read_own() == *here.before)
    Snapshots::take(job.benchmark, job.warmup, registers, here.stack_end);
  resume_registers(&here.back);
}

/// Everything but the progress of this child becomes what it was. Its own frame is not part of that: the caller's is,
/// where compilers may have put what they need again.
[[noreturn]] __attribute__((noinline)) inline void resume_below(const Snapshot& snapshot) {
  const Progress mine = progress();
  Snapshots::apply(snapshot);
  progress() = mine;
  progress().resumed = true;
  resume_registers(&snapshot.registers);
}

/// The child's way in: goes on below the snapshot's stack.
[[noreturn]] __attribute__((noinline)) inline void resume_snapshot(const Snapshot& snapshot) {
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const size_t gap = here > snapshot.stack_begin ? here - snapshot.stack_begin : 0;
  volatile char* pad = static_cast<volatile char*>(__builtin_alloca(gap + 4096));
  pad[0] = 0;
  resume_below(snapshot);
}

}  // namespace icount_stub

#endif  // ICOUNT_STUB_WARM
