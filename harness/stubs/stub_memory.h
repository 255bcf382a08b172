// State-neutral warming: runs benchmarks in the parent so that Valgrind has translated their code before the first child,
// then puts every changed page of the program's memory back, so that children start from the state of a parent that ran
// nothing (docs/measuring.md, "Warming"). Comes before stub_server.h; uses no heap and no stdio of its own.
#pragma once

#define ICOUNT_STUB_WARM 1

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace icount_stub {

constexpr int kRegions = 4096;
constexpr uintptr_t kPage = 4096;

/// A stretch of writable private memory of the program and where its copy lies.
struct MemoryRegion {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  char* copy = nullptr;
};

/// The program's writable private mappings, from /proc/self/maps. Under Valgrind that file shows Valgrind's own memory too:
/// its tool's image and everything from the middle of the address space it manages, where it never puts the program's
/// (the program's stack excepted, which is left alone anyway).
class MemoryMap {
 public:
  /// False when the file can't be read or has more regions than fit.
  bool read_own() {
    count_ = 0;
    const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    static char text[1 << 20];
    size_t used = 0;
    for (ssize_t n; used < sizeof text - 1 && (n = read(fd, text + used, sizeof text - 1 - used)) > 0;) used += static_cast<size_t>(n);
    close(fd);
    text[used] = 0;
    if (used == sizeof text - 1) return false;
    uintptr_t tool_end = 0;
    for (char* line = text; *line;) {
      char* end = line + strcspn(line, "\n");
      const bool last = *end == 0;
      *end = 0;
      take(line, tool_end);
      line = last ? end : end + 1;
    }
    return count_ > 0 && count_ < kRegions;
  }

  int count() const { return count_; }
  MemoryRegion& at(int i) { return regions_[i]; }
  const MemoryRegion* find(uintptr_t address) const {
    for (int i = 0; i < count_; ++i)
      if (address >= regions_[i].begin && address < regions_[i].end) return &regions_[i];
    return nullptr;
  }

 private:
  static constexpr uintptr_t kValgrindsOwn = uintptr_t{0x10} << 32;  // 64 GiB: the middle of Valgrind's 128

  void take(const char* line, uintptr_t& tool_end) {
    char* at = nullptr;
    const uintptr_t begin = strtoull(line, &at, 16);
    const uintptr_t end = strtoull(at + 1, &at, 16);
    const bool writable = at[2] == 'w', readable = at[1] == 'r', is_private = at[4] == 'p';
    // The tool's image, and its zeroed data right behind it.
    const bool tool = strstr(at, "/callgrind-") != nullptr || (begin == tool_end && !strchr(at, '/'));
    if (tool) {
      tool_end = end;
      return;
    }
    const uintptr_t here = reinterpret_cast<uintptr_t>(&begin);
    if (!writable || !readable || !is_private || begin >= kValgrindsOwn || (here >= begin && here < end)) return;
    if (count_ < kRegions) regions_[count_++] = {begin, end, nullptr};
  }

  MemoryRegion regions_[kRegions];
  int count_ = 0;
};

/// Remembers the program's memory and puts it back. On pages of its own, which stay as they are.
class alignas(kPage) MemoryKeeper {
 public:
  static MemoryKeeper& instance() {
    static MemoryKeeper keeper;
    return keeper;
  }

  /// Copies everything. The copies lie in one mapping of their own, whose descriptors (this object's own memory) are left
  /// out when things are put back.
  bool remember() {
    if (!before_.read_own()) return false;
    size_ = 0;
    for (int i = 0; i < before_.count(); ++i) size_ += before_.at(i).end - before_.at(i).begin;
    copy_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (copy_ == MAP_FAILED) return false;
    break_ = sbrk(0);
    char* to = copy_;
    for (int i = 0; i < before_.count(); ++i) {
      MemoryRegion& region = before_.at(i);
      region.copy = to;
      to += region.end - region.begin;
      memcpy(region.copy, reinterpret_cast<char*>(region.begin), region.end - region.begin);
    }
    return true;
  }

  /// Puts changed pages back, takes away what was mapped since, and the heap's end with it. Returns the changed pages; -1
  /// when the program's mappings can no longer be read.
  long put_back() {
    if (!after_.read_own()) return -1;
    unmap_new();
    if (sbrk(0) != break_) syscall(SYS_brk, break_);
    long changed = 0;
    for (int i = 0; i < before_.count(); ++i) {
      const MemoryRegion& region = before_.at(i);
      for (uintptr_t page = region.begin; page < region.end; page += kPage) {
        if (is_own(page)) continue;
        const char* wanted = region.copy + (page - region.begin);
        if (!after_.find(page) || memcmp(reinterpret_cast<char*>(page), wanted, kPage) == 0) continue;
        memcpy(reinterpret_cast<char*>(page), wanted, kPage);
        ++changed;
      }
    }
    munmap(copy_, size_);
    return changed;
  }

 private:
  bool is_own(uintptr_t page) const {
    const uintptr_t own = reinterpret_cast<uintptr_t>(this);
    return page + kPage > own && page < own + sizeof *this;
  }

  void unmap_new() {
    const uintptr_t copy = reinterpret_cast<uintptr_t>(copy_);
    for (int i = 0; i < after_.count(); ++i) {
      const MemoryRegion& region = after_.at(i);
      for (uintptr_t page = region.begin; page < region.end; page += kPage) {
        const bool heap = page >= reinterpret_cast<uintptr_t>(break_) && page < reinterpret_cast<uintptr_t>(sbrk(0));
        if (heap || before_.find(page) || (page >= copy && page < copy + size_)) continue;
        munmap(reinterpret_cast<void*>(page), kPage);
      }
    }
  }

  MemoryMap before_;
  MemoryMap after_;
  char* copy_ = nullptr;
  size_t size_ = 0;
  void* break_ = nullptr;
};

/// Threads of this process; 0 when that can't be read.
inline int count_threads() {
  const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[1024];
  const ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0) return 0;
  text[n] = 0;
  const char* at = strrchr(text, ')');  // the name before may hold anything
  for (int field = 2; at && field < 20; ++field) at = strchr(at + 1, ' ');
  return at ? atoi(at + 1) : 0;
}

}  // namespace icount_stub
