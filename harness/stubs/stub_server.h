// The stub server: one process that holds all benchmarks of a batch and forks a child per measurement.
// Protocol and reasons: docs/stub_protocol.md, docs/measuring.md. Compiled into one translation unit of each stub
// (stub_main.h) or into a library that an interpreter loads (python_server.cc, which defines ICOUNT_STUB_LANGUAGE);
// needs the standard library and Valgrind's callgrind.h alone. The parent never touches the heap: children inherit its
// state, and the count of a benchmark must not depend on what was measured before it.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include <new>

#include "stub_benchmark.h"
#include "stub_child.h"
#include "stub_cpu.h"
#include "stub_forks.h"
#include "stub_image.h"
#include "stub_job.h"
#include "stub_line.h"
#include "stub_memory.h"
#include "stub_prepare.h"
#include "stub_session.h"
#include "stub_slot.h"
#include "stub_snapshot.h"
#include "stub_threads.h"

#ifndef ICOUNT_STUB_LANGUAGE
#define ICOUNT_STUB_LANGUAGE "c++"
#endif

// A unit that enters later programs in another way (python_server.cc) defines this first.
#if !defined(ICOUNT_STUB_RUN_PROGRAM) && defined(ICOUNT_STUB_LOADS)
#define ICOUNT_STUB_RUN_PROGRAM(job, path) run_image(job, path)
#endif

namespace icount_stub {

constexpr int kSlots = 64;  // children in flight
#ifdef ICOUNT_STUB_WARM
constexpr const char* kWarmFeature = ",prepare";
#else
constexpr const char* kWarmFeature = "";
#endif
#ifdef ICOUNT_STUB_RUN_PROGRAM
constexpr const char* kLoadFeature = ",load";
#else
constexpr const char* kLoadFeature = "";
#endif

class Server {
 public:
  static Server& instance() {
    static Server server;
    return server;
  }

  [[noreturn]] void serve() {
    pthread_atfork(nullptr, &end_forking_parent, &end_forked_child);
    signal(SIGPIPE, SIG_IGN);
    strays_.begin();
    hello();
    while (true) {
      wait_for_something();
      bool ended = false;
      for (Slot& slot : slots_)
        if (!slot.is_free()) ended |= slot.look_after();
      if (ended) end_strays();
      for (char* line; !in_session() && (line = requests_.next());) handle(line);
    }
  }

 private:
  void hello() {
    int benchmarks = 0;
    for (Registration* at = Registration::first(); at; at = at->next) benchmarks += at->index >= 0 ? 1 : 0;
    Line& line = reply_line();
    line.add("hello icount-stub 1 pid=%d benchmarks=%d language=" ICOUNT_STUB_LANGUAGE
             " valgrind=%d features=then,toggle,wall,cold,objects%s%s cpu=",
             getpid(), benchmarks, RUNNING_ON_VALGRIND ? 1 : 0, kWarmFeature, kLoadFeature);
    add_cpu_features(line);
    if (const int lost = count_lost_threads(); lost > 0) line.add(" lost_threads=%d", lost);
    line.send(kReplies);
  }

  bool in_session() const {
    for (const Slot& slot : slots_)
      if (!slot.is_free() && slot.is_session()) return true;
    return false;
  }

  [[noreturn]] void end() {
    for (const Slot& slot : slots_)
      if (!slot.is_free()) kill(-slot.pid(), SIGKILL);
    strays_.end([](pid_t) { return false; });
    _exit(0);
  }

  /// What statements left running.
  void end_strays() const {
    strays_.end([this](pid_t child) {
      for (const Slot& slot : slots_)
        if (!slot.is_free() && slot.pid() == child) return true;
      return false;
    });
  }

  /// Sleeps until a request, a child's word, its end or a time limit; reads what has come.
  void wait_for_something() {
    pollfd entries[1 + 2 * kSlots];
    int used = 0;
    // In a session the child reads the requests; we only watch for the client's death.
    entries[used++] = {kRequests, static_cast<short>(in_session() ? 0 : POLLIN), 0};
    int patience = -1;
    for (const Slot& slot : slots_) {
      if (slot.is_free()) continue;
      const bool silent = slot.output() < 0 && slot.report() < 0;
      const int longest = slot.is_session() ? 200 : 20;
      patience = silent ? 1 : patience < 0 ? longest : patience;
      entries[used++] = {slot.output(), POLLIN, 0};
      entries[used++] = {slot.report(), POLLIN, 0};
    }
    if (poll(entries, static_cast<nfds_t>(used), patience) <= 0) return;
    if (entries[0].revents & POLLIN) {
      if (!requests_.fill(kRequests)) end();
    } else if (entries[0].revents & (POLLHUP | POLLERR)) {
      end();
    }
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
    reply_line().add("error unknown\x20request\x20").add_escaped(line, static_cast<int>(strlen(line))).send(kReplies);
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
    if (!RUNNING_ON_VALGRIND) return reply_line().add("error not\x20under\x20Valgrind").send(kReplies);
    CALLGRIND_START_INSTRUMENTATION;
    reply_line().add("started").send(kReplies);
  }

#ifdef ICOUNT_STUB_WARM
  void prepare(const char* words) {
    static const char kNoRoom[] = "error the\x20snapshots\x20have\x20no\x20room";
    const pid_t before = getpid();
    if (!Preparer(words).hand_over(strays_)) return reply_line().add(kNoRoom).send(kReplies);
    if (getpid() != before) strays_.begin();
    reply_line().add("prepared kept=%d", Snapshots::count()).send(kReplies);
  }
#endif

  void cancel(int64_t id) {
    for (Slot& slot : slots_)
      if (!slot.is_free() && slot.job_id() == id) slot.cancel();
  }

  void refuse(int64_t id, const char* why) {
    reply_line()
        .add("error job\x20%" PRId64 ":\x20", id)
        .add_escaped(why, static_cast<int>(strlen(why)))
        .send(kReplies);
  }

  void begin_job(const char* words, bool session) {
    Job job = parse_job(words);
    static char program[4096];  // of a benchmark that this server does not hold itself; empty: it does
    if (!unescape_word(find_key(words, "program", ""), program, sizeof program))
      return refuse(job.id, "the program's path is too long");
    job.registration = find_benchmark(job.benchmark);
    if (job.benchmark != kEmptyBenchmark && !job.registration && !*program) return refuse(job.id, "no such benchmark");
    Slot* slot = nullptr;
    for (Slot& candidate : slots_)
      if (candidate.is_free()) slot = &candidate;
    int output[2], report_pipe[2];
    if (!slot || (!session && pipe2(output, O_CLOEXEC) != 0)) return refuse(job.id, "too many children in flight");
    if (pipe2(report_pipe, O_CLOEXEC) != 0) return refuse(job.id, "cannot create a pipe");
    if (session) output[0] = output[1] = -1;
    const pid_t server = getpid();
    const pid_t child = fork();
    if (child < 0) return refuse(job.id, strerror(errno));
    if (child == 0) {
      close(report_pipe[0]);
      for (const Slot& other : slots_)
        if (!other.is_free()) other.close_ends();
      become_child(server, output[1], report_pipe[1]);
      if (session) run_session(job);
      close(kRequests);
      close(kReplies);
#ifdef ICOUNT_STUB_RUN_PROGRAM
      if (*program) ICOUNT_STUB_RUN_PROGRAM(job, program);
#endif
      run_child(job);
    }
    setpgid(child, child);
    close(report_pipe[1]);
    if (output[1] >= 0) close(output[1]);
    slot->take(job, session, child, output[0], report_pipe[0]);
    reply_line().add("began %" PRId64 " pid=%d", job.id, static_cast<int>(child)).send(kReplies);
  }

  LineReader requests_;
  Strays strays_;
  Slot slots_[kSlots];
};

}  // namespace icount_stub
