#include "icount/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/spawn.h"

namespace icount {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Seconds kGrace{1.0};
constexpr int kPollMilliseconds = 100;

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

void feed(Pipe& pipe, std::string_view& input) {
  const ssize_t n = ::write(pipe.write_end, input.data(), std::min<size_t>(input.size(), 1 << 15));
  if (n > 0) input.remove_prefix(static_cast<size_t>(n));
  if ((n < 0 && errno != EAGAIN && errno != EINTR) || input.empty()) Pipe::close_end(pipe.write_end);
}

/// errno of a read that failed, else 0.
int drain(Pipe& pipe, Tail& tail) {
  char buffer[1 << 16];
  const ssize_t n = ::read(pipe.read_end, buffer, sizeof buffer);
  const int failure = n < 0 && errno != EINTR && errno != EAGAIN ? errno : 0;
  if (n > 0) tail.add({buffer, static_cast<size_t>(n)});
  if (n == 0 || failure != 0) Pipe::close_end(pipe.read_end);
  return failure;
}

/// Ends the group step by step: SIGTERM, after the grace the whole tree where it is watched, then SIGKILL.
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
    } else if (now - ended_at_ >= (spec_.watch ? 2 * kGrace : kGrace)) {
      ::kill(-group_, SIGKILL);
    } else if (now - ended_at_ >= kGrace) {
      ::kill(group_, kEndTreeSignal);
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
  int failure = 0;  // errno of a read that failed: what was read is not all
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
      for (const int failure :
           {entries[0].revents ? drain(io.out, io.output) : 0, entries[1].revents ? drain(io.err, io.errors) : 0})
        if (failure != 0) io.failure = failure;
      if (entries[2].revents) feed(io.in, input);
    }
    if (gone && ready <= 0) return status;
    if (gone && !streams_open) return status;
    if (gone && entries[0].revents == 0 && entries[1].revents == 0) return status;
    if (!gone) {
      const pid_t done = ::waitpid(child, &status, WNOHANG);
      if (done < 0 && errno != EINTR)
        throw Error(
            ErrorKind::kTool,
            fmt::format("cannot learn how {} ended: {}; does this process ignore SIGCHLD, or wait for processes "
                        "that it did not start?",
                        spec.argv[0], errno_text(errno)));
      gone = done == child;
      if (!gone) ender.look(outcome);
    }
  }
}

}  // namespace

ProcessOutcome run_process(const ProcessSpec& spec) {
  Streams io(spec);
  ::signal(SIGPIPE, SIG_IGN);
  ::fcntl(io.in.write_end, F_SETFL, O_NONBLOCK);
  const Descriptor file(spec.input_file.empty() ? -1 : open_regular_file(spec.input_file));
  if (file.get() >= 0) ::fcntl(file.get(), F_SETFL, 0);  // the program reads as it would from any file
  const int input = file.get() >= 0 ? file.get() : io.in.read_end;
  SpawnSpec child_spec{
      spec.argv, spec.environment, spec.working_dir, {{input, STDIN_FILENO}}, spec.disable_aslr, spec.watch, true};
  if (!spec.inherit_output) {
    child_spec.descriptors.push_back({io.out.write_end, STDOUT_FILENO});
    child_spec.descriptors.push_back({io.err.write_end, STDERR_FILENO});
  }
  const auto start = Clock::now();
  ProcessOutcome outcome;
  const Spawned spawned = spawn(child_spec);
  const pid_t child = spawned.pid;
  outcome.pid = child;
  outcome.aslr_refused = spawned.aslr_refused;
  Pipe::close_end(io.in.read_end);
  Pipe::close_end(io.out.write_end);
  Pipe::close_end(io.err.write_end);
  const int status = pump(child, spec, io, outcome);
  if (outcome.end != ProcessOutcome::End::kExited) ::kill(-child, SIGKILL);
  if (io.failure != 0)
    throw Error(ErrorKind::kIo, fmt::format("cannot read what {} prints: {}", spec.argv[0], errno_text(io.failure)));
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
    case ProcessOutcome::End::kExited:
      return fmt::format("exit status {}", outcome.exit_code);
    case ProcessOutcome::End::kSignalled:
      return fmt::format("killed by signal {} ({})", outcome.signal, signal_name(outcome.signal));
    case ProcessOutcome::End::kTimedOut:
      return fmt::format("did not finish within {:.3g} s and was stopped", outcome.wall.count());
    case ProcessOutcome::End::kCancelled:
      return "interrupted";
  }
  return {};
}

}  // namespace icount
