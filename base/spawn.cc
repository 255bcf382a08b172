#include "icount/base/spawn.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/program_paths.h"
#include "icount/base/text.h"

namespace icount {
namespace {

struct ChildPlan {
  const SpawnSpec& spec;
  std::string program;
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::vector<int> parked;
  int above = 0;    // every number that the child asks for
  int events = -1;  // the log of a watched tree
  pid_t parent = ::getpid();
};

ChildPlan make_plan(const SpawnSpec& spec) {
  if (spec.argv.empty()) throw Error(ErrorKind::kUsage, "no program given");
  ChildPlan plan{spec, find_program(spec.argv[0]).string(), {}, {}, std::vector<int>(spec.descriptors.size(), -1)};
  for (const auto& [ours, number] : spec.descriptors) plan.above = std::max(plan.above, number + 1);
  if (plan.program.empty())
    throw Error(ErrorKind::kTool,
                fmt::format("cannot start {}: {}", spec.argv[0], describe_missing_program(spec.argv[0])));
  for (const auto& word : spec.argv) plan.argv.push_back(const_cast<char*>(word.c_str()));
  plan.argv.push_back(nullptr);
  if (spec.environment) {
    for (const auto& entry : *spec.environment) plan.environment.push_back(const_cast<char*>(entry.c_str()));
    plan.environment.push_back(nullptr);
  }
  return plan;
}

/// What the child tells us before exec: its errno, or that ASLR stays on.
struct ChildReport {
  int stage = 0;  // 1: personality refused, 2: chdir failed, 3: exec failed, or what comes before it
  int error_number = 0;
};

/// The same descriptor under a number of at least `above`; -1 and errno where none is left.
int park(int descriptor, int above) {
  const int parked = ::fcntl(descriptor, F_DUPFD_CLOEXEC, above);
  if (parked < 0 && errno == EINVAL) errno = EMFILE;  // as many as `above` are not permitted
  return parked;
}

/// Out of each other's way first, then to the numbers asked for. False and errno where there are too few.
bool place_descriptors(ChildPlan& plan) {
  const auto& wanted = plan.spec.descriptors;
  if (plan.spec.watch && (plan.events = park(plan.events, plan.above)) < 0) return false;
  for (size_t i = 0; i < wanted.size(); ++i)
    if ((plan.parked[i] = park(wanted[i].first, plan.above)) < 0) return false;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (::dup2(plan.parked[i], wanted[i].second) < 0) return false;
  return true;
}

/// Killed with its parent from here on; one that is gone already leaves another parent.
void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
}

/// Goes on in a child of its own while this process watches that one. False and errno where it cannot.
bool start_watched(const ChildPlan& plan) {
  int go[2];
  if (::pipe2(go, O_CLOEXEC) != 0) return false;
  const pid_t watcher = ::getpid();
  const pid_t program = ::fork();
  if (program < 0) return false;
  if (program > 0) {
    // Nothing else stays open here: the program's pipes must end when the program closes them.
    close_all_but(plan.events, go[1]);
    const pid_t owner = plan.spec.ends_with_us ? plan.parent : 0;
    watch_process_tree(program, go[1], plan.events, plan.spec.watch->file_prefix.c_str(), owner);
  }
  if (plan.spec.ends_with_us) end_with(watcher);
  ::close(go[1]);  // or this end would keep us waiting for a watcher that is gone
  char letter;
  ssize_t n;
  while ((n = ::read(go[0], &letter, 1)) < 0 && errno == EINTR) {
  }
  if (n != 1) ::_exit(127);
  ::close(go[0]);
  return true;
}

/// Runs in the child between fork and exec: async-signal-safe calls only.
[[noreturn]] void become(ChildPlan& plan, int report) {
  if (plan.spec.ends_with_us) end_with(plan.parent);
  ::setpgid(0, 0);
  const int parked_report = park(report, plan.above);
  auto tell = [to = parked_report < 0 ? report : parked_report](int stage) {
    const ChildReport message{stage, errno};
    [[maybe_unused]] const auto n = ::write(to, &message, sizeof message);
  };
  auto give_up = [&](int stage) {
    tell(stage);
    ::_exit(127);
  };
  if (parked_report < 0 || !place_descriptors(plan)) give_up(3);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);  // an ignored one would stay so
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (plan.spec.disable_aslr) {
    const int now = ::personality(0xffffffff);
    if (now == -1 || ::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) == -1) tell(1);
  }
  if (!plan.spec.working_dir.empty() && ::chdir(plan.spec.working_dir.c_str()) != 0) give_up(2);
  if (plan.spec.watch && !start_watched(plan)) give_up(3);
  ::execve(plan.program.c_str(), plan.argv.data(), plan.spec.environment ? plan.environment.data() : environ);
  tell(3);
  ::_exit(127);
}

}  // namespace

Pipe::Pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ErrorKind::kIo, fmt::format("cannot make a pipe: {}", errno_text(errno)));
  read_end = ends[0];
  write_end = ends[1];
}

Pipe::~Pipe() {
  close_end(read_end);
  close_end(write_end);
}

void Pipe::close_end(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

Spawned spawn(const SpawnSpec& spec) {
  ChildPlan plan = make_plan(spec);
  Pipe report;
  const Descriptor events(
      spec.watch ? ::open(spec.watch->events.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1);
  if (spec.watch && events.get() < 0)
    throw Error(ErrorKind::kIo, fmt::format("cannot open {}: {}", spec.watch->events.string(), errno_text(errno)));
  plan.events = events.get();
  Spawned spawned;
  spawned.pid = ::fork();
  if (spawned.pid < 0) throw Error(ErrorKind::kIo, fmt::format("cannot start {}: {}", spec.argv[0], errno_text(errno)));
  if (spawned.pid == 0) become(plan, report.write_end);
  ::setpgid(spawned.pid, spawned.pid);
  Pipe::close_end(report.write_end);

  ChildReport message;
  while (::read(report.read_end, &message, sizeof message) == static_cast<ssize_t>(sizeof message)) {
    if (message.stage == 1) {
      spawned.aslr_refused = true;
      continue;
    }
    ::waitpid(spawned.pid, nullptr, 0);
    const std::string what = message.stage == 2 ? fmt::format("cannot enter {}", spec.working_dir.string())
                                                : fmt::format("cannot start {}", spec.argv[0]);
    throw Error(ErrorKind::kTool, fmt::format("{}: {}", what, errno_text(message.error_number)));
  }
  return spawned;
}

namespace {

/// By the kernel's list: trying every number that is permitted would take minutes where a thousand million are.
void close_listed(int a, int b) {
  const int list = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) return;
  alignas(dirent64) char entries[2048];
  long size;
  while ((size = ::syscall(SYS_getdents64, list, entries, sizeof entries)) > 0)
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const auto number = parse_int64(entry->d_name);  // none: "." and ".."
      if (number && *number != a && *number != b && *number != list) ::close(static_cast<int>(*number));
    }
  ::close(list);
}

}  // namespace

void close_all_but(int a, int b) {
  const auto lower = static_cast<unsigned>(std::min(a, b)), upper = static_cast<unsigned>(std::max(a, b));
  if (::close_range(upper + 1, ~0U, 0) != 0) return close_listed(a, b);
  if (lower > 0) ::close_range(0, lower - 1, 0);
  if (upper > lower + 1) ::close_range(lower + 1, upper - 1, 0);
}

}  // namespace icount
