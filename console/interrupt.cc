#include "icount/console/interrupt.h"

#include <signal.h>

#include <atomic>

namespace icount {
namespace {

// A signal handler has no argument to put its message into; this is the one variable of the program that outlives a
// call.
std::atomic<int> caught_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

void remember(int number) { caught_signal.store(number, std::memory_order_relaxed); }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    // nohup and background jobs of a shell ignore signals on purpose.
    if (::sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &action, nullptr);
  }
}

bool interrupted() { return caught_signal.load(std::memory_order_relaxed) != 0; }

void end_by_interrupt() {
  const int number = caught_signal.load(std::memory_order_relaxed);
  if (number == 0) return;
  ::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace icount
