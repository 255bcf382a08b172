#include "icount/harness/session_client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/base/unix_socket.h"
#include "icount/harness/stub_protocol.h"

namespace icount {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 100;
constexpr Seconds kAnswerLimit{2};
constexpr Seconds kEndLimit{10};
// A killed process takes connections, unanswered, until the kernel has closed what it had open.
constexpr std::chrono::milliseconds kClosingLimit{1000}, kClosingPause{20};
constexpr size_t kMostLine = 65536;

/// One line, read byte by byte so that nothing behind it is taken. Empty when the other end closed; nullopt when the
/// time is up.
std::optional<std::string> read_one_line(int fd, Seconds limit, const std::function<bool()>& cancelled) {
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  std::string line;
  while (line.size() < kMostLine) {
    if (cancelled && cancelled()) throw Error(ErrorKind::kTool, "interrupted");
    pollfd entry{fd, POLLIN, 0};
    if (::poll(&entry, 1, kPollMilliseconds) <= 0) {
      if (Clock::now() >= until) return std::nullopt;
      continue;
    }
    char byte = 0;
    const ssize_t n = ::read(fd, &byte, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return std::string();
    if (byte == '\n') return line;
    line += byte;
  }
  throw Error(ErrorKind::kTool, "the server sent a line without an end");
}

void write_line(int fd, std::string line) {
  line += '\n';
  [[maybe_unused]] const ssize_t sent = ::send(fd, line.data(), line.size(), MSG_NOSIGNAL);
}

/// A connection whose other end is this user's; -1 when nobody listens.
int connect_to_own(const fs::path& socket) {
  const int fd = connect_to(socket);
  if (fd < 0) return -1;
  const auto peer = peer_of(fd);
  if (peer && peer->user == ::geteuid()) return fd;
  ::close(fd);
  throw Error(ErrorKind::kIo, fmt::format("the server at {} runs as another user", socket.string()));
}

std::string word_of(const StubReply& reply, const std::string& key) {
  const auto at = reply.keys.find(key);
  return at == reply.keys.end() ? std::string() : at->second;
}
double number_of(const StubReply& reply, const std::string& key) {
  return std::strtod(word_of(reply, key).c_str(), nullptr);
}

/// Puts the socket where it belongs. One that takes connections and does not answer is nobody's, unless it ends now.
void add_session(const fs::path& socket, RunningSessions& sessions) {
  const auto until = Clock::now() + kClosingLimit;
  while (true) {
    if (const Descriptor fd(connect_to(socket)); fd.get() < 0) return sessions.stale.push_back(socket);
    if (auto status = ask_session_status(socket)) return sessions.running.push_back(std::move(*status));
    if (Clock::now() >= until) return;
    std::this_thread::sleep_for(kClosingPause);
  }
}

}  // namespace

std::optional<StubConnection> connect_session(const fs::path& socket, Seconds limit,
                                              const std::function<bool()>& cancelled) {
  const int fd = connect_to_own(socket);
  if (fd < 0) return std::nullopt;
  try {
    write_line(fd, fmt::format("attach version={}", kSessionVersion));
    const auto line = read_one_line(fd, limit, cancelled);
    if (!line) throw Error(ErrorKind::kTool, fmt::format("the server did not answer for {:g} s", limit.count()));
    if (line->empty()) {  // it ends at this moment
      ::close(fd);
      return std::nullopt;
    }
    const StubReply reply = parse_reply(*line);
    if (reply.verb == "failed")
      throw Error(ErrorKind::kTool, fmt::format("the server could not start: {}",
                                                escape_for_terminal(reply.words.empty() ? "" : reply.words[0])));
    if (reply.verb != "session" || reply.words.empty() || parse_int64(reply.words[0]).value_or(-1) != kSessionVersion)
      throw Error(ErrorKind::kTool,
                  fmt::format("the server speaks version {} of the protocol, this icount version {}",
                              reply.words.empty() ? "?" : escape_for_terminal(reply.words[0]), kSessionVersion));
    StubConnection connection;
    connection.descriptor = fd;
    connection.server_pid = static_cast<int>(number_of(reply, "pid"));
    connection.folder = word_of(reply, "folder");
    connection.aslr_refused = word_of(reply, "aslr_refused") == "1";
    return connection;
  } catch (...) {
    ::close(fd);
    throw;
  }
}

void start_session(const std::vector<std::string>& icount, const SessionSpec& spec) {
  ProcessSpec process;
  process.argv = icount;
  process.input = session_spec_to_text(spec);
  process.time_limit = Seconds(30);
  const ProcessOutcome outcome = run_process(process);
  if (outcome.ok()) return;
  constexpr std::string_view kOurs = "icount: ";
  std::string_view said = trim(outcome.errors);
  if (said.starts_with(kOurs)) said.remove_prefix(kOurs.size());
  throw Error(ErrorKind::kTool,
              fmt::format("the server could not start: {}", said.empty() ? describe_end(outcome) : std::string(said)));
}

std::optional<SessionStatus> ask_session_status(const fs::path& socket) {
  const Descriptor fd(connect_to_own(socket));
  if (fd.get() < 0) return std::nullopt;
  write_line(fd.get(), "status");
  const auto line = read_one_line(fd.get(), kAnswerLimit, {});
  if (!line || line->empty()) return std::nullopt;
  const StubReply reply = parse_reply(*line);
  if (reply.verb != "status") return std::nullopt;
  SessionStatus status;
  status.key = word_of(reply, "key");
  status.description = word_of(reply, "description");
  status.pid = static_cast<int64_t>(number_of(reply, "pid"));
  status.age_s = number_of(reply, "age");
  status.idle_s = number_of(reply, "idle");
  status.idle_limit_s = number_of(reply, "idle_limit");
  status.memory_bytes = static_cast<int64_t>(number_of(reply, "memory"));
  status.counted = static_cast<int64_t>(number_of(reply, "counted"));
  status.in_flight = static_cast<int64_t>(number_of(reply, "in_flight"));
  status.socket = socket;
  return status;
}

RunningSessions find_sessions(const fs::path& folder) {
  RunningSessions sessions;
  for (const fs::path& socket : list_session_sockets(folder)) {
    try {
      add_session(socket, sessions);
    } catch (const Error&) {
      // somebody else's: not ours to name or to remove
    }
  }
  std::sort(sessions.running.begin(), sessions.running.end(), [](const SessionStatus& a, const SessionStatus& b) {
    return std::pair(-a.age_s, a.key) < std::pair(-b.age_s, b.key);
  });
  return sessions;
}

bool stop_session(const fs::path& socket) {
  const Descriptor fd(connect_to_own(socket));
  if (fd.get() < 0) return true;
  write_line(fd.get(), "stop");
  // Its end closes the connection.
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(kEndLimit);
  while (Clock::now() < until) {
    const auto line = read_one_line(fd.get(), Seconds(1), {});
    if (line && line->empty()) return true;
  }
  return false;
}

void remove_stale_session(const fs::path& socket) {
  const fs::path lock = fs::path(socket).replace_extension(".lock");
  const int fd = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  const Descriptor held(fd);
  if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) != 0) return;  // one that starts or ends at this moment
  ::unlink(socket.c_str());
  ::unlink(lock.c_str());
}

}  // namespace icount
