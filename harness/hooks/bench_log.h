// What the hooks read and write: the plan that icount left in the folder ICOUNT_BENCH_DIR, and the events that they
// append there. Plain system calls and no heap: the benchmark's heap stays its own.
//
// The file `plan`, one "WORD NUMBER..." per line: `number N` (iterations of the larger region), `once N` (a single
// region), `list 1` (no case is measured), `tests 1` (the cases are tests), `only CASE`, `choose CASE` (one of those
// that are measured), `skip CASE`, `limit CASE N` (at most N iterations), `memory 1` (under DHAT), `runs CASE N`
// (iterations of the larger region there), `calls CASE N` (the framework runs the case N times), `inside 1` (all steps
// in one call), `function ADDRESS`.
//
// The file `events`, texts in hex: `case INDEX [NAME]` when a case begins; `part CASE STEP ITERATIONS PART PROCESS
// FIRST TOGGLED` when a region has been written (step 1 few, 2 many; the region is the parts FIRST to PART, every
// second one a pause; TOGGLED is 1 where it paused too often for that); `complexity CASE N`; `ran CASE ITERATIONS` with
// `counter CASE FLAGS BITS NAME` for each counter of such a run (a double's bits); `label`, `error` and `skipped CASE
// TEXT`; `escaped CASE WHAT` when the region made a process (1), left a thread (2) or had code of an unlinked file (3);
// `ended CASE PROCESS STATUS` when a case's process ended before it was measured; `memory CASE BEFORE WHOLE TAKEN
// PAUSED` (the two processes of a case under DHAT, which write `dhat.PROCESS`; TAKEN bytes were allocated by the second
// before its loop, so that the peak inside shows); `together 1` when cases cannot have processes; `layout ...` when the
// library's objects are not what the hooks know.
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace icount_hooks {

// getpid() and getppid() without a function of another object: what a region costs there is taken out by the object.
#ifdef __x86_64__
inline int call_kernel(long number) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(number) : "rcx", "r11", "memory");
  return static_cast<int>(result);
}
inline int current_process() { return call_kernel(39); }
inline int parent_process() { return call_kernel(110); }
#else
inline int current_process() { return getpid(); }
inline int parent_process() { return getppid(); }
#endif

constexpr int kMostNumbers = 4096;  ///< cases that the plan may name

/// The plan: one "WORD NUMBER..." per line.
struct Plan {
  long number = 0;    ///< iterations of the larger region; 0: chosen by the cost of one
  long once = 0;      ///< above 0: one region of so many iterations per case
  long only = -1;     ///< the only case that is measured; -1: all
  long from = 0;      ///< cases before this one were measured by another process
  long inside = 0;    ///< 1: all steps of a case in one call of the framework
  long list = 0;      ///< 1: nothing is measured, the cases only say their names
  long tests = 0;     ///< 1: the cases are tests, see bench_tests.h
  long memory = 0;    ///< 1: under DHAT, see bench_memory.h
  char folder[4096];  ///< ends without a slash
  struct PerCase {
    long index;
    long value;
  };
  PerCase calls[kMostNumbers];   ///< how often the framework runs a case; others: 3 times
  PerCase limits[kMostNumbers];  ///< the most iterations that a case may have
  PerCase runs[kMostNumbers];    ///< the iterations of a case's larger region, where its memory is measured
  PerCase skipped[kMostNumbers];
  PerCase chosen[kMostNumbers];  ///< the only cases that are measured; none: all
  long functions[kMostNumbers];  ///< addresses in the program's file
  int call_count = 0, limit_count = 0, run_count = 0, skip_count = 0, chosen_count = 0, function_count = 0;

  static long find(const PerCase* list, int count, long index, long otherwise) {
    for (int i = 0; i < count; ++i)
      if (list[i].index == index) return list[i].value;
    return otherwise;
  }
  bool is_measured(long index) const {
    return !list && index >= from && (only < 0 || only == index) &&
           (chosen_count == 0 || find(chosen, chosen_count, index, 0) != 0);
  }
  bool is_skipped(long index) const { return find(skipped, skip_count, index, 0) != 0; }
};

inline Plan& plan() {
  static Plan the_plan;
  return the_plan;
}

inline int& events_file() {
  static int file = -1;
  return file;
}

/// Text put together without the heap.
class Line {
 public:
  Line& text(const char* text) {
    while (*text) put(*text++);
    return *this;
  }
  Line& number(long value) {
    char digits[24];
    int count = 0;
    unsigned long rest = value < 0 ? 0UL - static_cast<unsigned long>(value) : static_cast<unsigned long>(value);
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    put(' ');
    if (value < 0) put('-');
    while (count) put(digits[--count]);
    return *this;
  }
  /// Bytes as two hex digits each, so that a line stays a line.
  Line& hex(const char* bytes, unsigned long size) {
    put(' ');
    for (unsigned long i = 0; i < size && used_ + 3 < sizeof(buffer_); ++i) {
      put("0123456789abcdef"[static_cast<unsigned char>(bytes[i]) >> 4]);
      put("0123456789abcdef"[static_cast<unsigned char>(bytes[i]) & 15]);
    }
    return *this;
  }
  const char* c_str() {
    buffer_[used_] = 0;
    return buffer_;
  }
  void send() {
    put('\n');
    if (events_file() >= 0) (void)!write(events_file(), buffer_, used_);
  }

 private:
  void put(char c) {
    if (used_ + 2 < sizeof(buffer_)) buffer_[used_++] = c;
  }
  char buffer_[8192];
  unsigned long used_ = 0;
};

inline void read_plan_line(const char* word, const long* numbers, int count) {
  Plan& to = plan();
  const auto add = [&](Plan::PerCase* list, int& used) {
    if (used < kMostNumbers && count > 0) list[used++] = {numbers[0], count > 1 ? numbers[1] : 1};
  };
  if (!strcmp(word, "number")) to.number = numbers[0];
  if (!strcmp(word, "once")) to.once = numbers[0];
  if (!strcmp(word, "inside")) to.inside = numbers[0];
  if (!strcmp(word, "list")) to.list = numbers[0];
  if (!strcmp(word, "tests")) to.tests = numbers[0];
  if (!strcmp(word, "memory")) to.memory = numbers[0];
  if (!strcmp(word, "runs")) add(to.runs, to.run_count);
  if (!strcmp(word, "from")) to.from = numbers[0];
  if (!strcmp(word, "only")) to.only = numbers[0];
  if (!strcmp(word, "calls")) add(to.calls, to.call_count);
  if (!strcmp(word, "limit")) add(to.limits, to.limit_count);
  if (!strcmp(word, "skip")) add(to.skipped, to.skip_count);
  if (!strcmp(word, "choose")) add(to.chosen, to.chosen_count);
  if (!strcmp(word, "function") && to.function_count < kMostNumbers) to.functions[to.function_count++] = numbers[0];
}

/// Reads FOLDER/plan and opens FOLDER/events.
inline void open_folder(const char* folder) {
  strncpy(plan().folder, folder, sizeof(plan().folder) - 1);
  static char text[1 << 17];
  const int file = open(Line().text(folder).text("/plan").c_str(), O_RDONLY | O_CLOEXEC);
  long size = 0;
  for (long got; file >= 0 && (got = read(file, text + size, sizeof(text) - 1 - static_cast<unsigned long>(size))) > 0;)
    size += got;
  if (file >= 0) close(file);
  for (char* line = text; *line;) {
    char* end = strchr(line, '\n');
    if (end) *end = 0;
    char* rest = strchr(line, ' ');
    if (rest) {
      *rest++ = 0;
      long numbers[2] = {0, 0};
      int count = 0;
      while (*rest && count < 2) numbers[count++] = strtol(rest, &rest, 10);
      read_plan_line(line, numbers, count);
    }
    if (!end) break;
    line = end + 1;
  }
  // The framework's own output goes to a file with a name of fixed length.
  const int out = open(Line().text(folder).text("/out").c_str(), O_RDWR | O_CLOEXEC);
  if (out >= 0 && out != 200) {
    dup2(out, 200);
    close(out);
  }
  events_file() = open(Line().text(folder).text("/events").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

}  // namespace icount_hooks
