#include "icount/console/process_events.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>

#include "icount/base/text_encodings.h"
#include "icount/console/command_spec.h"

namespace icount {

void fill_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // The lowest free number, which is this one; for the other direction.
    if (::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

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

namespace {

// Only what a signal handler may call: no memory is allocated, no stream is used.

void say(const char* text, size_t length) {
  while (length > 0) {
    const ssize_t n = ::write(STDERR_FILENO, text, length);
    if (n <= 0) return;
    text += n;
    length -= static_cast<size_t>(n);
  }
}

void say(const char* text) { say(text, std::strlen(text)); }

uintptr_t read_hex(const char*& p) {
  uintptr_t value = 0;
  for (; hex_value(*p) >= 0; ++p) value = value * 16 + static_cast<uintptr_t>(hex_value(*p));
  return value;
}

/// Says the path in a line of /proc/self/maps ("7f00-7f10 r--p 0 08:01 99  /tmp/f") when it is `address`'s.
bool say_if_mapped_there(const char* line, uintptr_t address) {
  const char* p = line;
  const uintptr_t begin = read_hex(p);
  if (*p == '-') ++p;
  const uintptr_t end = read_hex(p);
  const char* const path = std::strchr(p, '/');
  if (address < begin || address >= end || !path) return false;
  say(path);
  say(": ");
  return true;
}

void say_mapped_file(uintptr_t address) {
  const int fd = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  char line[4200];
  size_t length = 0;
  char c = 0;
  while (fd >= 0 && ::read(fd, &c, 1) == 1) {
    if (c != '\n') {
      if (length + 1 < sizeof line) line[length++] = c;
      continue;
    }
    line[length] = '\0';
    length = 0;
    if (say_if_mapped_there(line, address)) break;
  }
  if (fd >= 0) ::close(fd);
}

void explain(int number, siginfo_t* info, void*) {
  if (info->si_code != BUS_ADRERR) {
    ::signal(number, SIG_DFL);
    ::raise(number);
    return;
  }
  say("icount: ");
  say_mapped_file(reinterpret_cast<uintptr_t>(info->si_addr));
  say("a file became shorter while it was read, or its disk failed; run this again when nobody writes it\n");
  ::_exit(static_cast<int>(ExitCode::kFailure));
}

}  // namespace

void explain_lost_mappings() {
  struct sigaction action {};
  action.sa_sigaction = explain;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

namespace {

std::terminate_handler other_failures = nullptr;

[[noreturn]] void end_without_memory() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    static constexpr std::string_view kMessage = "icount: not enough memory for this input\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
    ::_exit(static_cast<int>(ExitCode::kFailure));
  } catch (...) {  // the handler of before tells of it
  }
  other_failures();
  ::_exit(static_cast<int>(ExitCode::kFailure));
}

}  // namespace

void explain_lost_memory() { other_failures = std::set_terminate(end_without_memory); }

}  // namespace icount
