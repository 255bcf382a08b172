// Bytes and peak of a case under Valgrind's DHAT, which counts from a process's start on and writes its file at the
// end. Each case has two processes that run alike up to its larger region. One ends where the region begins, the other
// where it ends, and the difference is the region's. DHAT's peak is that of the whole process: so that the region's
// shows, the second process first takes as much as was ever in use before.
#pragma once

#include <sys/mman.h>
#include <sys/stat.h>

#include "bench_region.h"

namespace icount_hooks {

class CaseMemory {
 public:
  enum Part { kNone, kBefore, kWhole };

  /// Of the process; kNone where no memory is measured.
  static Part& part() {
    static Part value;
    return value;
  }
  /// The process that measured what was there before.
  static int& before() {
    static int process;
    return process;
  }

  /// The most bytes that were in use at a time, by the file of a process that ended; 0 without one.
  static unsigned long most_bytes(int process) {
    Line path, digits;
    digits.number(process);
    path.text(plan().folder).text("/dhat.").text(digits.c_str() + 1);
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0) return 0;
    void* text = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > 0)
      text = mmap(nullptr, static_cast<unsigned long>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (text == MAP_FAILED) return 0;
    const unsigned long bytes = sum_of(static_cast<const char*>(text), static_cast<unsigned long>(status.st_size));
    munmap(text, static_cast<unsigned long>(status.st_size));
    return bytes;
  }

  /// Takes them, not to be left out by the compiler.
  __attribute__((noinline)) static bool take(unsigned long bytes) {
    void* const block = malloc(bytes);
    asm volatile("" : : "r"(block) : "memory");
    return block != nullptr;
  }

 private:
  /// Of all fields "gb".
  static unsigned long sum_of(const char* text, unsigned long size) {
    constexpr char kField[] = "\"gb\":";
    constexpr unsigned long kLength = sizeof(kField) - 1;
    unsigned long sum = 0;
    for (unsigned long i = 0; i + kLength < size; ++i) {
      if (text[i] != '"' || memcmp(text + i, kField, kLength) != 0) continue;
      unsigned long value = 0;
      for (i += kLength; i < size && text[i] >= '0' && text[i] <= '9'; ++i)
        value = value * 10 + static_cast<unsigned long>(text[i] - '0');
      sum += value;
    }
    return sum;
  }
};

}  // namespace icount_hooks
