// The program's own memory as the stub server sees it: which mappings there are, a copy of them, and putting them back, so
// that the server can run benchmarks without a trace (docs/measuring.md, "Warming"). stub_snapshot.h builds on it. Uses no
// heap and no stdio of its own.
#pragma once

#if defined(__x86_64__)
#define ICOUNT_STUB_WARM 1
#endif

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace icount_stub {

constexpr int kRegions = 4096;
constexpr uintptr_t kPage = 4096;
/// Where copies lie: far from where Valgrind puts what the program maps, so that its addresses stay what they would be.
constexpr uintptr_t kCopies = uintptr_t{0xa} << 32;

/// A private mapping of the program.
struct MemoryRegion {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  int protection = 0;
  bool of_file = false;
  char* copy = nullptr;
  bool writable() const { return (protection & (PROT_READ | PROT_WRITE)) == (PROT_READ | PROT_WRITE); }
};

/// The program's private mappings, from /proc/self/maps. Under Valgrind that file shows Valgrind's own memory too: its
/// tool's image and everything from the middle of the address space it manages, where it never puts the program's (the
/// program's stack excepted, which is left alone anyway).
class MemoryMap {
 public:
  /// False when the file can't be read or has more regions than fit.
  bool read_own() {
    count_ = 0;
    const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    size_t used = 0;
    for (ssize_t n; used < sizeof text_ - 1 && (n = read(fd, text_ + used, sizeof text_ - 1 - used)) > 0;) used += static_cast<size_t>(n);
    close(fd);
    text_[used] = 0;
    if (used == sizeof text_ - 1) return false;
    uintptr_t tool_end = 0;
    for (char* line = text_; *line;) {
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
  /// The region with this address. Quick for addresses that come in rising order.
  const MemoryRegion* find(uintptr_t address) {
    for (int i = 0; i < count_; ++i) {
      const MemoryRegion& region = regions_[last_found_ < count_ ? last_found_ : (last_found_ = 0)];
      if (address >= region.begin && address < region.end) return &region;
      ++last_found_;
    }
    return nullptr;
  }

 private:
  static constexpr uintptr_t kValgrindsOwn = uintptr_t{0x10} << 32;  // 64 GiB: the middle of Valgrind's 128

  void take(const char* line, uintptr_t& tool_end) {
    char* at = nullptr;
    const uintptr_t begin = strtoull(line, &at, 16);
    const uintptr_t end = strtoull(at + 1, &at, 16);
    const bool of_file = strchr(at, '/') != nullptr;
    // The tool's image, and its zeroed data right behind it.
    if (strstr(at, "/callgrind-") != nullptr || (begin == tool_end && !of_file)) {
      tool_end = end;
      return;
    }
    const uintptr_t here = reinterpret_cast<uintptr_t>(&begin);
    if (at[4] != 'p' || begin >= kValgrindsOwn || (here >= begin && here < end) || count_ == kRegions) return;
    const int protection = (at[1] == 'r' ? PROT_READ : 0) | (at[2] == 'w' ? PROT_WRITE : 0) | (at[3] == 'x' ? PROT_EXEC : 0);
    regions_[count_++] = {begin, end, protection, of_file, nullptr};
  }

  MemoryRegion regions_[kRegions];
  int count_ = 0;
  int last_found_ = 0;
  char text_[1 << 20];
};

/// Remembers the program's memory and puts it back. On pages of its own, which stay as they are.
class alignas(kPage) MemoryKeeper {
 public:
  static MemoryKeeper& instance() {
    static MemoryKeeper keeper;
    return keeper;
  }

  /// Copies everything that can be written.
  bool remember() {
    if (!before_.read_own()) return false;
    size_ = 0;
    for (int i = 0; i < before_.count(); ++i)
      if (before_.at(i).writable()) size_ += before_.at(i).end - before_.at(i).begin;
    // Shared: no fork has to copy its page tables, and it is no part of what is remembered.
    void* copies = mmap(reinterpret_cast<void*>(kCopies), size_, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copies == MAP_FAILED) return false;
    break_ = reinterpret_cast<uintptr_t>(sbrk(0));
    char* to = static_cast<char*>(copies);
    for (int i = 0; i < before_.count(); ++i) {
      MemoryRegion& region = before_.at(i);
      if (!region.writable()) continue;
      region.copy = to;
      to += region.end - region.begin;
      memcpy(region.copy, reinterpret_cast<char*>(region.begin), region.end - region.begin);
    }
    return true;
  }

  /// Takes away what was mapped since, puts changed pages back, and the heap's end with them. Returns the changed pages; -1
  /// when that can't be done.
  long put_back() {
    if (!after_.read_own()) return -1;
    note_heap_end();
    unmap_new();
    syscall(SYS_brk, break_);
    long changed = 0;
    for (int i = 0; i < before_.count(); ++i) {
      const MemoryRegion& region = before_.at(i);
      if (!region.writable()) continue;
      for (uintptr_t page = region.begin; page < region.end; page += kPage) {
        if (is_own(page)) continue;
        if (!make_writable(page, region.protection)) return -1;
        const char* wanted = region.copy + (page - region.begin);
        if (memcmp(reinterpret_cast<char*>(page), wanted, kPage) == 0) continue;
        memcpy(reinterpret_cast<char*>(page), wanted, kPage);
        ++changed;
      }
    }
    return changed;
  }

  void forget() { munmap(reinterpret_cast<void*>(kCopies), size_); }

  /// For stub_snapshot.h: what was there at remember(), and the heap's end then.
  MemoryMap& before() { return before_; }
  MemoryMap& after() { return after_; }
  uintptr_t heap_end() const { return break_; }
  /// Where the heap grew to at some time. Valgrind never unmaps what the heap gives back, it clears it: none of it is a
  /// mapping of the program's, and unmapping it would be fatal when the heap grows again.
  bool is_grown_heap(uintptr_t page) const { return page >= break_ && page < heap_top_; }
  void note_heap_end() {
    const uintptr_t now = reinterpret_cast<uintptr_t>(sbrk(0));
    if (now > heap_top_) heap_top_ = now;
  }

  bool is_own(uintptr_t page) const {
    const uintptr_t own = reinterpret_cast<uintptr_t>(this);
    return page + kPage > own && page < own + sizeof *this;
  }

 private:
  /// A page that is gone or was protected since comes back. Pages below the heap's old end are there again already.
  bool make_writable(uintptr_t page, int protection) {
    const MemoryRegion* now = after_.find(page);
    if (now && now->protection == protection) return true;
    if (now) return mprotect(reinterpret_cast<void*>(page), kPage, protection) == 0;
    if (page < break_ && is_heap(page)) return true;
    return mmap(reinterpret_cast<void*>(page), kPage, protection, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  }

  /// In the mapping that ended at the heap's end.
  bool is_heap(uintptr_t page) {
    const MemoryRegion* region = before_.find(page);
    return region && break_ > region->begin && break_ <= region->end;
  }

  void unmap_new() {
    for (int i = 0; i < after_.count(); ++i) {
      const MemoryRegion& region = after_.at(i);
      uintptr_t begin = 0;  // of a run of new pages; 0: none
      for (uintptr_t page = region.begin; page <= region.end; page += kPage) {
        const bool is_new = page < region.end && !is_grown_heap(page) && !before_.find(page);
        if (is_new && begin == 0) begin = page;
        if (!is_new && begin != 0) {
          munmap(reinterpret_cast<void*>(begin), page - begin);
          begin = 0;
        }
      }
    }
  }

  MemoryMap before_;
  MemoryMap after_;
  size_t size_ = 0;
  uintptr_t break_ = 0;
  uintptr_t heap_top_ = 0;
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
