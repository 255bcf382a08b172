// The program's own memory as a preparing process sees it: which mappings there are, a copy of them, what has changed
// since, and putting it back, so that it can run benchmarks without a trace (docs/measuring.md, "Warming").
// stub_snapshot.h builds on it. Uses no heap and no stdio of its own.
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
    shared_ = 0;
    const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    size_t used = 0;
    for (ssize_t n; used < sizeof text_ && (n = read(fd, text_ + used, sizeof text_ - used)) > 0;)
      used += static_cast<size_t>(n);
    close(fd);
    if (used == sizeof text_) return false;
    uintptr_t tool_end = 0;
    const char* const text_end = text_ + used;
    for (const char *line = text_, *end; line < text_end; line = end + 1) {
      end = static_cast<const char*>(memchr(line, '\n', static_cast<size_t>(text_end - line)));
      if (!end) return false;
      take(line, end, tool_end);
    }
    return count_ > 0 && count_ < kRegions;
  }

  int count() const { return count_; }
  /// A hash of where the program shares memory with others.
  uint64_t shared() const { return shared_; }
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
  static constexpr uintptr_t kStubsOwn = uintptr_t{0x8} << 32;       // snapshots and copies
  static constexpr uintptr_t kValgrindsOwn = uintptr_t{0x10} << 32;  // 64 GiB: the middle of Valgrind's 128

  static uintptr_t read_address(const char*& at) {
    uintptr_t address = 0;
    for (; *at != '-' && *at != ' '; ++at)
      address = address * 16 + static_cast<uintptr_t>(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    ++at;
    return address;
  }
  /// Behind the last '/' of the line; nullptr: it has none.
  static const char* file_name(const char* line, const char* line_end) {
    for (const char* at = line_end; at > line; --at)
      if (at[-1] == '/') return at;
    return nullptr;
  }

  /// By hand: a server reads it for each benchmark, under Valgrind, where the C library's functions take ten times as
  /// long.
  void take(const char* line, const char* line_end, uintptr_t& tool_end) {
    const char* at = line;
    const uintptr_t begin = read_address(at);
    const uintptr_t end = read_address(at);
    const char* const name = file_name(at, line_end);
    const bool of_file = name != nullptr;
    // The tool's image, and its zeroed data right behind it.
    if ((of_file && (strncmp(name, "callgrind-", 10) == 0 || strncmp(name, "icount-amd64-", 13) == 0)) ||
        (begin == tool_end && !of_file)) {
      tool_end = end;
      return;
    }
    const uintptr_t here = reinterpret_cast<uintptr_t>(&begin);
    if (at[3] == 's' && begin < kStubsOwn) shared_ = (shared_ ^ begin ^ (end << 24)) * 0x100000001b3;
    if (at[3] != 'p' || begin >= kValgrindsOwn || (here >= begin && here < end) || count_ == kRegions) return;
    const int protection =
        (at[0] == 'r' ? PROT_READ : 0) | (at[1] == 'w' ? PROT_WRITE : 0) | (at[2] == 'x' ? PROT_EXEC : 0);
    regions_[count_++] = {begin, end, protection, of_file, nullptr};
  }

  MemoryRegion regions_[kRegions];
  int count_ = 0;
  int last_found_ = 0;
  uint64_t shared_ = 0;
  char text_[1 << 20];
};

/// Which pages a process has written since it was forked, from /proc/self/pagemap: those that it shares with no other
/// process. Much quicker than comparing all memory; without the file every page counts as written.
class WrittenPages {
 public:
  void begin() {
    if (fd_ < 0) fd_ = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    first_ = last_ = 0;
  }
  void end() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  /// False only when the page is surely as it was. Quick for pages in rising order.
  bool may_have_changed(uintptr_t page) {
    if (fd_ < 0) return true;
    const uintptr_t index = page / kPage;
    if (index < first_ || index >= last_) {
      const ssize_t n = pread(fd_, entries_, sizeof entries_, static_cast<off_t>(index * sizeof entries_[0]));
      if (n < static_cast<ssize_t>(sizeof entries_[0])) return true;
      first_ = index;
      last_ = index + static_cast<uintptr_t>(n) / sizeof entries_[0];
    }
    constexpr uint64_t kPresent = uint64_t{1} << 63, kExclusive = uint64_t{1} << 56;
    return (entries_[index - first_] & (kPresent | kExclusive)) != kPresent;
  }

 private:
  int fd_ = -1;
  uintptr_t first_ = 0;
  uintptr_t last_ = 0;
  uint64_t entries_[512];
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

  /// Looks at the memory as it is now: what the functions below go by. False when it can't be read.
  bool look() {
    if (!after_.read_own()) return false;
    has_looked_ = true;
    const uintptr_t now = next_page(reinterpret_cast<uintptr_t>(sbrk(0)));
    if (now > heap_top_) heap_top_ = now;
    return true;
  }

  /// Calls `take(begin, end, region)` for each piece of memory that was not there before. What the heap grew by is
  /// none: Valgrind never unmaps what the heap gives back, it clears it, and unmapping it would be fatal when the heap
  /// grows again.
  template <typename Take>
  void for_each_new(Take take) {
    int old = 0;
    for (int i = 0; i < after_.count(); ++i) {
      const MemoryRegion& region = after_.at(i);
      for (uintptr_t at = region.begin; at < region.end;) {
        while (old < before_.count() && before_.at(old).end <= at) ++old;
        uintptr_t known =
            old < before_.count() && before_.at(old).begin < region.end ? before_.at(old).begin : region.end;
        uintptr_t known_end = known < region.end ? before_.at(old).end : region.end;
        const uintptr_t heap = heap_end();
        if (at >= heap && at < heap_top_)
          known = at, known_end = heap_top_;
        else if (heap < heap_top_ && heap >= at && heap < known)
          known = heap, known_end = heap_top_;
        if (known > at) take(at, known, region);
        at = known_end > known ? known_end : region.end;
      }
    }
  }

  /// Calls `take(page, copy)` for each page that could be written before, is there and differs from its copy.
  template <typename Take>
  void for_each_changed(uintptr_t heap_end, Take take) {
    written_.begin();
    for (int i = 0; i < before_.count(); ++i) {
      const MemoryRegion& region = before_.at(i);
      if (!region.writable()) continue;
      for (uintptr_t page = region.begin; page < region.end; page += kPage) {
        if (is_own(page) || (page >= heap_end && page < break_) || !written_.may_have_changed(page)) continue;
        const char* copy = region.copy + (page - region.begin);
        if (memcmp(reinterpret_cast<char*>(page), copy, kPage) != 0) take(page, copy);
      }
    }
    written_.end();
  }

  /// Whether shared mappings have come or gone.
  bool shares_other_memory() const { return after_.shared() != before_.shared(); }

  /// Whether all that was there before is there with the same protection, the heap's end excepted.
  bool is_all_there(uintptr_t heap_end) {
    int now = 0;
    for (int i = 0; i < before_.count(); ++i) {
      const MemoryRegion& region = before_.at(i);
      for (uintptr_t at = region.begin; at < region.end;) {
        while (now < after_.count() && after_.at(now).end <= at) ++now;
        const bool there = now < after_.count() && after_.at(now).begin <= at;
        if (there && after_.at(now).protection == region.protection)
          at = after_.at(now).end;
        else if (!there && at >= heap_end && at < break_)
          at = this->heap_end();
        else
          return false;
      }
    }
    return true;
  }

  /// Takes away what was mapped since, puts changed pages back, and the heap's end with them. False when that can't be
  /// done. Nothing was mapped since look(), if that was called since the last time.
  bool put_back() {
    if ((!has_looked_ && !look()) || shares_other_memory()) return false;
    has_looked_ = false;
    for_each_new([](uintptr_t begin, uintptr_t end, const MemoryRegion&) {
      munmap(reinterpret_cast<void*>(begin), end - begin);
    });
    syscall(SYS_brk, break_);
    if (!is_all_there(break_) && !restore_mappings()) return false;
    for_each_changed(break_,
                     [](uintptr_t page, const char* copy) { memcpy(reinterpret_cast<char*>(page), copy, kPage); });
    return true;
  }

  /// Takes the copies away.
  void forget() { munmap(reinterpret_cast<void*>(kCopies), size_); }

  /// The first page behind the heap at remember().
  uintptr_t heap_end() const { return next_page(break_); }

 private:
  static uintptr_t next_page(uintptr_t address) { return (address + kPage - 1) & ~(kPage - 1); }

  bool is_own(uintptr_t page) const {
    const uintptr_t own = reinterpret_cast<uintptr_t>(this);
    return page + kPage > own && page < own + sizeof *this;
  }

  /// A page that is gone or was protected since comes back. Pages below the heap's old end are there again already.
  bool restore_mappings() {
    for (int i = 0; i < before_.count(); ++i) {
      const MemoryRegion& region = before_.at(i);
      if (!region.writable()) continue;
      for (uintptr_t page = region.begin; page < region.end; page += kPage)
        if (!is_own(page) && !make_writable(page, region.protection)) return false;
    }
    return true;
  }

  bool make_writable(uintptr_t page, int protection) {
    const MemoryRegion* now = after_.find(page);
    if (now && now->protection == protection) return true;
    if (now) return mprotect(reinterpret_cast<void*>(page), kPage, protection) == 0;
    if (page < break_ && is_heap(page)) return true;
    return mmap(reinterpret_cast<void*>(page), kPage, protection, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) !=
           MAP_FAILED;
  }

  /// In the mapping that ended at the heap's end.
  bool is_heap(uintptr_t page) {
    const MemoryRegion* region = before_.find(page);
    return region && break_ > region->begin && break_ <= region->end;
  }

  MemoryMap before_;
  MemoryMap after_;
  WrittenPages written_;
  size_t size_ = 0;
  uintptr_t break_ = 0;
  uintptr_t heap_top_ = 0;
  bool has_looked_ = false;
};

}  // namespace icount_stub
