// The stub server for C++: one process that holds all benchmarks of a batch and forks a child per measurement.
// Protocol and reasons: docs/stub_protocol.md, docs/measuring.md. Compiled into one translation unit of each stub, which
// may define ICOUNT_STUB_SET_THREADS(n) and ICOUNT_STUB_PREPARE() first (LibTorch's thread setting), or ICOUNT_STUB_NO_MAIN
// and ICOUNT_STUB_LANGUAGE (python_server.cc); needs the standard library and Valgrind's callgrind.h alone. The parent
// never touches the heap: children inherit its state, and the count of a benchmark must not depend on what was measured
// before it.
#pragma once

#include <cxxabi.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include <exception>
#include <initializer_list>
#include <typeinfo>

#ifndef ICOUNT_STUB_LANGUAGE
#define ICOUNT_STUB_LANGUAGE "c++"
#endif

#ifndef ICOUNT_STUB_PREPARE
#define ICOUNT_STUB_PREPARE()
#endif

extern "C" void omp_set_num_threads(int) __attribute__((weak));

#ifndef ICOUNT_STUB_SET_THREADS
#define ICOUNT_STUB_SET_THREADS(n) \
  if (omp_set_num_threads) omp_set_num_threads(n)
#endif

namespace icount_stub {

constexpr int kRequests = 3;  // file descriptors of the protocol
constexpr int kReplies = 4;
constexpr int kLine = 65536;
constexpr int kTail = 2000;  // bytes of a child's output that go into its reply
constexpr int kSlots = 64;   // children in flight
constexpr double kGraceSeconds = 1.0;
#ifdef ICOUNT_STUB_WARM
constexpr const char* kWarmFeature = ",prepare";
#else
constexpr const char* kWarmFeature = "";
#endif
constexpr int kEmptyBenchmark = -1;
constexpr int kNoBenchmark = -2;

inline double now_seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// ---- lines ---------------------------------------------------------------------------------------------------------

/// A line being built in a fixed buffer; what does not fit is dropped.
class Line {
 public:
  Line& add(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    va_list arguments;
    va_start(arguments, format);
    const int room = kLine - used_ - 2;
    const int n = vsnprintf(text_ + used_, static_cast<size_t>(room), format, arguments);
    va_end(arguments);
    used_ += n < room ? n : room - 1;
    return *this;
  }
  /// Text as one word: what would end the word or the line is written \xNN.
  Line& add_escaped(const char* bytes, int size) {
    static const char kHex[] = "0123456789abcdef";
    for (int i = 0; i < size && used_ + 6 < kLine; ++i) {
      const unsigned char c = static_cast<unsigned char>(bytes[i]);
      if (c > 32 && c < 127 && c != '\\') {
        text_[used_++] = static_cast<char>(c);
      } else {
        text_[used_++] = '\\';
        text_[used_++] = 'x';
        text_[used_++] = kHex[c >> 4];
        text_[used_++] = kHex[c & 15];
      }
    }
    return *this;
  }
  void send(int fd) {
    text_[used_++] = '\n';
    for (int sent = 0; sent < used_;) {
      const ssize_t n = write(fd, text_ + sent, static_cast<size_t>(used_ - sent));
      if (n < 0 && errno != EINTR) break;
      if (n > 0) sent += static_cast<int>(n);
    }
    used_ = 0;
  }

 private:
  char text_[kLine];
  int used_ = 0;
};

inline Line& reply_line() {
  static Line line;
  return line;
}

/// Takes lines out of what a descriptor gives.
class LineReader {
 public:
  /// Reads once; false at the end of the file.
  bool fill(int fd) {
    if (start_ > 0) {
      memmove(text_, text_ + start_, static_cast<size_t>(used_ - start_));
      used_ -= start_;
      start_ = 0;
    }
    const ssize_t n = read(fd, text_ + used_, static_cast<size_t>(kLine - used_));
    if (n > 0) used_ += static_cast<int>(n);
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
  }
  /// The next whole line, ended by NUL, valid until the next call; nullptr when there is none yet.
  char* next() {
    char* begin = text_ + start_;
    char* end = static_cast<char*>(memchr(begin, '\n', static_cast<size_t>(used_ - start_)));
    if (!end) return nullptr;
    *end = 0;
    start_ = static_cast<int>(end - text_) + 1;
    return begin;
  }

 private:
  char text_[kLine + 1];
  int start_ = 0;
  int used_ = 0;
};

/// The value of `key=` among the words of a request; `otherwise` when it is not there.
inline const char* find_key(const char* words, const char* key, const char* otherwise) {
  const size_t length = strlen(key);
  for (const char* at = words; at && *at; at = strchr(at, ' ')) {
    while (*at == ' ') ++at;
    if (strncmp(at, key, length) == 0 && at[length] == '=') return at + length + 1;
  }
  return otherwise;
}
inline int64_t find_number(const char* words, const char* key, int64_t otherwise) {
  const char* value = find_key(words, key, nullptr);
  return value ? strtoll(value, nullptr, 10) : otherwise;
}
inline bool value_is(const char* value, const char* word) {
  const size_t length = strlen(word);
  return strncmp(value, word, length) == 0 && (value[length] == 0 || value[length] == ' ');
}

// ---- the child -----------------------------------------------------------------------------------------------------

enum class Mode { kDry, kWall, kCallgrind, kToggle };

struct Job {
  int64_t id = 0;
  int benchmark = kNoBenchmark;
  Mode mode = Mode::kDry;
  int64_t number = 1;
  int64_t warmup = 0;
  int64_t then = 0;
  int64_t repeats = 1;
  int64_t cold_bytes = 0;  // wall: so many bytes are walked through before each run, which is timed alone; 0: warm
  int threads = 1;
  double limit = 0;
  bool align = true;
};

/// What the child is doing; one for the process, so that it is at hand where no argument reaches (atfork, next()).
struct Progress {
  Job job;
  pid_t pid = 0;        // of the process that runs the benchmark; another one is a fork of the statement
  int report = -1;      // the parent reads here
  int reaped_own = 0;   // forks of `then` that were waited for
  bool own_fork = false;  // the fork of `then` is ours
  bool is_then = false;
  bool measuring_child = false;
  bool quiet = false;   // in a session: no word to the parent, which would wake it while time is taken
  double begun = 0;
  double seconds = 0;
  int64_t cold_left = 0;  // runs still to be timed one by one
  bool preparing = false;  // in the server: up to the region, where a snapshot is taken
  bool resumed = false;    // in a child that began with a snapshot
};

inline Progress& progress() {
  static Progress instance;
  return instance;
}

__attribute__((format(printf, 1, 2))) inline void report(const char* format, ...) {
  char text[6000];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text, sizeof text - 1, format, arguments);
  va_end(arguments);
  if (n > static_cast<int>(sizeof text) - 2) n = sizeof text - 2;
  for (int i = 0; i < n; ++i)
    if (text[i] == '\n') text[i] = '\r';
  text[n] = '\n';
  [[maybe_unused]] const ssize_t written = write(progress().report, text, static_cast<size_t>(n) + 1);
}

inline void report_phase(const char* name) {
  if (!progress().quiet) report("phase %s", name);
}

#ifdef ICOUNT_STUB_WARM
void keep_state(const Job& job);
#endif

/// The steps that Context::next() walks through. Kept out of line: what it costs between the markers is the same for
/// every benchmark and is measured by the empty one.
class Region {
 public:
  enum Step { kBegin, kWarmedUp, kInRegion, kEnded };
  static int step(const Context& context) { return context.step_; }

  static bool advance(Context& context) {
    Progress& now = progress();
    switch (context.step_) {
      case kBegin:
        context.step_ = kWarmedUp;
        report_phase("warmup");
        if (now.job.warmup > 0) {
          context.count_ = now.job.warmup;
          return true;
        }
        [[fallthrough]];
      case kWarmedUp:
#ifdef ICOUNT_STUB_WARM
        if (now.preparing) keep_state(now.job);
#endif
        if (now.job.then > 0) fork_then(now);
        report_phase("region");
        context.count_ = now.job.cold_bytes > 0 && now.job.number > 1 ? 1 : now.job.number;
        now.cold_left = now.job.number;
        now.seconds = 0;
        return enter(context, now);
      default:
        return leave(context, now);
    }
  }

  static bool leave(Context& context, Progress& now) {
    if (now.job.mode == Mode::kCallgrind) {
      CALLGRIND_DUMP_STATS;
    } else if (now.job.mode == Mode::kToggle) {
      CALLGRIND_TOGGLE_COLLECT;
      CALLGRIND_DUMP_STATS;
      if (--now.job.repeats > 0) return enter(context, now);
    } else {
      now.seconds += now_seconds() - now.begun;
      if (now.job.cold_bytes > 0 && --now.cold_left > 0) return enter(context, now);
    }
    context.step_ = kEnded;
    return false;
  }

 private:
  static bool enter(Context& context, Progress& now) {
    context.step_ = kInRegion;
    if (now.job.mode == Mode::kCallgrind) {
      CALLGRIND_DUMP_STATS;
    } else if (now.job.mode == Mode::kToggle) {
      CALLGRIND_TOGGLE_COLLECT;
    } else {
      if (now.job.cold_bytes > 0) empty_caches(now.job.cold_bytes);
      now.begun = now_seconds();
    }
    return true;
  }

  /// Writes one byte of every line of a buffer of its own, so that what the statement touched before is no longer cached.
  static void empty_caches(int64_t bytes) {
    constexpr int64_t kLineBytes = 64;
    static char* buffer = nullptr;
    static int64_t size = 0;
    if (size < bytes) {
      void* memory = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) return;
      buffer = static_cast<char*>(memory);
      size = bytes;
    }
    for (int64_t at = 0; at < bytes; at += kLineBytes) const_cast<volatile char*>(buffer)[at]++;
  }

  /// The second region from the very same state: a fork that goes on with another number while we wait for its end.
  static void fork_then(Progress& now) {
    now.own_fork = true;
    const pid_t child = fork();
    now.own_fork = false;
    if (child == 0) {
      now.is_then = true;
      now.own_fork = false;
      now.pid = getpid();
      now.job.number = now.job.then;
      now.job.then = 0;
      return;
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    ++now.reaped_own;
    report("then %d %d", static_cast<int>(child), status);
  }
};

#ifdef ICOUNT_STUB_WARM
/// Where the server goes on after a snapshot, and what it was told. On the stack of prepare_one.
struct Preparation {
  Registers back;
  uintptr_t stack_end;
  bool kept;
};
inline Preparation*& preparation() {
  static Preparation* current = nullptr;
  return current;
}

/// Takes the snapshot and leaves the benchmark for good; comes back in children alone, with their own job.
__attribute__((noinline)) inline void keep_state(const Job& job) {
  Preparation& here = *preparation();
  Registers registers;
  if (save_registers(&registers)) return;
  here.kept = count_threads() == 1 && !Snapshots::take(job.benchmark, job.warmup, registers, here.stack_end);
  resume_registers(&here.back);
}

/// The child's way in: below the snapshot's stack, everything but the progress of this child becomes what it was.
[[noreturn]] __attribute__((noinline)) inline void resume_snapshot(const Snapshot& snapshot) {
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const size_t gap = here > snapshot.stack_begin ? here - snapshot.stack_begin : 0;
  volatile char* pad = static_cast<volatile char*>(__builtin_alloca(gap + 4096));
  pad[0] = 0;
  const Progress mine = progress();
  Snapshots::apply(snapshot);
  progress() = mine;
  progress().resumed = true;
  resume_registers(&snapshot.registers);
}
#endif

// The first fork of a statement ends its job: what runs in other processes is in no count, and a statement that forks
// in a loop would fill the machine.
inline void end_forking_parent() {
  Progress& now = progress();
  if (!now.measuring_child || now.own_fork) return;
  report("forked the statement makes further processes");
  _exit(1);
}
inline void end_forked_child() {
  Progress& now = progress();
  if (now.measuring_child && !now.own_fork) _exit(0);
}

/// Processes that were made without fork (system, posix_spawn) and waited for; ours from `then` is none.
inline bool waited_for_others() {
  rusage usage;
  return progress().reaped_own == 0 && getrusage(RUSAGE_CHILDREN, &usage) == 0 && usage.ru_maxrss > 0;
}

inline Registration* find_benchmark(int index) {
  for (Registration* at = Registration::first(); at; at = at->next)
    if (at->index == index) return at;
  return nullptr;
}

__attribute__((noinline)) inline void run_empty(Context& context) {
  while (context.next())
    for (int64_t i = 0, n = context.count(); i < n; ++i) {
    }
}

/// The type of the exception in flight, for people.
inline const char* exception_type() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (!type) return "unknown";
  int failed = 0;
  const char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &failed);
  return failed == 0 ? name : type->name();
}

/// Runs one benchmark in a child and says how it went; true when it came to its end.
__attribute__((noinline)) inline bool run_benchmark(const Job& job) {
  Registration* benchmark = find_benchmark(job.benchmark);
  const Benchmark run = benchmark ? benchmark->run : &run_empty;
  Context context;
  try {
    run(context);
  } catch (const std::exception& error) {
    report("threw %s: %s", exception_type(), error.what());
    return false;
  } catch (...) {
    report("threw %s", exception_type());
    return false;
  }
  Progress& now = progress();
  if (getpid() != now.pid) _exit(0);  // a process that went around fork (clone) and ran on
  if (waited_for_others()) {
    report("forked the statement makes further processes");
    return false;
  }
  if (Region::step(context) != Region::kEnded) {
    report("returned");
    return false;
  }
  return true;
}

/// Moves the stack pointer to a multiple of 64 kB first: below it every address is the same whatever the environment
/// block above holds, and with it every alignment-dependent path (docs/measuring.md, section "Stack").
__attribute__((noinline)) inline bool run_aligned(const Job& job) {
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_alloca(16));
  volatile char* pad = static_cast<volatile char*>(__builtin_alloca((job.align ? here & 0xffff : 0) + 16));
  pad[0] = 0;
  return run_benchmark(job);
}

/// Whether this process has made a CUDA context: asked of the driver's library where one is loaded, which costs nothing elsewhere.
inline bool has_cuda_context() {
  // dlopen would search the disk for a library that is not loaded.
  const auto is_driver = [](dl_phdr_info* info, size_t, void*) { return strstr(info->dlpi_name, "/libcuda.so") ? 1 : 0; };
  if (dl_iterate_phdr(is_driver, nullptr) == 0) return false;
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!driver) return false;
  const auto count_devices = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  const auto device_at = reinterpret_cast<int (*)(int*, int)>(dlsym(driver, "cuDeviceGet"));
  const auto primary_state = reinterpret_cast<int (*)(int, unsigned*, int*)>(dlsym(driver, "cuDevicePrimaryCtxGetState"));
  const auto current = reinterpret_cast<int (*)(void**)>(dlsym(driver, "cuCtxGetCurrent"));
  void* context = nullptr;
  if (current && current(&context) == 0 && context) return true;
  int devices = 0;
  if (!count_devices || !device_at || !primary_state || count_devices(&devices) != 0) return false;
  for (int i = 0; i < devices; ++i) {
    int device = 0, active = 0;
    unsigned flags = 0;
    if (device_at(&device, i) == 0 && primary_state(device, &flags, &active) == 0 && active) return true;
  }
  return false;
}

inline void become_child(int output, int report_fd) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, 0);
  if (nothing > 2) close(nothing);
  if (output >= 0) {
    dup2(output, 1);
    dup2(output, 2);
    close(output);
  }
  Progress& now = progress();
  now.pid = getpid();
  now.report = report_fd;
  now.measuring_child = true;
}

[[noreturn]] inline void finish_child(bool done) {
  const Progress& now = progress();
  fflush(nullptr);
  if (now.is_then) _exit(done ? 0 : 1);
  if (done && now.job.mode == Mode::kWall) report("seconds %.17g", now.seconds);
  if ((now.job.mode == Mode::kWall || now.job.mode == Mode::kDry) && has_cuda_context()) report("device cuda");
  if (done) report("done");
  _exit(done ? 0 : 1);
}

[[noreturn]] inline void run_child(const Job& job) {
  progress().job = job;
  report_phase("setup");
  if (job.mode == Mode::kCallgrind) CALLGRIND_ZERO_STATS;  // the first part is then set-up and warm-up, not the parent's work
#ifdef ICOUNT_STUB_WARM
  const bool may_resume = job.mode == Mode::kCallgrind && job.threads == 1 && job.align;
  if (const Snapshot* snapshot = may_resume ? Snapshots::find(job.benchmark, job.warmup) : nullptr) resume_snapshot(*snapshot);
#endif
  if (job.threads != 1) ICOUNT_STUB_SET_THREADS(job.threads);
  finish_child(run_aligned(job));
}

// ---- the parent ----------------------------------------------------------------------------------------------------

/// A child in flight.
struct Slot {
  Job job;
  pid_t pid = 0;  // 0: free
  int output = -1;
  int report = -1;
  double ends_at = 0;   // SIGTERM then; 0: no limit
  double killed_at = 0; // when we sent SIGTERM
  bool cancelled = false;
  bool session = false;
  int64_t output_bytes = 0;
  char tail[2 * kTail];
  int tail_used = 0;
  char reports[12000];
  int reports_used = 0;
};

class Server {
 public:
  static Server& instance() {
    static Server server;
    return server;
  }

  [[noreturn]] void serve() {
    pthread_atfork(nullptr, &end_forking_parent, &end_forked_child);
    signal(SIGPIPE, SIG_IGN);
    hello();
    while (true) {
      wait_for_something();
      for (Slot& slot : slots_)
        if (slot.pid > 0) look_after(slot);
      for (char* line; !in_session() && (line = requests_.next());) handle(line);
    }
  }

 private:
  void hello() {
    int benchmarks = 0;
    for (Registration* at = Registration::first(); at; at = at->next) benchmarks += at->index >= 0 ? 1 : 0;
    Line& line = reply_line();
    line.add("hello icount-stub 1 pid=%d benchmarks=%d language=" ICOUNT_STUB_LANGUAGE
             " valgrind=%d features=then,toggle,wall,cold%s cpu=", getpid(), benchmarks, RUNNING_ON_VALGRIND ? 1 : 0, kWarmFeature);
    add_cpu_features(line);
    line.send(kReplies);
  }

  /// What the processor says here, which under Valgrind is less than what it has.
  static void add_cpu_features(Line& line) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const char* comma = "";
    auto add = [&](const char* name, bool has) {
      if (has) line.add("%s%s", comma, name), comma = ",";
    };
    add("sse4.2", __builtin_cpu_supports("sse4.2"));
    add("popcnt", __builtin_cpu_supports("popcnt"));
    add("avx", __builtin_cpu_supports("avx"));
    add("avx2", __builtin_cpu_supports("avx2"));
    add("fma", __builtin_cpu_supports("fma"));
    add("bmi", __builtin_cpu_supports("bmi"));
    add("bmi2", __builtin_cpu_supports("bmi2"));
    add("avx512f", __builtin_cpu_supports("avx512f"));
#else
    line.add("unknown");
#endif
  }

  bool in_session() const {
    for (const Slot& slot : slots_)
      if (slot.pid > 0 && slot.session) return true;
    return false;
  }

  [[noreturn]] void end() {
    for (const Slot& slot : slots_)
      if (slot.pid > 0) kill(-slot.pid, SIGKILL);
    _exit(0);
  }

  /// Sleeps until a request, a child's word, its end or a time limit; reads what has come.
  void wait_for_something() {
    pollfd entries[1 + 2 * kSlots];
    int used = 0;
    // In a session the child reads the requests; we only watch for the client's death.
    entries[used++] = {kRequests, static_cast<short>(in_session() ? 0 : POLLIN), 0};
    int patience = -1;
    for (const Slot& slot : slots_) {
      if (slot.pid == 0) continue;
      const bool silent = slot.output < 0 && slot.report < 0;
      const int longest = slot.session ? 200 : 20;
      patience = silent ? 1 : patience < 0 ? longest : patience;
      entries[used++] = {slot.output, POLLIN, 0};
      entries[used++] = {slot.report, POLLIN, 0};
    }
    if (poll(entries, static_cast<nfds_t>(used), patience) <= 0) return;
    if (entries[0].revents & POLLIN) {
      if (!requests_.fill(kRequests)) end();
    } else if (entries[0].revents & (POLLHUP | POLLERR)) {
      end();
    }
  }

  void look_after(Slot& slot) {
    drain(slot);
    const double now = now_seconds();
    if (slot.killed_at > 0 && now - slot.killed_at >= kGraceSeconds) {
      kill(-slot.pid, SIGKILL);
    } else if (slot.killed_at == 0 && slot.ends_at > 0 && now >= slot.ends_at) {
      slot.killed_at = now;
      kill(-slot.pid, SIGTERM);
    }
    int status = 0;
    if (waitpid(slot.pid, &status, WNOHANG) != slot.pid) return;
    kill(-slot.pid, SIGKILL);  // what the statement left running
    drain(slot);
    tell_end(slot, status);
    release(slot);
  }

  static void close_ends(const Slot& slot) {
    if (slot.output >= 0) close(slot.output);
    if (slot.report >= 0) close(slot.report);
  }
  static void release(Slot& slot) {
    close_ends(slot);
    slot.pid = 0;
  }

  /// Reads what the child wrote without waiting. A report pipe at its end is closed; so is the output.
  static void drain(Slot& slot) {
    char buffer[4096];
    ssize_t n = 0;
    while (slot.output >= 0 && (n = read(slot.output, buffer, sizeof buffer)) != -1) {
      if (n == 0) {
        close(slot.output);
        slot.output = -1;
        break;
      }
      slot.output_bytes += n;
      keep_tail(slot, buffer, static_cast<int>(n));
    }
    while (slot.report >= 0 && (n = read(slot.report, buffer, sizeof buffer)) != -1) {
      if (n == 0) {
        close(slot.report);
        slot.report = -1;
        break;
      }
      const int room = static_cast<int>(sizeof slot.reports) - 1 - slot.reports_used;
      const int taken = n < room ? static_cast<int>(n) : room;
      memcpy(slot.reports + slot.reports_used, buffer, static_cast<size_t>(taken));
      slot.reports_used += taken;
    }
  }

  static void keep_tail(Slot& slot, const char* bytes, int size) {
    if (size > kTail) {
      bytes += size - kTail;
      size = kTail;
    }
    if (slot.tail_used + size > 2 * kTail) {
      const int keep = 2 * kTail - size;
      memmove(slot.tail, slot.tail + slot.tail_used - keep, static_cast<size_t>(keep));
      slot.tail_used = keep;
    }
    memcpy(slot.tail + slot.tail_used, bytes, static_cast<size_t>(size));
    slot.tail_used += size;
  }

  /// The rest of the last report line that begins with `verb`; nullptr when there is none. Ends the lines with NUL.
  static const char* last_report(Slot& slot, const char* verb) {
    slot.reports[slot.reports_used] = 0;
    const size_t length = strlen(verb);
    const char* found = nullptr;
    for (char* at = slot.reports; at < slot.reports + slot.reports_used;) {
      char* end = at + strcspn(at, "\n");
      *end = 0;
      if (strncmp(at, verb, length) == 0 && (at[length] == ' ' || at[length] == 0))
        found = at[length] == ' ' ? at + length + 1 : at + length;
      at = end + 1;
    }
    return found;
  }

  void tell_end(Slot& slot, int status) {
    Line& line = reply_line();
    line.add("ended %" PRId64 " pid=%d", slot.job.id, static_cast<int>(slot.pid));
    const char* note = nullptr;
    if (slot.cancelled) {
      line.add(" status=cancelled");
    } else if (slot.killed_at > 0) {
      line.add(" status=timeout signal=%d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    } else if ((note = last_report(slot, "forked"))) {
      line.add(" status=forked");
    } else if ((note = last_report(slot, "threw"))) {
      line.add(" status=threw");
    } else if (WIFSIGNALED(status)) {
      line.add(" status=signal signal=%d", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0 || !last_report(slot, "done")) {
      line.add(" status=exited code=%d", WEXITSTATUS(status));
      if (last_report(slot, "returned")) note = "returned";
    } else {
      line.add(" status=done");
    }
    if (note) line.add(" note=").add_escaped(note, static_cast<int>(strlen(note)));
    add_details(slot, line);
    line.send(kReplies);
  }

  static void add_details(Slot& slot, Line& line) {
    if (const char* seconds = last_report(slot, "seconds")) line.add(" seconds=%s", seconds);
    if (const char* device = last_report(slot, "device")) line.add(" device=%s", device);
    if (const char* then = last_report(slot, "then")) {
      int pid = 0, status = 0;
      sscanf(then, "%d %d", &pid, &status);
      const char* word = WIFSIGNALED(status) ? "signal" : WEXITSTATUS(status) == 0 ? "done" : "exited";
      line.add(" then_pid=%d then_status=%s", pid, word);
    }
    const char* phase = last_report(slot, "phase");
    if (last_report(slot, "done")) phase = "end";
    const int shown = slot.tail_used < kTail ? slot.tail_used : kTail;
    line.add(" phase=%s output_bytes=%" PRId64 " output=", phase ? phase : "setup", slot.output_bytes);
    line.add_escaped(slot.tail + slot.tail_used - shown, shown);
  }

  void handle(char* line) {
    char* rest = line + strcspn(line, " ");
    if (*rest) *rest++ = 0;
    if (strcmp(line, "job") == 0) return begin_job(rest, false);
    if (strcmp(line, "session") == 0) return begin_job(rest, true);
    if (strcmp(line, "list") == 0) return list();
    if (strcmp(line, "start") == 0) return start();
#ifdef ICOUNT_STUB_WARM
    if (strcmp(line, "prepare") == 0) return prepare(rest);
#endif
    if (strcmp(line, "cancel") == 0) return cancel(strtoll(rest, nullptr, 10));
    if (strcmp(line, "quit") == 0) end();
    if (strcmp(line, "run") == 0) return;  // for a session that ended before it came to it
    reply_line().add("error unknown\\x20request\\x20").add_escaped(line, static_cast<int>(strlen(line))).send(kReplies);
  }

  void list() {
    int count = 0;
    for (Registration* at = Registration::first(); at; at = at->next) {
      if (at->index < 0) continue;  // an empty benchmark of the language's own
      ++count;
      reply_line().add("benchmark %d ", at->index).add_escaped(at->label, static_cast<int>(strlen(at->label))).send(kReplies);
    }
    reply_line().add("listed %d", count).send(kReplies);
  }

  void start() {
    if (!RUNNING_ON_VALGRIND) return reply_line().add("error not\\x20under\\x20Valgrind").send(kReplies);
    CALLGRIND_START_INSTRUMENTATION;
    reply_line().add("started").send(kReplies);
  }

#ifdef ICOUNT_STUB_WARM
  /// Brings each benchmark up to its region, takes a snapshot there and puts the memory back. A benchmark that forks, crashes
  /// or hangs takes the server with it; the client then goes on without.
  void prepare(const char* words) {
    MemoryKeeper& keeper = MemoryKeeper::instance();
    if (!Snapshots::open() || !keeper.remember()) return reply_line().add("error the\\x20memory\\x20can't\\x20be\\x20read").send(kReplies);
    const KernelState before = KernelState::read_own();
    const int64_t warmup = find_number(words, "warmup", 10);
    char skipped[8192] = "";  // on the stack, which alone is not put back
    size_t used = 0;
    const char* failure = nullptr;
    for (const char* at = words; *at && !failure;) {
      char* end = nullptr;
      const int benchmark = static_cast<int>(strtol(at, &end, 10));
      if (end == at) break;
      at = end;
      if (!find_benchmark(benchmark)) continue;
      const bool kept = prepare_quietly(benchmark, warmup);
      if (!kept && used + 16 < sizeof skipped) used += static_cast<size_t>(sprintf(skipped + used, "%s%d", used ? "," : "", benchmark));
      if (count_threads() != 1) failure = "a benchmark started threads";
      else if (keeper.put_back() < 0) failure = "the memory can't be put back";
      else if (!(KernelState::read_own() == before)) failure = "a benchmark left files open or changed signal handlers";
    }
    keeper.forget();
    if (failure) return reply_line().add("error ").add_escaped(failure, static_cast<int>(strlen(failure))).send(kReplies);
    reply_line().add("prepared skipped=%s", skipped).send(kReplies);
  }

  /// With what it prints thrown away.
  static bool prepare_quietly(int benchmark, int64_t warmup) {
    const int output = dup(1), errors = dup(2), nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 1);
    dup2(nothing, 2);
    const bool kept = prepare_one(benchmark, warmup);
    dup2(output, 1);
    dup2(errors, 2);
    for (const int fd : {output, errors, nothing}) close(fd);
    return kept;
  }

  __attribute__((noinline)) static bool prepare_one(int benchmark, int64_t warmup) {
    Preparation here;
    here.stack_end = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + 16;
    here.kept = false;
    preparation() = &here;
    Progress& now = progress();
    now.job = Job{};
    now.job.benchmark = benchmark;
    now.job.mode = Mode::kCallgrind;
    now.job.warmup = warmup;
    now.pid = getpid();
    now.quiet = true;
    now.preparing = true;
    now.measuring_child = true;  // a fork of the statement ends this process
    if (save_registers(&here.back) == 0) {
      const bool done = run_aligned(now.job);
      if (progress().resumed) finish_child(done);
    }
    return here.kept;
  }
#endif

  void cancel(int64_t id) {
    for (Slot& slot : slots_) {
      if (slot.pid == 0 || slot.job.id != id || slot.killed_at > 0) continue;
      slot.cancelled = true;
      slot.killed_at = now_seconds();
      kill(-slot.pid, SIGTERM);
    }
  }

  static Job parse_job(const char* words) {
    Job job;
    job.id = strtoll(words, nullptr, 10);
    const char* benchmark = find_key(words, "benchmark", "");
    job.benchmark = value_is(benchmark, "empty") ? kEmptyBenchmark : *benchmark ? atoi(benchmark) : kNoBenchmark;
    const char* mode = find_key(words, "mode", "dry");
    job.mode = value_is(mode, "callgrind") ? Mode::kCallgrind
               : value_is(mode, "toggle")  ? Mode::kToggle
               : value_is(mode, "wall")    ? Mode::kWall
                                           : Mode::kDry;
    job.number = find_number(words, "number", 1);
    job.warmup = find_number(words, "warmup", job.number < 10 ? job.number : 10);
    job.then = job.mode == Mode::kCallgrind ? find_number(words, "then", 0) : 0;
    job.repeats = find_number(words, "repeats", 1);
    job.threads = static_cast<int>(find_number(words, "threads", 1));
    job.align = find_number(words, "align", 1) != 0;
    job.limit = strtod(find_key(words, "limit", "0"), nullptr);
    return job;
  }

  void refuse(int64_t id, const char* why) {
    reply_line().add("error job\\x20%" PRId64 ":\\x20", id).add_escaped(why, static_cast<int>(strlen(why))).send(kReplies);
  }

  void begin_job(const char* words, bool session) {
    const Job job = parse_job(words);
    if (job.benchmark != kEmptyBenchmark && !find_benchmark(job.benchmark)) return refuse(job.id, "no such benchmark");
    Slot* slot = nullptr;
    for (Slot& candidate : slots_)
      if (candidate.pid == 0) slot = &candidate;
    int output[2], report_pipe[2];
    if (!slot || (!session && pipe2(output, O_CLOEXEC) != 0)) return refuse(job.id, "too many children in flight");
    if (pipe2(report_pipe, O_CLOEXEC) != 0) return refuse(job.id, "no pipe to be had");
    if (session) output[0] = output[1] = -1;
    const pid_t child = fork();
    if (child < 0) return refuse(job.id, strerror(errno));
    if (child == 0) {
      close(report_pipe[0]);
      for (const Slot& other : slots_)
        if (other.pid > 0) close_ends(other);
      become_child(output[1], report_pipe[1]);
      if (session) run_session(job);
      close(kRequests);
      close(kReplies);
      run_child(job);
    }
    setpgid(child, child);
    close(report_pipe[1]);
    if (output[1] >= 0) close(output[1]);
    take(*slot, job, session);
    slot->pid = child;
    slot->output = output[0];
    slot->report = report_pipe[0];
    for (const int fd : {slot->output, slot->report})
      if (fd >= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
    reply_line().add("began %" PRId64 " pid=%d", job.id, static_cast<int>(child)).send(kReplies);
  }

  static void take(Slot& slot, const Job& job, bool session) {
    slot.job = job;
    slot.session = session;
    slot.ends_at = job.limit > 0 ? now_seconds() + job.limit : 0;
    slot.killed_at = 0;
    slot.cancelled = false;
    slot.output_bytes = 0;
    slot.tail_used = 0;
    slot.reports_used = 0;
  }

  /// What a statement prints in a session goes to the server's log; without a limit a talkative one would fill the disk.
  static void empty_long_log() {
    constexpr off_t kMost = 1 << 20;
    struct stat log;
    if (fstat(1, &log) == 0 && S_ISREG(log.st_mode) && log.st_size > kMost && ftruncate(1, 0) != 0) return;
  }

  /// The child of a wall-clock session talks with the client itself.
  [[noreturn]] void run_session(Job job) {
    static LineReader requests;
    progress().quiet = true;
    report("phase region");
    if (job.threads != 1) ICOUNT_STUB_SET_THREADS(job.threads);
    reply_line().add("ready %" PRId64, job.id).send(kReplies);
    while (requests.fill(kRequests)) {
      for (char* line; (line = requests.next());) {
        if (strncmp(line, "run ", 4) != 0) {
          report("done");
          _exit(0);
        }
        job.mode = Mode::kWall;
        job.number = strtoll(line + 4, nullptr, 10);
        job.warmup = find_number(line, "warmup", 1);
        job.cold_bytes = find_number(line, "cold", 0);
        Progress& now = progress();
        now.job = job;
        empty_long_log();
        if (!run_aligned(job)) _exit(1);
        reply_line().add("seconds %" PRId64 " %" PRId64 " %.17g", job.id, job.number, now.seconds);
        if (has_cuda_context()) reply_line().add(" device=cuda");
        reply_line().send(kReplies);
      }
    }
    _exit(0);
  }

  LineReader requests_;
  Slot slots_[kSlots];
};

/// Every benchmark once in this process, or the one asked for: a stub is also an ordinary program.
inline int run_by_hand(int argc, char** argv) {
  int64_t number = 1;
  int only = kNoBenchmark;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && strcmp(argv[i], "--number") == 0) {
      number = strtoll(argv[i + 1], nullptr, 10);
    } else if (i + 1 < argc && strcmp(argv[i], "--benchmark") == 0) {
      only = atoi(argv[i + 1]);
    } else {
      fprintf(stderr, "usage: %s [--benchmark INDEX] [--number RUNS]\n", argv[0]);
      return 2;
    }
  }
  if (RUNNING_ON_VALGRIND) CALLGRIND_START_INSTRUMENTATION;
  int ran = 0;
  for (Registration* at = Registration::first(); at; at = at->next) {
    if (only != kNoBenchmark && at->index != only) continue;
    Progress& now = progress();
    now.quiet = true;
    now.pid = getpid();
    now.report = 2;
    now.job = Job{};
    now.job.benchmark = at->index;
    now.job.mode = RUNNING_ON_VALGRIND ? Mode::kCallgrind : Mode::kWall;
    now.job.number = number;
    now.job.warmup = number < 10 ? number : 10;
    if (!run_aligned(now.job)) return 1;
    printf("%s: %" PRId64 " runs, %.6g s per run\n", at->label, number, now.seconds / static_cast<double>(number));
    ++ran;
  }
  return ran > 0 ? 0 : 2;
}

inline int run_main(int argc, char** argv) {
  ICOUNT_STUB_PREPARE();
  if (argc == 2 && strcmp(argv[1], "--icount-serve") == 0) Server::instance().serve();
  return run_by_hand(argc, argv);
}

__attribute__((noinline)) bool Context::next() { return Region::advance(*this); }

}  // namespace icount_stub

#ifndef ICOUNT_STUB_NO_MAIN
int main(int argc, char** argv) { return icount_stub::run_main(argc, argv); }
#endif
