#include "icount/console/interrupt.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>

namespace icount {
namespace {

// A signal handler has no argument to put its message into; these are the variables of the program that outlive a call.
std::atomic<int> caught_signal{0};
std::atomic<bool> noticed{false};
std::atomic<bool> asked_before{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr timeval kToNotice = {.tv_sec = 0, .tv_usec = 500'000};
constexpr timeval kForThoseWhoAsk = {.tv_sec = 1, .tv_usec = 500'000};  ///< more

void set_timer(timeval length) {
  const itimerval once = {.it_interval = {}, .it_value = length};
  ::setitimer(ITIMER_REAL, &once, nullptr);
}

void end_by(int number) {
  ::signal(number, SIG_DFL);
  ::raise(number);
}

void remember(int number) {
  int none = 0;
  if (!caught_signal.compare_exchange_strong(none, number)) return end_by(number);
  set_timer(kToNotice);
}

/// Nobody has asked: the program computes, or waits for a disk or a server, and has no processes to end. One that asked
/// before may just be reading what they left.
void end_unnoticed(int) {
  if (noticed.load(std::memory_order_relaxed)) return;
  if (asked_before.exchange(false, std::memory_order_relaxed)) return set_timer(kForThoseWhoAsk);
  end_by(caught_signal.load(std::memory_order_relaxed));
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
  if (!caught) asked_before.store(true, std::memory_order_relaxed);
  if (caught) noticed.store(true, std::memory_order_relaxed);
  return caught;
}

void end_by_interrupt() {
  if (const int number = caught_signal.load(std::memory_order_relaxed)) end_by(number);
}

}  // namespace icount
