#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"
#include "support/other_process.h"

namespace icount {
namespace {

ProcessOutcome shell(const std::string& script, ProcessSpec spec = {}) {
  spec.argv = {"sh", "-c", script};
  return run_process(spec);
}

TEST(ProcessTest, StreamsExitCodeAndInputArePassedOn) {
  ProcessSpec spec;
  spec.input = std::string(200000, 'i');
  const auto outcome = shell("wc -c; echo oops >&2; exit 3", spec);
  EXPECT_EQ(outcome.end, ProcessOutcome::End::kExited);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.output, "200000\n");
  EXPECT_EQ(outcome.errors, "oops\n");
  EXPECT_EQ(describe_end(outcome), "exit status 3");
}

TEST(ProcessTest, EnvironmentAndFolderAreExactlyWhatWasAsked) {
  ProcessSpec spec;
  spec.environment = {"PATH=/usr/bin:/bin", "ONLY=this"};
  spec.working_dir = "/";
  EXPECT_EQ(shell("echo $ONLY $HOME; pwd", spec).output, "this\n/\n");
}

TEST(ProcessTest, SignalIsAValue) {
  const auto outcome = shell("kill -SEGV $$");
  EXPECT_EQ(outcome.end, ProcessOutcome::End::kSignalled);
  EXPECT_EQ(describe_end(outcome), "killed by signal 11 (SIGSEGV)");
}

TEST(ProcessTest, TimeLimitEndsTheWholeGroupEvenWhenTermIsIgnored) {
  ProcessSpec spec;
  spec.time_limit = Seconds(0.3);
  const auto outcome = shell("trap '' TERM; sleep 30 & echo started; while true; do sleep 0.1; done", spec);
  EXPECT_EQ(outcome.end, ProcessOutcome::End::kTimedOut);
  EXPECT_EQ(outcome.output, "started\n");
  EXPECT_LT(outcome.wall.count(), 20);
}

TEST(ProcessTest, CancelEndsTheChild) {
  ProcessSpec spec;
  int asked = 0;
  spec.cancelled = [&asked] { return ++asked > 2; };
  EXPECT_EQ(shell("sleep 30", spec).end, ProcessOutcome::End::kCancelled);
}

TEST(ProcessTest, ChattyChildIsDrainedAndItsTailKept) {
  ProcessSpec spec;
  spec.max_output_bytes = 1000;
  const auto outcome = shell("head -c 3000000 /dev/zero | tr '\\0' x; echo end", spec);
  EXPECT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome.output_cut);
  EXPECT_EQ(outcome.output.size(), 1000u);
  EXPECT_EQ(outcome.output.substr(996), "end\n");
}

TEST(ProcessTest, GrandchildThatKeepsThePipeDoesNotHoldUs) {
  const auto outcome = shell("sleep 20 & echo done");
  EXPECT_EQ(outcome.output, "done\n");
  EXPECT_LT(outcome.wall.count(), 15);
}

TEST(ProcessTest, WhatCannotStartIsAnErrorWithItsName) {
  ProcessSpec spec;
  spec.argv = {"icount-no-such-program"};
  try {
    run_process(spec);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot start icount-no-such-program: no such program; is it installed and in PATH?");
  }
  spec.argv = {"true"};
  spec.working_dir = "/no/such/folder";
  EXPECT_THROW(run_process(spec), Error);
}

TEST(ProcessTest, AProgramEndsWithItsKilledParentAlsoWhenAThreadStartedIt) {
  for (const bool in_thread : {false, true})
    for (const bool watched : {false, true}) {
      const ScratchDir dir;
      ProcessSpec spec;
      if (watched) spec.watch = TreeWatch{dir.path() / "events", dir.path() / "out."};
      const std::string script = "echo $$ > " + (dir.path() / "id").string() + "; exec sleep 60";
      const pid_t parent = ::fork();
      if (parent == 0) {
        if (in_thread) std::thread([&] { shell(script, spec); }).join();
        shell(script, spec);
      }
      const pid_t program = wait_for_program(dir.path() / "id");
      ASSERT_GT(program, 0);
      ::kill(parent, SIGKILL);
      ::waitpid(parent, nullptr, 0);
      EXPECT_TRUE(is_gone(program)) << in_thread << watched;
      ::kill(program, SIGKILL);
    }
}

TEST(ProcessTest, ProgramsDoNotInheritIgnoredSignals) {
  const std::string ignored = "grep SigIgn /proc/self/status";
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGUSR1, SIG_IGN);
  const std::string output = shell(ignored).output;
  ::signal(SIGXFSZ, SIG_DFL);
  ::signal(SIGUSR1, SIG_DFL);
  EXPECT_EQ(output, "SigIgn:\t0000000000000000\n");
}

TEST(ProcessTest, AnEndThatTheSystemDoesNotTellIsNoSuccess) {
  ::signal(SIGCHLD, SIG_IGN);
  const std::string message = error_of(ErrorKind::kTool, [] { shell("exit 3"); });
  ::signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ(message,
            "cannot learn how sh ended: No child processes; does this process ignore SIGCHLD, or wait for processes "
            "that it did not start?");
}

TEST(ProcessTest, QuotingAndSplittingAreInverse) {
  const std::vector<std::string> words = {"a b", "", "it's", "$x", "plain-1.2/3", "a\"b\\c"};
  EXPECT_EQ(split_command(shell_quote(words)), words);
  EXPECT_EQ(split_command("  x 'a b'\"c \\\" d\" \\ e "), (std::vector<std::string>{"x", "a bc \" d", " e"}));
  EXPECT_THROW(split_command("echo 'open"), Error);
}

// Signals that arrive while a system call waits: it is begun anew, and nothing is lost.

std::atomic<int> signals_seen = 0;

/// A signal every two milliseconds that interrupts what waits.
class Interruptions {
 public:
  Interruptions() {
    signals_seen = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { ++signals_seen; };
    ::sigaction(SIGALRM, &action, &before_);
    const itimerval often{{0, 2000}, {0, 2000}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~Interruptions() {
    const itimerval never{};
    ::setitimer(ITIMER_REAL, &never, nullptr);
    ::sigaction(SIGALRM, &before_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;

 private:
  struct sigaction before_ {};
};

/// A thread that the signals do not go to.
template <typename Work>
std::thread undisturbed(Work work) {
  return std::thread([work] {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    work();
  });
}

void wait_for_signals(int count) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (signals_seen < count && std::chrono::steady_clock::now() < end) ::usleep(1000);
}

TEST(InterruptedCallsTest, APipeIsReadToItsEnd) {
  const ScratchDir dir;
  const auto pipe = dir.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  signals_seen = 0;  // of an earlier test
  std::thread writer = undisturbed([&] {
    std::ofstream out(pipe);
    out << "one " << std::flush;
    wait_for_signals(5);
    out << "two";
  });
  std::ifstream opened(pipe);  // waits for the writer; what is opened next does not
  const Interruptions interruptions;
  EXPECT_EQ(load_text(pipe), "one two");
  EXPECT_GE(signals_seen, 5);
  writer.join();
}

TEST(InterruptedCallsTest, APipeIsWrittenWhole) {
  const ScratchDir dir;
  const auto pipe = dir.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string bytes(300'000, 'x');
  std::string read;
  signals_seen = 0;
  std::thread reader = undisturbed([&] {
    std::ifstream in(pipe);
    wait_for_signals(5);
    read.assign(std::istreambuf_iterator<char>(in), {});
  });
  std::ofstream opened(pipe, std::ios::in | std::ios::out);
  {
    const Interruptions interruptions;
    save_file(pipe, bytes);
    EXPECT_GE(signals_seen, 5);
  }
  opened.close();
  reader.join();
  EXPECT_TRUE(read == bytes);
}

/// Not by the number of signals: the thread sanitizer runs their handlers late where a thread waits for a lock.
TEST(InterruptedCallsTest, ALockIsWaitedFor) {
  const ScratchDir dir;
  auto held = std::make_unique<FolderLock>(dir.path() / "f");
  std::atomic<bool> is_free = false;
  std::thread holder = undisturbed([&] {
    ::usleep(50'000);
    is_free = true;
    held.reset();
  });
  {
    const Interruptions interruptions;
    const FolderLock mine(dir.path() / "f");
    EXPECT_TRUE(is_free) << "had before its holder let it go";
  }
  holder.join();
}

}  // namespace
}  // namespace icount
