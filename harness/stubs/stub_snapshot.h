// Snapshots: the state of a benchmark after its set-up and warm-up, taken by a preparing process (stub_prepare.h), and
// entered by measured children instead of running set-up and warm-up again (docs/measuring.md, "Warming"). A snapshot
// is the pages that differ from those of a fresh child, the stack between its first frame and the benchmark, and the
// registers. x86-64 only, no heap, no stdio.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stub_memory.h"

#ifdef ICOUNT_STUB_WARM

namespace icount_stub {

/// Where snapshots are kept, with room for thousands; memory that is never written costs nothing. Shared by all
/// processes of the server.
constexpr uintptr_t kStore = uintptr_t{0x8} << 32;
constexpr size_t kStoreBytes = size_t{4} << 30;

/// What a function call leaves alone, where it goes on, and the modes of floating point.
struct Registers {
  uint64_t kept[6];  // rbx, rbp, r12 to r15
  uint64_t stack;
  uint64_t place;
  uint32_t sse_mode;
  uint16_t x87_mode;
};

// g++ would look into a function for the registers that it leaves alone, and does not see those that asm uses.
#ifdef __clang__
#define ICOUNT_STUB_NAKED __attribute__((naked, noinline, unused))
#else
#define ICOUNT_STUB_NAKED __attribute__((naked, noipa, unused))
#endif

/// Returns 0; 1 when resume_registers() comes back to it.
ICOUNT_STUB_NAKED __attribute__((returns_twice)) static int save_registers(Registers*) {
  asm("movq %rbx, (%rdi)\n movq %rbp, 8(%rdi)\n movq %r12, 16(%rdi)\n movq %r13, 24(%rdi)\n movq %r14, 32(%rdi)\n movq "
      "%r15, 40(%rdi)\n"
      "leaq 8(%rsp), %rdx\n movq %rdx, 48(%rdi)\n movq (%rsp), %rdx\n movq %rdx, 56(%rdi)\n stmxcsr 64(%rdi)\n fnstcw "
      "68(%rdi)\n"
      "xorl %eax, %eax\n ret");
}
ICOUNT_STUB_NAKED __attribute__((noreturn)) static void resume_registers(const Registers*) {
  asm("movq (%rdi), %rbx\n movq 8(%rdi), %rbp\n movq 16(%rdi), %r12\n movq 24(%rdi), %r13\n movq 32(%rdi), %r14\n movq "
      "40(%rdi), %r15\n"
      "ldmxcsr 64(%rdi)\n fldcw 68(%rdi)\n movq 48(%rdi), %rsp\n movl $1, %eax\n jmp *56(%rdi)");
}

/// One snapshot, in the store. Runs of pages follow each other; one of no pages ends them.
struct Snapshot {
  struct Mapping {
    uintptr_t begin;
    uintptr_t end;
    int protection;
  };
  struct Run {
    uintptr_t begin;
    uint64_t pages;
  };
  int benchmark;
  int64_t warmup;
  Registers registers;
  uintptr_t heap_end;
  uintptr_t stack_begin;
  uintptr_t stack_end;
  const char* stack;
  Mapping* mappings;
  int mapping_count;
  const char* runs;
  const Snapshot* next;
};

/// The snapshots of this server. All that changes lies in the store itself: a preparing process's memory is put back
/// after each.
class Snapshots {
 public:
  /// In the server, before its first fork for a preparing process.
  static bool open() {
    if (is_open()) return true;
    void* store = mmap(reinterpret_cast<void*>(kStore), kStoreBytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (store == MAP_FAILED) return false;
    is_open() = true;
    head().used = sizeof(Head);
    return true;
  }

  /// The place in the list where the preparing process is.
  static volatile int& progress() { return head().progress; }

  static const Snapshot* find(int benchmark, int64_t warmup) {
    for (const Snapshot* at = is_open() ? head().first : nullptr; at; at = at->next)
      if (at->benchmark == benchmark && at->warmup == warmup) return at;
    return nullptr;
  }
  static int count() {
    int count = 0;
    for (const Snapshot* at = is_open() ? head().first : nullptr; at; at = at->next) ++count;
    return count;
  }

  /// The state now, with the stack from `registers.stack` to `stack_end`. nullptr, or why it can't be kept.
  static const char* take(int benchmark, int64_t warmup, const Registers& registers, uintptr_t stack_end) {
    const size_t mark = head().used;
    const char* failure = build(benchmark, warmup, registers, stack_end);
    if (failure) head().used = mark;
    return failure;
  }

  /// Makes this process's memory that of the snapshot. The caller runs below the snapshot's stack.
  static void apply(const Snapshot& snapshot) {
    syscall(SYS_brk, snapshot.heap_end);
    for (int i = 0; i < snapshot.mapping_count; ++i)
      mmap(reinterpret_cast<void*>(snapshot.mappings[i].begin), snapshot.mappings[i].end - snapshot.mappings[i].begin,
           PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
    const char* at = snapshot.runs;
    for (const Snapshot::Run* run; (run = reinterpret_cast<const Snapshot::Run*>(at))->pages > 0;) {
      memcpy(reinterpret_cast<char*>(run->begin), at + sizeof *run, run->pages * kPage);
      at += sizeof *run + run->pages * kPage;
    }
    for (int i = 0; i < snapshot.mapping_count; ++i)
      if (snapshot.mappings[i].protection != (PROT_READ | PROT_WRITE))
        mprotect(reinterpret_cast<void*>(snapshot.mappings[i].begin),
                 snapshot.mappings[i].end - snapshot.mappings[i].begin, snapshot.mappings[i].protection);
    memcpy(reinterpret_cast<char*>(snapshot.stack_begin), snapshot.stack, snapshot.stack_end - snapshot.stack_begin);
  }

 private:
  using Run = Snapshot::Run;
  static constexpr int kMappings = 1024;
  static constexpr uintptr_t kRedZone = 128;

  struct Head {
    const Snapshot* first;
    size_t used;
    volatile int progress;
  };
  static char* store() { return reinterpret_cast<char*>(kStore); }
  static Head& head() { return *reinterpret_cast<Head*>(kStore); }
  static bool& is_open() {
    static bool open = false;
    return open;
  }

  static char* reserve(size_t bytes) {
    bytes = (bytes + 15) & ~size_t{15};
    if (head().used + bytes > kStoreBytes) return nullptr;
    char* at = store() + head().used;
    head().used += bytes;
    return at;
  }

  static const char* build(int benchmark, int64_t warmup, const Registers& registers, uintptr_t stack_end) {
    MemoryKeeper& keeper = MemoryKeeper::instance();
    Snapshot* snapshot = reinterpret_cast<Snapshot*>(reserve(sizeof(Snapshot)));
    const uintptr_t stack_begin = registers.stack - kRedZone;
    char* stack = reserve(stack_end - stack_begin);
    char* mappings = reserve(sizeof(Snapshot::Mapping) * kMappings);
    if (!snapshot || !stack || !mappings) return "no room is left for its state";
    if (!keeper.look()) return "its memory can't be read";
    *snapshot = Snapshot{benchmark,   warmup,    registers,   reinterpret_cast<uintptr_t>(sbrk(0)),
                         stack_begin, stack_end, stack,       reinterpret_cast<Snapshot::Mapping*>(mappings),
                         0,           nullptr,   head().first};
    memcpy(stack, reinterpret_cast<char*>(stack_begin), stack_end - stack_begin);
    if (const char* failure = keep_mappings(keeper, *snapshot)) return failure;
    snapshot->runs = store() + head().used;
    if (const char* failure = keep_pages(keeper, snapshot->heap_end)) return failure;
    head().first = snapshot;
    return nullptr;
  }

  /// What the set-up mapped. Files (a library that it loaded) and changes to what was there can't be repeated.
  static const char* keep_mappings(MemoryKeeper& keeper, Snapshot& snapshot) {
    const char* failure = nullptr;
    keeper.for_each_new([&](uintptr_t begin, uintptr_t end, const MemoryRegion& region) {
      if (region.of_file)
        failure = "it maps a file";
      else if (snapshot.mapping_count == kMappings)
        failure = "it has too many mappings";
      else
        snapshot.mappings[snapshot.mapping_count++] = {begin, end, region.protection};
    });
    if (!failure && keeper.shares_other_memory()) failure = "it maps shared memory";
    if (!failure && !keeper.is_all_there(snapshot.heap_end)) failure = "it changes mappings that were there before";
    return failure;
  }

  static const char* keep_pages(MemoryKeeper& keeper, uintptr_t heap_end) {
    Run* run = nullptr;
    bool fits = true;
    const auto keep = [&](uintptr_t page) { fits = fits && add_page(page, run); };
    keeper.for_each_changed(heap_end, [&](uintptr_t page, const char*) { keep(page); });
    static const char kZeroes[kPage] = {};
    const auto keep_new = [&](uintptr_t begin, uintptr_t end) {
      for (uintptr_t page = begin; page < end; page += kPage)
        if (memcmp(reinterpret_cast<char*>(page), kZeroes, kPage) != 0) keep(page);
    };
    keeper.for_each_new([&](uintptr_t begin, uintptr_t end, const MemoryRegion& region) {
      if (region.protection & PROT_READ) keep_new(begin, end);
    });
    if (heap_end > keeper.heap_end()) keep_new(keeper.heap_end(), heap_end);
    Run* last = reinterpret_cast<Run*>(reserve(sizeof *last));
    if (!fits || !last) return "no room is left for its state";
    *last = {0, 0};
    return nullptr;
  }

  /// Adds a page to the run that it follows, or begins another one.
  static bool add_page(uintptr_t page, Run*& run) {
    if (!run || run->begin + run->pages * kPage != page) {
      run = reinterpret_cast<Run*>(reserve(sizeof *run));
      if (!run) return false;
      *run = {page, 0};
    }
    char* to = reserve(kPage);
    if (!to) return false;
    memcpy(to, reinterpret_cast<char*>(page), kPage);
    ++run->pages;
    return true;
  }
};

}  // namespace icount_stub

#endif  // ICOUNT_STUB_WARM
