// The stub server for C++: one process that holds all benchmarks of a batch and forks a child per measurement.
// Protocol and reasons: docs/stub_protocol.md, docs/measuring.md. Compiled into one translation unit of each stub,
// which may define ICOUNT_STUB_SET_THREADS(n) and ICOUNT_STUB_PREPARE() first (LibTorch's thread setting), or
// ICOUNT_STUB_NO_MAIN and ICOUNT_STUB_LANGUAGE (python_server.cc); needs the standard library and Valgrind's
// callgrind.h alone. The parent never touches the heap: children inherit its state, and the count of a benchmark must
// not depend on what was measured before it. Last of the server's headers, in the order of harness/stub_texts.cc.
#pragma once

#include <poll.h>
#include <sys/stat.h>

#include <initializer_list>
#include <new>

#ifndef ICOUNT_STUB_LANGUAGE
#define ICOUNT_STUB_LANGUAGE "c++"
#endif

#ifndef ICOUNT_STUB_PREPARE
#define ICOUNT_STUB_PREPARE()
#endif

namespace icount_stub {

constexpr int kTail = 2000;  // bytes of a child's output that go into its reply
constexpr int kSlots = 64;   // children in flight
constexpr double kGraceSeconds = 1.0;
#ifdef ICOUNT_STUB_WARM
constexpr const char* kWarmFeature = ",prepare";
#else
constexpr const char* kWarmFeature = "";
#endif

/// A child in flight.
struct Slot {
  Job job;
  pid_t pid = 0;  // 0: free
  int output = -1;
  int report = -1;
  double ends_at = 0;    // SIGTERM then; 0: no limit
  double killed_at = 0;  // when we sent SIGTERM
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
             " valgrind=%d features=then,toggle,wall,cold%s cpu=",
             getpid(), benchmarks, RUNNING_ON_VALGRIND ? 1 : 0, kWarmFeature);
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
    if (last_report(slot, "prepared")) line.add(" prepared=1");
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
      reply_line()
          .add("benchmark %d ", at->index)
          .add_escaped(at->label, static_cast<int>(strlen(at->label)))
          .send(kReplies);
    }
    reply_line().add("listed %d", count).send(kReplies);
  }

  void start() {
    if (!RUNNING_ON_VALGRIND) return reply_line().add("error not\\x20under\\x20Valgrind").send(kReplies);
    CALLGRIND_START_INSTRUMENTATION;
    reply_line().add("started").send(kReplies);
  }

#ifdef ICOUNT_STUB_WARM
  /// Has snapshots taken of the benchmarks asked for. The client's death ends it, as at any time.
  void prepare(const char* words) {
    static const char kNoRoom[] = "error the\\x20snapshots\\x20have\\x20no\\x20room";
    if (!Snapshots::open()) return reply_line().add(kNoRoom).send(kReplies);
    int64_t shares = find_number(words, "jobs", 1);
    if (shares < 1) shares = 1;
    if (shares > kArenas) shares = kArenas;
    alignas(Preparer) char storage[kArenas * sizeof(Preparer)];
    Preparer* preparers = reinterpret_cast<Preparer*>(storage);
    for (int i = 0; i < shares; ++i) new (preparers + i) Preparer(words, i, static_cast<int>(shares));
    for (bool working = true; working;) {
      working = false;
      for (int i = 0; i < shares; ++i) working |= preparers[i].look_after();
      pollfd client{kRequests, 0, 0};
      if (working && poll(&client, 1, 5) > 0) end();
    }
    reply_line().add("prepared kept=%d", Snapshots::count()).send(kReplies);
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
    job.per_thread = find_number(words, "per_thread", 0) != 0;
    job.limit = strtod(find_key(words, "limit", "0"), nullptr);
    return job;
  }

  void refuse(int64_t id, const char* why) {
    reply_line()
        .add("error job\\x20%" PRId64 ":\\x20", id)
        .add_escaped(why, static_cast<int>(strlen(why)))
        .send(kReplies);
  }

  void begin_job(const char* words, bool session) {
    Job job = parse_job(words);
    job.registration = find_benchmark(job.benchmark);
    if (job.benchmark != kEmptyBenchmark && !job.registration) return refuse(job.id, "no such benchmark");
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

  /// What a statement prints in a session goes to the server's log; without a limit a talkative one would fill the
  /// disk.
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
__attribute__((noinline)) int Context::begin_warmup() {
  report_phase("warmup");
  return static_cast<int>(progress().job.warmup);
}
__attribute__((noinline)) int Context::begin_region() {
  report_phase("region");
  return static_cast<int>(progress().job.number);
}
__attribute__((noinline)) int Context::repeats() const { return static_cast<int>(progress().job.repeats); }
__attribute__((noinline)) void Context::end() { step_ = Region::kEnded; }

}  // namespace icount_stub

#ifndef ICOUNT_STUB_NO_MAIN
/// Static objects of the program are never destroyed: parent and children end by _exit. Registering their destructors
/// would fill libc's tables, which grow on the heap by blocks of 32: the more static objects the neighbours' headers
/// have, the earlier a statement's own set-up or LibTorch's makes the table grow, and every later address moves.
/// Hidden, so that shared libraries go on with libc's.
extern "C" __attribute__((used, visibility("hidden"))) int icount_stub_forget_static_object(void (*)(void*), void*,
                                                                                            void*) asm("__cxa_atexit");
int icount_stub_forget_static_object(void (*)(void*), void*, void*) { return 0; }

int main(int argc, char** argv) { return icount_stub::run_main(argc, argv); }
#endif
