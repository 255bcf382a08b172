// What a measuring process does between its fork and its end: the phases of a benchmark, the markers around its region,
// the fork for a second region, a snapshot's beginning (stub_snapshot.h). After stub_line.h; stub_prepare.h and
// stub_server.h use it.
#pragma once

#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <valgrind/callgrind.h>

#include <exception>
#include <typeinfo>

extern "C" void omp_set_num_threads(int) __attribute__((weak));

#ifndef ICOUNT_STUB_SET_THREADS
#define ICOUNT_STUB_SET_THREADS(n) \
  if (omp_set_num_threads) omp_set_num_threads(n)
#endif

namespace icount_stub {

constexpr int kEmptyBenchmark = -1;
constexpr int kNoBenchmark = -2;

inline double read_clock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
inline double now_seconds() { return read_clock(CLOCK_MONOTONIC); }
/// Of all threads of this process.
inline double processor_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

enum class Mode { kDry, kWall, kCallgrind, kToggle };

struct Job {
  int64_t id = 0;
  int benchmark = kNoBenchmark;
  Registration* registration = nullptr;  // looked up before the fork: the way through the list is in no child's count
  Mode mode = Mode::kDry;
  int64_t number = 1;
  int64_t warmup = 0;
  int64_t then = 0;
  int64_t repeats = 1;
  int64_t cold_bytes = 0;  // wall: so many bytes are walked through before each run, which is timed alone; 0: warm
  int threads = 1;
  double limit = 0;
  bool align = true;
  bool per_thread = false;  // callgrind: a part for every thread at each marker

  /// A count's set-up and warm-up run with one thread; then the threads asked for are set, and it is warmed up again.
  bool sets_threads_late() const { return threads != 1 && mode == Mode::kCallgrind; }
};

/// What the child is doing; one for the process, so that it is at hand where no argument reaches (atfork, next()).
struct Progress {
  Job job;
  pid_t pid = 0;    // of the process that runs the benchmark; another one is a fork of the statement
  int report = -1;  // the parent reads here
  bool measuring_child = false;
  bool quiet = false;  // in a session: no word to the parent, which would wake it while time is taken
  double begun = 0;
  double seconds = 0;
  int64_t cold_left = 0;   // runs still to be timed one by one
  bool preparing = false;  // up to the region, where a snapshot is taken (stub_prepare.h)
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
  enum Step { kBegin, kWarmedUp, kThreaded, kInRegion, kEnded };
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
        if (now.job.sets_threads_late() && warm_up_threads(context, now)) return true;
        [[fallthrough]];
      case kThreaded:
        if (now.job.sets_threads_late()) wait_for_idle_threads();
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
      dump(now);
      if (now.job.then > 0) {  // the dump that ends this region begins another
        context.count_ = now.job.then;
        now.job.then = 0;
        return true;
      }
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
  /// Threads begin after what a snapshot has to carry over: it takes no threads along.
  static bool warm_up_threads(Context& context, const Progress& now) {
    context.step_ = kThreaded;
    ICOUNT_STUB_SET_THREADS(now.job.threads);
    context.count_ = now.job.warmup;
    return now.job.warmup > 0;
  }

  /// A pool's workers spin for a while before they sleep, which would be counted as far as it falls into the region.
  /// While one spins, Valgrind, which runs one thread at a time, lets it have its turn before this one goes on:
  /// processor time passes.
  static void wait_for_idle_threads() {
    constexpr int kMostSleeps = 500;
    constexpr timespec kSleep = {0, 10'000'000};
    constexpr double kOwnSeconds = 0.001;
    for (int quiet = 0, i = 0; quiet < 2 && i < kMostSleeps; ++i) {
      const double before = processor_seconds();
      nanosleep(&kSleep, nullptr);
      quiet = processor_seconds() - before < kOwnSeconds ? quiet + 1 : 0;
    }
  }

  /// Of the threads of a tool that keeps them apart, a client request writes the calling one alone; the monitor's
  /// command writes all.
  static void dump(const Progress& now) {
    if (now.job.per_thread)
      VALGRIND_MONITOR_COMMAND("dump region");
    else
      CALLGRIND_DUMP_STATS;
  }

  static bool enter(Context& context, Progress& now) {
    context.step_ = kInRegion;
    if (now.job.mode == Mode::kCallgrind) {
      dump(now);
    } else if (now.job.mode == Mode::kToggle) {
      CALLGRIND_TOGGLE_COLLECT;
    } else {
      if (now.job.cold_bytes > 0) empty_caches(now.job.cold_bytes);
      now.begun = now_seconds();
    }
    return true;
  }

  /// Writes one byte of every line of a buffer of its own, so that what the statement touched before is no longer
  /// cached.
  static void empty_caches(int64_t bytes) {
    constexpr int64_t kLineBytes = 64;
    static char* buffer = nullptr;
    static int64_t size = 0;
    if (size < bytes) {
      void* memory =
          mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) return;
      buffer = static_cast<char*>(memory);
      size = bytes;
    }
    for (int64_t at = 0; at < bytes; at += kLineBytes) const_cast<volatile char*>(buffer)[at]++;
  }
};

#ifdef ICOUNT_STUB_WARM
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
#endif

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
  Registration* benchmark = job.registration ? job.registration : find_benchmark(job.benchmark);
  const Benchmark run = benchmark ? benchmark->run : &run_empty;
  Context context;
  try {
    run(context);
  } catch (const std::exception& error) {
    const char* what = error.what();  // LibTorch's begin with an empty line
    report("threw %s: %s", exception_type(), what + strspn(what, " \r\n\t"));
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

/// Whether this process has made a CUDA context: asked of the driver's library where one is loaded, which costs nothing
/// elsewhere.
inline bool has_cuda_context() {
  // dlopen would search the disk for a library that is not loaded.
  const auto is_driver = [](dl_phdr_info* info, size_t, void*) {
    return strstr(info->dlpi_name, "/libcuda.so") ? 1 : 0;
  };
  if (dl_iterate_phdr(is_driver, nullptr) == 0) return false;
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!driver) return false;
  const auto count_devices = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  const auto device_at = reinterpret_cast<int (*)(int*, int)>(dlsym(driver, "cuDeviceGet"));
  const auto primary_state =
      reinterpret_cast<int (*)(int, unsigned*, int*)>(dlsym(driver, "cuDevicePrimaryCtxGetState"));
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
  if (done && now.job.mode == Mode::kWall) report("seconds %.17g", now.seconds);
  if ((now.job.mode == Mode::kWall || now.job.mode == Mode::kDry) && has_cuda_context()) report("device cuda");
  if (now.resumed) report("prepared");
  if (done) report("done");
  _exit(done ? 0 : 1);
}

[[noreturn]] inline void run_child(const Job& job) {
  progress().job = job;
  report_phase("setup");
  if (job.mode == Mode::kCallgrind)
    CALLGRIND_ZERO_STATS;  // the first part is then set-up and warm-up, not the parent's work
#ifdef ICOUNT_STUB_WARM
  const bool may_resume = job.mode == Mode::kCallgrind && job.align;
  if (const Snapshot* snapshot = may_resume ? Snapshots::find(job.benchmark, job.warmup) : nullptr)
    resume_snapshot(*snapshot);
#endif
  if ((job.threads != 1 || job.mode == Mode::kToggle) && !job.sets_threads_late()) ICOUNT_STUB_SET_THREADS(job.threads);
  finish_child(run_aligned(job));
}

}  // namespace icount_stub
