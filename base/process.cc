#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace icount {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Seconds kGrace{1.0};
constexpr int kPollMilliseconds = 100;

/// Both ends of a pipe; closes what is still open.
struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw Error(ErrorKind::kIo, fmt::format("cannot make a pipe: {}", errno_text(errno)));
    read_end = ends[0];
    write_end = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

/// Keeps the tail of a stream within a bound.
class Tail {
 public:
  explicit Tail(size_t max_bytes) : max_bytes_(max_bytes) {}
  void add(std::string_view piece) {
    text_ += piece;
    if (text_.size() > 2 * max_bytes_ + 4096) cut();
  }
  std::string take(bool& was_cut) {
    cut();
    was_cut |= cut_;
    return std::move(text_);
  }

 private:
  void cut() {
    if (text_.size() <= max_bytes_) return;
    text_.erase(0, text_.size() - max_bytes_);
    cut_ = true;
  }
  size_t max_bytes_;
  std::string text_;
  bool cut_ = false;
};

struct ChildPlan {
  const ProcessSpec& spec;
  std::string program;
  std::vector<char*> argv;
  std::vector<char*> environment;
};

ChildPlan make_plan(const ProcessSpec& spec) {
  if (spec.argv.empty()) throw Error(ErrorKind::kUsage, "no program given");
  ChildPlan plan{spec, find_program(spec.argv[0]).string(), {}, {}};
  if (plan.program.empty())
    throw Error(ErrorKind::kTool, fmt::format("cannot start {}: no such program; is it installed and in PATH?", spec.argv[0]));
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

/// Runs in the child between fork and exec: async-signal-safe calls only.
[[noreturn]] void become(const ChildPlan& plan, int in, int out, int err, int report) {
  ::setpgid(0, 0);
  auto tell = [report](int stage) {
    const ChildReport message{stage, errno};
    [[maybe_unused]] const auto n = ::write(report, &message, sizeof message);
  };
  ::dup2(in, STDIN_FILENO);
  if (out >= 0) {
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
  }
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
  ::execve(plan.program.c_str(), plan.argv.data(), plan.spec.environment ? plan.environment.data() : environ);
  tell(3);
  ::_exit(127);
}

void feed(Pipe& pipe, std::string_view& input) {
  const ssize_t n = ::write(pipe.write_end, input.data(), std::min<size_t>(input.size(), 1 << 15));
  if (n > 0) input.remove_prefix(static_cast<size_t>(n));
  if ((n < 0 && errno != EAGAIN && errno != EINTR) || input.empty()) Pipe::close_end(pipe.write_end);
}

void drain(Pipe& pipe, Tail& tail) {
  char buffer[1 << 16];
  const ssize_t n = ::read(pipe.read_end, buffer, sizeof buffer);
  if (n > 0) tail.add({buffer, static_cast<size_t>(n)});
  if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) Pipe::close_end(pipe.read_end);
}

/// Ends the group step by step: SIGTERM, then SIGKILL after the grace.
class Ender {
 public:
  Ender(pid_t group, const ProcessSpec& spec) : group_(group), spec_(spec), start_(Clock::now()) {}

  void look(ProcessOutcome& outcome) {
    const auto now = Clock::now();
    if (!ending_) {
      const bool late = spec_.time_limit.count() > 0 && now - start_ >= spec_.time_limit;
      const bool cancelled = spec_.cancelled && spec_.cancelled();
      if (!late && !cancelled) return;
      outcome.end = late ? ProcessOutcome::End::kTimedOut : ProcessOutcome::End::kCancelled;
      ending_ = true;
      ended_at_ = now;
      ::kill(-group_, SIGTERM);
    } else if (now - ended_at_ >= kGrace) {
      ::kill(-group_, SIGKILL);
    }
  }
  bool ending() const { return ending_; }

 private:
  pid_t group_;
  const ProcessSpec& spec_;
  Clock::time_point start_;
  Clock::time_point ended_at_;
  bool ending_ = false;
};

struct Streams {
  Pipe in, out, err;
  Tail output, errors;
  explicit Streams(const ProcessSpec& spec) : output(spec.max_output_bytes), errors(spec.max_output_bytes) {}
};

/// Moves bytes until the child has ended and its pipes are empty; returns the wait status. A grandchild that keeps our
/// pipe open does not hold us: after the child's end only what is already there is read.
int pump(pid_t child, const ProcessSpec& spec, Streams& io, ProcessOutcome& outcome) {
  Ender ender(child, spec);
  std::string_view input = spec.input;
  if (input.empty()) Pipe::close_end(io.in.write_end);
  int status = 0;
  bool gone = false;
  while (true) {
    pollfd entries[3] = {{io.out.read_end, POLLIN, 0}, {io.err.read_end, POLLIN, 0}, {io.in.write_end, POLLOUT, 0}};
    const bool streams_open = io.out.read_end >= 0 || io.err.read_end >= 0;
    const int ready = ::poll(entries, 3, gone ? 0 : streams_open ? kPollMilliseconds : 5);
    if (ready > 0) {
      if (entries[0].revents) drain(io.out, io.output);
      if (entries[1].revents) drain(io.err, io.errors);
      if (entries[2].revents) feed(io.in, input);
    }
    if (gone && ready <= 0) return status;
    if (gone && !streams_open) return status;
    if (gone && entries[0].revents == 0 && entries[1].revents == 0) return status;
    if (!gone) {
      const pid_t done = ::waitpid(child, &status, WNOHANG);
      gone = done == child || (done < 0 && errno != EINTR);
      if (!gone) ender.look(outcome);
    }
  }
}

}  // namespace

ProcessOutcome run_process(const ProcessSpec& spec) {
  const ChildPlan plan = make_plan(spec);
  Streams io(spec);
  Pipe report;
  ::signal(SIGPIPE, SIG_IGN);
  ::fcntl(io.in.write_end, F_SETFL, O_NONBLOCK);
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) throw Error(ErrorKind::kIo, fmt::format("cannot start {}: {}", spec.argv[0], errno_text(errno)));
  if (child == 0) {
    become(plan, io.in.read_end, spec.inherit_output ? -1 : io.out.write_end, io.err.write_end, report.write_end);
  }
  ::setpgid(child, child);
  Pipe::close_end(io.in.read_end);
  Pipe::close_end(io.out.write_end);
  Pipe::close_end(io.err.write_end);
  Pipe::close_end(report.write_end);

  ProcessOutcome outcome;
  ChildReport message;
  while (::read(report.read_end, &message, sizeof message) == static_cast<ssize_t>(sizeof message)) {
    if (message.stage == 1) {
      outcome.aslr_refused = true;
      continue;
    }
    ::waitpid(child, nullptr, 0);
    const std::string what = message.stage == 2 ? fmt::format("cannot enter {}", spec.working_dir.string())
                                                : fmt::format("cannot start {}", spec.argv[0]);
    throw Error(ErrorKind::kTool, fmt::format("{}: {}", what, errno_text(message.error_number)));
  }
  const int status = pump(child, spec, io, outcome);
  if (outcome.end != ProcessOutcome::End::kExited) ::kill(-child, SIGKILL);
  outcome.wall = Clock::now() - start;
  outcome.output = io.output.take(outcome.output_cut);
  outcome.errors = io.errors.take(outcome.output_cut);
  if (WIFSIGNALED(status)) {
    outcome.signal = WTERMSIG(status);
    if (outcome.end == ProcessOutcome::End::kExited) outcome.end = ProcessOutcome::End::kSignalled;
  } else {
    outcome.exit_code = WEXITSTATUS(status);
  }
  return outcome;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

std::string describe_end(const ProcessOutcome& outcome) {
  switch (outcome.end) {
    case ProcessOutcome::End::kExited: return fmt::format("exit status {}", outcome.exit_code);
    case ProcessOutcome::End::kSignalled:
      return fmt::format("killed by signal {} ({})", outcome.signal, signal_name(outcome.signal));
    case ProcessOutcome::End::kTimedOut: return fmt::format("no end after {:.3g} s, stopped", outcome.wall.count());
    case ProcessOutcome::End::kCancelled: return "interrupted";
  }
  return {};
}

}  // namespace icount
