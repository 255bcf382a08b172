#include "icount/console/lost_mapping.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "icount/base/hex.h"
#include "icount/console/exit_code.h"

namespace icount {
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

}  // namespace icount
