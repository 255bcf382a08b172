#include "icount/base/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/program_paths.h"

namespace icount {
namespace {

constexpr int kParkedDescriptors = 100;  // above any number a child asks for

struct ChildPlan {
  const SpawnSpec& spec;
  std::string program;
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::vector<int> parked;
  int events = -1;  // the log of a watched tree
  pid_t parent = ::getpid();
};

ChildPlan make_plan(const SpawnSpec& spec) {
  if (spec.argv.empty()) throw Error(ErrorKind::kUsage, "no program given");
  ChildPlan plan{spec, find_program(spec.argv[0]).string(), {}, {}, std::vector<int>(spec.descriptors.size(), -1)};
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
  int stage = 0;  // 1: personality refused, 2: chdir failed, 3: exec failed
  int error_number = 0;
};

/// Out of each other's way first, then to the numbers asked for.
void place_descriptors(ChildPlan& plan) {
  const auto& wanted = plan.spec.descriptors;
  for (size_t i = 0; i < wanted.size(); ++i)
    plan.parked[i] = ::fcntl(wanted[i].first, F_DUPFD_CLOEXEC, kParkedDescriptors);
  for (size_t i = 0; i < wanted.size(); ++i) ::dup2(plan.parked[i], wanted[i].second);
}

/// Killed with its parent from here on; one that is gone already leaves another parent.
void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
}

/// Goes on in a child of its own while this process watches that one.
void start_watched(const ChildPlan& plan) {
  int go[2];
  if (::pipe2(go, O_CLOEXEC) != 0) return;
  const pid_t watcher = ::getpid();
  const pid_t program = ::fork();
  if (program < 0) ::_exit(127);
  if (program > 0) {
    // Nothing but the log stays open here: the program's pipes must end when the program closes them.
    const int log = ::fcntl(plan.events, F_DUPFD, 2 * kParkedDescriptors);
    const int go_end = ::dup2(go[1], log + 1);
    ::close_range(0, static_cast<unsigned>(log) - 1, 0);
    ::close_range(static_cast<unsigned>(go_end) + 1, ~0U, 0);
    watch_process_tree(program, go_end, log, plan.spec.watch->file_prefix.c_str());
  }
  if (plan.spec.ends_with_us) end_with(watcher);
  char letter;
  while (::read(go[0], &letter, 1) < 0 && errno == EINTR) {
  }
  ::close(go[0]);
  ::close(go[1]);
}

/// Runs in the child between fork and exec: async-signal-safe calls only.
[[noreturn]] void become(ChildPlan& plan, int report) {
  if (plan.spec.ends_with_us) end_with(plan.parent);
  ::setpgid(0, 0);
  const int parked_report = ::fcntl(report, F_DUPFD_CLOEXEC, kParkedDescriptors);
  auto tell = [parked_report](int stage) {
    const ChildReport message{stage, errno};
    [[maybe_unused]] const auto n = ::write(parked_report, &message, sizeof message);
  };
  place_descriptors(plan);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGHUP}) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (plan.spec.disable_aslr) {
    const int now = ::personality(0xffffffff);
    if (now == -1 || ::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) == -1) tell(1);
  }
  if (!plan.spec.working_dir.empty() && ::chdir(plan.spec.working_dir.c_str()) != 0) {
    tell(2);
    ::_exit(127);
  }
  if (plan.spec.watch) start_watched(plan);
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

}  // namespace icount
