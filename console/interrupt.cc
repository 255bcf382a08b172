#include "icount/console/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace icount {
namespace {

// A signal handler has no argument to put its message into; these are the variables of the program that outlive a call.
std::atomic<int> caught_signal{0};
std::atomic<bool> noticed{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr unsigned kSecondsToNotice = 2;

void end_by(int number) {
  ::signal(number, SIG_DFL);
  ::raise(number);
}

void remember(int number) {
  int none = 0;
  if (!caught_signal.compare_exchange_strong(none, number)) return end_by(number);
  ::alarm(kSecondsToNotice);
}

/// Nobody has asked: the program computes, or waits for a disk or a server, and has no processes to end.
void end_unnoticed(int) {
  if (!noticed.load(std::memory_order_relaxed)) end_by(caught_signal.load(std::memory_order_relaxed));
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  handle(SIGALRM, end_unnoticed);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    // nohup and background jobs of a shell ignore signals on purpose.
    if (::sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    handle(number, remember);
  }
}

bool interrupted() {
  const bool caught = caught_signal.load(std::memory_order_relaxed) != 0;
  if (caught) noticed.store(true, std::memory_order_relaxed);
  return caught;
}

void end_by_interrupt() {
  if (const int number = caught_signal.load(std::memory_order_relaxed)) end_by(number);
}

}  // namespace icount
