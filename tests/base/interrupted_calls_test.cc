// Signals that arrive while a system call waits: it is begun anew, and nothing is lost.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "icount/base/file.h"
#include "icount/base/folder_lock.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

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
