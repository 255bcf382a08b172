// A process of its own for each case, forked where the case begins: what a case leaves behind (on the heap, in static
// variables) is not met by the next one, and a crash costs the case alone. The child's heap is brought into one state
// first, whatever the framework has allocated and freed before.
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_memory.h"

namespace icount_hooks {

/// Brings glibc's heap into one state: nothing in its bins and caches is free, and it grows from the same address on.
/// Other allocators are left as they are.
class FreshHeap {
 public:
  static void make() {
    if (!is_glibc()) return;
    first_end();
    (void)allocate(4096);  // joins the small free blocks
    for (unsigned long size = 1 << 16; size >= 2048 && free_bytes() > 0; size /= 2) take_all(size);
    for (unsigned long size = 2032; size >= 24 && free_bytes() > 0; size -= 16) take_all(size);
    // Each thread keeps up to seven blocks of a size.
    for (unsigned long size = 24; size <= 1032; size += 16)
      for (int i = 0; i < 7; ++i) allocate(size);
    align_top();
  }

 private:
  static bool is_glibc() {
    Dl_info mine, its;
    void* const other = dlsym(RTLD_DEFAULT, "malloc");
    return other && dladdr(other, &mine) && dladdr(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &its) &&
           mine.dli_fbase == its.dli_fbase;
  }

  // The compiler must not leave out what is never used.
  __attribute__((noinline)) static uintptr_t allocate(unsigned long size) {
    void* const block = malloc(size);
    asm volatile("" : : "r"(block) : "memory");
    return reinterpret_cast<uintptr_t>(block);
  }

  static struct mallinfo2 info() { return mallinfo2(); }
  static unsigned long free_bytes() {
    const struct mallinfo2 now = info();
    return now.fordblks - now.keepcost;
  }

  /// Takes the free blocks that this size fits into.
  static void take_all(unsigned long size) {
    for (;;) {
      const unsigned long top = info().keepcost;
      const uintptr_t block = allocate(size);
      if (!block || info().keepcost != top) return;
    }
  }

  /// Where the heap grows next, at a multiple of 1 MB behind its first end (Valgrind gives it 8 MB), with one page
  /// left.
  static void align_top() {
    constexpr uintptr_t kStep = 1 << 20, kPiece = 1 << 16, kHeader = 8, kLeast = 32;
    uintptr_t top = allocate(2040) + 2048 - 2 * kHeader;
    for (;;) {
      uintptr_t rest = (first_end() - top) & (kStep - 1);
      if (rest == 0) break;
      if (rest < kLeast) rest += kStep;
      // Above 128 kB a block would not come from here.
      const uintptr_t size = rest >= 2 * kPiece ? kPiece : rest > kPiece ? kPiece / 2 : rest;
      const uintptr_t block = allocate(size - kHeader);
      if (block != top + 2 * kHeader) return;
      top += size;
    }
    malloc_trim(0);
  }

  /// The end of the heap when it was asked for first, up to the next multiple of 64 kB.
  static uintptr_t first_end() {
    static const uintptr_t end = (reinterpret_cast<uintptr_t>(sbrk(0)) + 0xffff) & ~uintptr_t{0xffff};
    return end;
  }
};

class CaseProcess {
 public:
  enum Role { kNone, kParent, kChild };

  /// Once, before the first case.
  static void prepare() {
    void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared() = page == MAP_FAILED ? nullptr : static_cast<Shared*>(page);
    if (!shared() || plan().memory) return;
    // Valgrind translates here, once, what it would translate in every child.
    FreshHeap::make();
    Cases::all().rehearse();
  }

  /// Begins the process of the case. kNone: there is none, and the case is run where it is. The parent returns when
  /// the child has ended.
  static Role begin(Cases& cases) {
    const pid_t self = current_process();
    if (!shared() || has_threads()) {
      static bool is_said;
      if (!is_said) Line().text("together").number(1).send();
      is_said = true;
      return kNone;
    }
    shared()->complexity = 0;
    if (plan().memory) return begin_memory(cases);
    shared()->is_done = 0;
    const pid_t child = fork();
    if (child < 0) return kNone;
    if (child == 0) {
      end_with(self);
      is_child() = true;
      cases.become_child();
      FreshHeap::make();
      return kChild;
    }
    int status = 0;
    wait_for(child, &status, WUNTRACED);
    // Killed from outside, it writes no profile of its whole life.
    if (WIFSTOPPED(status)) {
      kill(child, SIGKILL);
      wait_for(child, &status, 0);
    }
    if (!shared()->is_done) Line().text("ended").number(cases.index()).number(child).number(status).send();
    return kParent;
  }

  /// The child has measured its case.
  [[noreturn]] static void finish() {
    if (plan().memory) _exit(0);  // it came to no larger region
    shared()->is_done = 1;
    raise(SIGSTOP);
    _exit(0);
  }

  /// The child has come to the end of what its part of the memory is (bench_memory.h).
  [[noreturn]] static void finish_memory() {
    shared()->is_done = 1;
    _exit(0);
  }
  /// What the region of the second child began with, beside what was there before.
  static void keep_taken(unsigned long bytes) { shared()->taken = static_cast<long>(bytes); }
  static void keep_paused() { shared()->paused = 1; }

  static bool& is_child() {
    static bool value;
    return value;
  }
  /// Whether the last child measured its case to the end.
  static bool was_done() { return shared()->is_done != 0; }
  /// What SetComplexityN was called with there.
  static void keep_complexity(long n) { shared()->complexity = n; }
  static long complexity() { return shared()->complexity; }

 private:
  struct Shared {
    volatile long is_done;
    volatile long complexity;
    volatile long taken, paused;  ///< of a case's memory
  };
  /// In a child: the death of `parent` ends it, also one that came before the kernel was told.
  static void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (parent_process() != parent) _exit(127);
  }

  static Shared*& shared() {
    static Shared* page;
    return page;
  }
  /// Both processes of the case, one after the other; the parent returns when they have ended.
  static Role begin_memory(Cases& cases) {
    const pid_t self = current_process();
    int processes[2] = {0, 0};
    shared()->taken = shared()->paused = 0;
    for (int i = 0; i < 2; ++i) {
      shared()->is_done = 0;
      const pid_t child = fork();
      if (child < 0) return kParent;
      if (child == 0) {
        end_with(self);
        is_child() = true;
        cases.become_child();
        CaseMemory::part() = i == 0 ? CaseMemory::kBefore : CaseMemory::kWhole;
        CaseMemory::before() = processes[0];
        return kChild;
      }
      int status = 0;
      wait_for(child, &status, 0);
      processes[i] = child;
      if (shared()->is_done) continue;
      Line().text("ended").number(cases.index()).number(child).number(status).send();
      return kParent;
    }
    Line line;
    line.text("memory").number(cases.index()).number(processes[0]).number(processes[1]);
    line.number(shared()->taken).number(shared()->paused).send();
    return kParent;
  }
  static void wait_for(pid_t child, int* status, int options) {
    while (waitpid(child, status, options) < 0 && errno == EINTR) {
    }
  }
  /// A fork would leave them behind.
  static bool has_threads() {
    struct stat tasks;
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3;
  }
};

// What runs in a process of its own alone: elsewhere no memory is measured.
inline void begin_memory_region() {
  if (CaseMemory::part() == CaseMemory::kBefore) CaseProcess::finish_memory();
  if (CaseMemory::part() != CaseMemory::kWhole) return;
  const unsigned long most = CaseMemory::most_bytes(CaseMemory::before()) + 1;
  if (!CaseMemory::take(most)) _exit(0);
  CaseProcess::keep_taken(most);
}
inline void end_memory_region() {
  if (CaseMemory::part() == CaseMemory::kWhole) CaseProcess::finish_memory();
}
inline void pause_memory_region() {
  if (CaseMemory::part() == CaseMemory::kWhole) CaseProcess::keep_paused();
}

/// Runs `measure` in a process of the case's own; where there can be none, here. False when the case failed.
template <typename Measure>
bool measure_apart(Cases& cases, Measure measure) {
  const CaseProcess::Role role = CaseProcess::begin(cases);
  if (role != CaseProcess::kParent) measure();
  if (role == CaseProcess::kChild) CaseProcess::finish();
  return role == CaseProcess::kNone || CaseProcess::was_done();
}

}  // namespace icount_hooks
