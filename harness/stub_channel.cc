#include "icount/harness/stub_channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/spawn.h"
#include "icount/base/text.h"
#include "icount/harness/stub_protocol.h"

namespace icount {
namespace {

constexpr int kPollMilliseconds = 100;
/// Of a line: a job's end with all the output that is kept of it takes a hundredth.
constexpr size_t kMostLineBytes = size_t{16} << 20;

}  // namespace

StubChannel::StubChannel(StubServerSpec spec) : spec_(std::move(spec)) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe requests, replies;
  const Descriptor nothing = open_descriptor("/dev/null", O_RDONLY);
  const Descriptor log = open_descriptor(spec_.log, O_WRONLY | O_CREAT | O_APPEND);
  SpawnSpec child;
  child.argv = spec_.launcher;
  child.argv.insert(child.argv.end(), spec_.program.begin(), spec_.program.end());
  child.argv.push_back("--icount-serve");
  child.environment = spec_.surroundings.environment.block();
  child.working_dir = spec_.surroundings.working_dir;
  child.disable_aslr = spec_.surroundings.disable_aslr;
  child.descriptors = {{nothing.get(), STDIN_FILENO},
                       {log.get(), STDOUT_FILENO},
                       {log.get(), STDERR_FILENO},
                       {requests.read_end, kStubRequestDescriptor},
                       {replies.write_end, kStubReplyDescriptor}};
  const Spawned spawned = spawn(child);
  pid_ = spawned.pid;
  aslr_refused_ = spawned.aslr_refused;
  std::swap(requests_, requests.write_end);
  std::swap(replies_, replies.read_end);
  Pipe::close_end(requests.read_end);
  Pipe::close_end(replies.write_end);
}

StubChannel::StubChannel(const StubConnection& connection, std::function<bool()> cancelled) {
  ::signal(SIGPIPE, SIG_IGN);
  spec_.log = connection.folder / "log";
  spec_.cancelled = std::move(cancelled);
  aslr_refused_ = connection.aslr_refused;
  requests_ = connection.descriptor;
  replies_ = ::fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0);
}

void StubChannel::stop() {
  if (pid_ < 0) {  // already reaped
    Pipe::close_end(requests_);
    Pipe::close_end(replies_);
    return;
  }
  for (const int group : child_groups_) ::kill(-group, SIGKILL);
  static constexpr std::string_view kQuit = "quit\n";
  [[maybe_unused]] const auto sent = ::write(requests_, kQuit.data(), kQuit.size());
  Pipe::close_end(requests_);
  // Its end takes milliseconds; a server that hangs gets no more than a tenth of a second.
  for (int i = 0; i < 100 && ::waitpid(pid_, nullptr, WNOHANG) == 0; ++i) {
    if (i == 99) {
      ::kill(-pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    } else {
      ::usleep(1000);
    }
  }
  ::kill(-pid_, SIGKILL);
  Pipe::close_end(replies_);
  pid_ = -1;
}

std::string StubChannel::log_tail(size_t bytes) const {
  try {
    std::string text = load_text(spec_.log);
    if (text.size() > bytes) text.erase(0, text.find('\n', text.size() - bytes));
    return text;
  } catch (const Error&) {
    return {};
  }
}

std::string StubChannel::last_words() const {
  constexpr size_t kMostLines = 5;
  const std::string log = log_tail();
  std::vector<std::string> words;
  for (const std::string_view line : split_lines(log))
    if (!line.starts_with("==") && !trim(line).empty()) words.push_back(escape_for_terminal(trim(line)));
  if (words.size() > kMostLines) words.erase(words.begin(), words.end() - kMostLines);
  return fmt::format("{}", fmt::join(words, "; "));
}

void StubChannel::lose(const std::string& why) {
  if (pid_ < 0) throw StubServerLost(why);  // its log tells of others as well
  const std::string own = fmt::format("=={}==", pid_);
  const std::string log = log_tail();
  std::string words;
  for (const std::string_view line : split_lines(log)) {
    const bool from_child = line.starts_with("==") && !line.starts_with(own);
    if (!from_child && !trim(line).empty()) words = trim(line);
  }
  throw StubServerLost(words.empty() ? why : fmt::format("{}; its last output: {}", why, words));
}

std::string StubChannel::describe_own_end() {
  if (pid_ < 0) return "it ended";
  int status = 0;
  for (int i = 0; i < 100; ++i) {
    const pid_t done = ::waitpid(pid_, &status, WNOHANG);
    if (done == pid_) break;
    ::usleep(1000);
    status = -1;
  }
  if (status == -1) return "it stopped responding";
  for (const int group : child_groups_) ::kill(-group, SIGKILL);
  pid_ = -1;
  return WIFSIGNALED(status)
             ? fmt::format("it was killed by signal {} ({})", WTERMSIG(status), signal_name(WTERMSIG(status)))
             : fmt::format("it exited with status {}", WEXITSTATUS(status));
}

void StubChannel::send(const std::string& line) {
  const std::string bytes = line + "\n";
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(requests_, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno != EINTR) lose("it is gone");
    if (n > 0) at += static_cast<size_t>(n);
  }
}

std::optional<std::string> StubChannel::read_line(Clock::time_point until) {
  while (true) {
    const size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    if (spec_.cancelled && spec_.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
    pollfd entry{replies_, POLLIN, 0};
    if (::poll(&entry, 1, kPollMilliseconds) > 0) {
      char bytes[1 << 16];
      const ssize_t n = ::read(replies_, bytes, sizeof bytes);
      if (n > 0) buffer_.append(bytes, static_cast<size_t>(n));
      if (buffer_.size() > kMostLineBytes && buffer_.find('\n') == std::string::npos)
        lose("it sent a line without an end");
      if (n == 0) lose(describe_own_end());
    } else if (Clock::now() >= until) {
      return std::nullopt;
    }
  }
}

std::vector<std::string> StubChannel::take_lines() {
  char bytes[1 << 16];
  const ssize_t n = ::read(replies_, bytes, sizeof bytes);
  if (n == 0) lose(describe_own_end());
  if (n > 0) buffer_.append(bytes, static_cast<size_t>(n));
  std::vector<std::string> lines;
  for (size_t end; (end = buffer_.find('\n')) != std::string::npos; buffer_.erase(0, end + 1))
    lines.push_back(buffer_.substr(0, end));
  if (buffer_.size() > kMostLineBytes) lose("it sent a line without an end");
  return lines;
}

}  // namespace icount
