#include "icount/harness/session_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/spawn.h"
#include "icount/base/text.h"
#include "icount/base/unix_socket.h"
#include "icount/harness/reuse.h"
#include "icount/harness/session_client.h"
#include "icount/harness/stub_client.h"

namespace icount {
namespace {

// What a server that stays warm does: holds one stub server, hands the lines of its clients on to it and the answers
// back, each to the client that asked, and ends when it is no longer used, or when what it was started from has
// changed.
//
// A client connects and sends `attach version=1`. Once the server has started it answers `session 1 pid=... folder=...`
// and the stub's hello, or `failed TEXT`; children write their profiles to the folder. From then on the client speaks
// the stub protocol (docs/stub_protocol.md), `job` and `cancel` only, each job with `program=PATH` and a number of the
// client's own. Up to 48 jobs run side by side. The end of the connection cancels what is in flight. `status` is
// answered by one line of key=value, `stop` ends the server, which closes the connection.

/// One client of a server that stays warm, as a connection that never blocks: whole lines in, lines out as fast as the
/// client reads them.
class SessionPeer {
 public:
  /// Takes the descriptor over. `number`: by which the server tells its clients apart.
  SessionPeer(int number, int fd) : number_(number), fd_(fd) {}
  ~SessionPeer() { close(); }
  SessionPeer(const SessionPeer&) = delete;
  SessionPeer& operator=(const SessionPeer&) = delete;

  int number() const { return number_; }
  int descriptor() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  bool has_output() const { return !out_.empty(); }
  bool has_hung_up() const { return has_hung_up_; }

  /// The lines that have come. Closes itself when the client is gone, or sends a line without an end.
  std::vector<std::string> read_lines();
  /// One line more for the client, which flush() sends.
  void say(const std::string& line) {
    if (!has_hung_up_) out_ += line + "\n";
  }
  /// Sends what the client takes. Closes itself when the client is gone, or reads nothing of 64 MiB.
  void flush();
  /// Sends what it can of what was said, and no more ever: the client reads that to its end, and closes when it is done
  /// with the files that it was told of.
  void hang_up();
  void close();

  bool attached = false;   ///< asked for the stub's lines
  bool greeted = false;    ///< and got the first of them
  std::set<int64_t> pids;  ///< children whose profiles it may still read

 private:
  int number_;
  int fd_;
  std::string in_;
  std::string out_;
  bool has_hung_up_ = false;
};

constexpr size_t kMostBuffered = size_t{64} << 20;  // of a client that does not read its answers
constexpr size_t kMostRequest = 65536;              // of one line

std::vector<std::string> SessionPeer::read_lines() {
  char bytes[1 << 14];
  while (is_open()) {
    const ssize_t n = ::read(fd_, bytes, sizeof bytes);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (n > 0) in_.append(bytes, static_cast<size_t>(n));
    if (n <= 0 || (in_.size() > kMostRequest && in_.find('\n') == std::string::npos)) close();
  }
  std::vector<std::string> lines;
  if (!is_open()) return lines;
  for (size_t end; (end = in_.find('\n')) != std::string::npos; in_.erase(0, end + 1))
    lines.push_back(in_.substr(0, end));
  return lines;
}

void SessionPeer::flush() {
  while (is_open() && has_output()) {
    const ssize_t n = ::send(fd_, out_.data(), out_.size(), MSG_NOSIGNAL);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (n < 0) return close();
    out_.erase(0, static_cast<size_t>(n));
  }
  if (out_.size() > kMostBuffered) close();
}

void SessionPeer::hang_up() {
  flush();
  if (is_open()) ::shutdown(fd_, SHUT_WR);
  out_.clear();
  has_hung_up_ = true;
}

void SessionPeer::close() {
  if (is_open()) ::close(fd_);
  fd_ = -1;
}

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kTickMilliseconds = 500;
constexpr Seconds kStartLimit{600};

/// Resident memory of a process; 0 when it is gone.
int64_t memory_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

/// The files of a process's code and data; what was removed meanwhile is none.
std::vector<fs::path> mapped_files(pid_t pid) {
  std::vector<fs::path> files;
  const std::string maps = load_text(fmt::format("/proc/{}/maps", pid));
  for (const std::string_view line : split_lines(maps)) {
    const size_t path = line.find('/');
    if (path != std::string_view::npos && !line.ends_with(" (deleted)")) files.emplace_back(line.substr(path));
  }
  return files;
}

class SessionServer {
 public:
  SessionServer(const SessionSpec& spec, int listening) : spec_(spec), listening_(listening), folder_("icount") {
    for (const fs::path& file : spec.watched) watched_.add_file(file);
  }

  void run() {
    try {
      start_stub();
    } catch (const Error& error) {
      tell_failure(error.what());
      return;
    }
    last_used_ = Clock::now();
    try {
      while (!ending_ || !jobs_.is_idle()) {
        serve_once();
        look_at_files();
        look_at_clock();
      }
    } catch (const StubServerLost&) {
      // the clients see their connections end, and count without it
    }
    stub_.reset();
  }

  /// Until nobody reads the profiles of the folder any more, which ends with this object.
  void wait_for_readers() {
    for (SessionPeer& client : clients_) {
      client.hang_up();
      if (client.pids.empty()) client.close();
    }
    drop_closed();
    while (!clients_.empty()) {
      std::vector<pollfd> entries;
      for (const SessionPeer& client : clients_) entries.push_back({client.descriptor(), POLLIN, 0});
      ::poll(entries.data(), entries.size(), -1);
      for (SessionPeer& client : clients_) client.read_lines();
      drop_closed();
    }
  }

 private:
  void start_stub() {
    list_modules();
    StubServerSpec stub;
    for (const std::string& word : spec_.launcher) stub.launcher.push_back(with_folder(word));
    stub.program = spec_.program;
    stub.surroundings = {Environment(spec_.environment), spec_.working_dir, spec_.disable_aslr};
    stub.log = folder_.path() / "log";
    stub.start_limit = kStartLimit;
    // While it starts, clients wait in the socket's queue, and one may ask it to end.
    stub.cancelled = [this] {
      take_clients();
      for (SessionPeer& client : clients_) read_from(client);
      return ending_;
    };
    stub_ = std::make_unique<StubClient>(std::move(stub));
    if (!stub_->hello().has("load") || !stub_->hello().valgrind)
      throw Error(ErrorKind::kTool, "its program can't load others on this processor");
    hello_ = fmt::format(
        "hello icount-stub {} pid={} benchmarks=0 language={} valgrind=1 features=then,wall,objects,load cpu={}",
        kStubProtocolVersion, stub_->hello().pid, stub_->hello().language, stub_->hello().cpu);
    stub_->start_instrumentation(kStartLimit);
    for (const fs::path& file : mapped_files(stub_->pid())) loaded_.add_file(file);
    for (SessionPeer& client : clients_) greet(client);
  }

  /// Before the stub starts: what is changed meanwhile is seen.
  void list_modules() {
    if (spec_.list_watched.empty()) return;
    const ProcessOutcome outcome = run_process({.argv = spec_.list_watched,
                                                .environment = spec_.environment,
                                                .working_dir = spec_.working_dir,
                                                .time_limit = kStartLimit});
    if (!outcome.ok())
      throw Error(ErrorKind::kTool,
                  fmt::format("cannot list the modules of its program: {}\n{}", describe_end(outcome), outcome.errors));
    constexpr std::string_view kPrefix = "icount ";
    for (const std::string_view line : split_lines(outcome.output)) {
      if (!line.starts_with(kPrefix)) continue;  // what modules print
      const fs::path path(line.substr(kPrefix.size()));
      std::error_code error;
      loaded_.add(fs::is_directory(path, error) ? ChangeSource::kFolder : ChangeSource::kFile, path);
    }
  }

  std::string with_folder(std::string word) const {
    const size_t at = word.find(kSessionFolder);
    if (at != std::string::npos) word.replace(at, kSessionFolder.size(), folder_.path().string());
    return word;
  }

  void tell_failure(const std::string& why) {
    take_clients();
    for (SessionPeer& client : clients_) {
      client.say("failed " + escape_word(why));
      client.flush();
    }
  }

  void serve_once() {
    std::vector<pollfd> entries = {{listening_, POLLIN, 0}, {stub_->reply_descriptor(), POLLIN, 0}};
    for (const SessionPeer& client : clients_)
      entries.push_back({client.descriptor(), static_cast<short>(POLLIN | (client.has_output() ? POLLOUT : 0)), 0});
    ::poll(entries.data(), entries.size(), kTickMilliseconds);
    if (entries[1].revents != 0)
      for (const std::string& line : stub_->take_lines()) pass_on(line);
    for (SessionPeer& client : clients_) {
      read_from(client);
      client.flush();
    }
    take_clients();
    drop_closed();
    while (const auto line = jobs_.next_waiting()) stub_->forward(*line);
  }

  void take_clients() {
    for (int fd; (fd = accept_from(listening_)) >= 0;) {
      const auto peer = peer_of(fd);
      if (!peer || peer->user != ::geteuid()) {
        ::close(fd);
        continue;
      }
      clients_.emplace_back(next_client_++, fd);
    }
  }

  void read_from(SessionPeer& client) {
    for (const std::string& line : client.read_lines())
      if (client.is_open()) handle(client, line);
  }

  void handle(SessionPeer& client, const std::string& line) {
    last_used_ = line.starts_with("job ") ? Clock::now() : last_used_;
    if (line.starts_with("attach")) {
      // Here, and not all the time: with torch they are thousands.
      if (!loaded_.find_change().empty() || !watched_.find_change().empty()) ending_ = true;
      client.attached = true;
      if (!hello_.empty() && stub_) greet(client);
    } else if (line == "status") {
      client.say(describe());
    } else if (line == "stop") {
      ending_ = true;
      for (const SessionPeer& other : clients_) forget_jobs(other);
    } else if (!client.greeted) {
      client.close();
    } else if (ending_) {
      client.hang_up();
      forget_jobs(client);
    } else if (const auto request = jobs_.take_request(client.number(), line)) {
      stub_->forward(*request);
    }
  }

  void greet(SessionPeer& client) {
    if (!client.attached || client.greeted || ending_) return;
    client.greeted = true;
    client.say(fmt::format("session {} pid={} folder={}{}\n{}", kSessionVersion, ::getpid(),
                           escape_word(folder_.path().string()), stub_->aslr_refused() ? " aslr_refused=1" : "",
                           hello_));
    client.flush();
  }

  std::string describe() const {
    const double idle = jobs_.is_idle() && stub_ ? Seconds(Clock::now() - last_used_).count() : 0;
    return fmt::format(
        "status key={} description={} pid={} age={:.3f} idle={:.3f} idle_limit={:.3f} memory={} counted={} "
        "in_flight={}",
        spec_.key, escape_word(spec_.description), ::getpid(), Seconds(Clock::now() - started_).count(), idle,
        spec_.idle_seconds, memory_of(::getpid()) + (stub_ ? memory_of(stub_->pid()) : 0), counted_, jobs_.in_flight());
  }

  void pass_on(const std::string& line) {
    const auto answer = jobs_.take_reply(line);
    if (!answer) return;
    if (answer->ended) last_used_ = Clock::now();
    counted_ += answer->done ? 1 : 0;
    SessionPeer* client = find(answer->client);
    if (!client) {
      if (answer->pid > 0) remove_profiles(answer->pid);
      return;
    }
    if (answer->pid > 0) client->pids.insert(answer->pid);
    client->say(answer->line);
  }

  SessionPeer* find(int number) {
    for (SessionPeer& client : clients_)
      if (client.number() == number && client.is_open() && !client.has_hung_up()) return &client;
    return nullptr;
  }

  /// What a client that is gone had in flight goes with it, and what it has not read.
  void drop_closed() {
    for (const SessionPeer& client : clients_) {
      if (client.is_open()) continue;
      forget_jobs(client);
      for (const int64_t pid : client.pids) remove_profiles(pid);
    }
    clients_.remove_if([](const SessionPeer& client) { return !client.is_open(); });
  }

  void forget_jobs(const SessionPeer& client) {
    for (const std::string& cancel : jobs_.forget(client.number()))
      if (stub_) stub_->forward(cancel);
  }

  void remove_profiles(int64_t pid) const {
    std::error_code ignored;
    const std::string own = fmt::format("cg.{}", pid);
    for (const fs::path& entry : folder_entries(folder_.path())) {
      const std::string name = entry.filename().string();
      if (name == own || name.starts_with(own + ".")) fs::remove(entry, ignored);
    }
  }

  void look_at_files() {
    if (!watched_.find_change().empty()) ending_ = true;
    struct stat status {};  // a socket that was removed is found by nobody
    if (::stat(spec_.socket.c_str(), &status) != 0) ending_ = true;
  }

  void look_at_clock() {
    if (jobs_.is_idle() && Seconds(Clock::now() - last_used_).count() > spec_.idle_seconds) ending_ = true;
  }

  SessionSpec spec_;
  int listening_;
  ScratchDir folder_;
  ReuseRecord watched_;  ///< what it was told
  ReuseRecord loaded_;   ///< what its program consists of besides
  std::unique_ptr<StubClient> stub_;
  std::string hello_;
  std::list<SessionPeer> clients_;
  SessionJobs jobs_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_used_ = Clock::now();
  int64_t counted_ = 0;
  int next_client_ = 0;
  bool ending_ = false;
};

/// Serves the clients that connect at `listening` until the server's end. `leave` is called before their connections
/// close: who sees that may start another server in this place.
void serve_session(const SessionSpec& spec, int listening, const std::function<void()>& leave) {
  SessionServer server(spec, listening);
  server.run();
  leave();
  server.wait_for_readers();
}

/// The lock that makes a server the only one of its key; ends with the process.
int take_lock(const fs::path& path) {
  while (true) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
      throw Error(ErrorKind::kIo, fmt::format("cannot make the file {}: {}", path.string(), errno_text(errno)));
    struct stat status {};
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &status) == 0 && status.st_nlink > 0) return fd;
    const bool held = errno == EWOULDBLOCK;
    ::close(fd);
    if (held) return -1;
  }
}

/// The oldest of others end when there would be too many with this one.
void make_room(const fs::path& folder) {
  RunningSessions sessions = find_sessions(folder);
  for (const fs::path& socket : sessions.stale) remove_stale_session(socket);
  for (size_t i = 0; i + kMostSessions <= sessions.running.size(); ++i) stop_session(sessions.running[i].socket);
}

/// Nothing of the terminal or of the caller's pipes stays open.
void let_go_of_terminal() {
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, fd);
  if (nothing > STDERR_FILENO) ::close(nothing);
}

/// The server itself, in this process, until its end; `ready` is called when it listens. Nothing happens when another
/// one has this key. Error{kIo} when no socket can be made.
void run_session_server(const SessionSpec& spec, const std::function<void()>& ready) {
  ::signal(SIGPIPE, SIG_IGN);
  make_session_folder(spec.socket.parent_path());
  const fs::path lock_file = fs::path(spec.socket).replace_extension(".lock");
  const Descriptor lock(take_lock(lock_file));
  if (lock.get() < 0) return ready();
  try {
    make_room(spec.socket.parent_path());
    const Descriptor listening(listen_at(spec.socket));
    ready();
    serve_session(spec, listening.get(), [&] {
      ::unlink(spec.socket.c_str());
      ::unlink(lock_file.c_str());
    });
  } catch (...) {
    ::unlink(lock_file.c_str());
    throw;
  }
}

}  // namespace

void start_session_server(const SessionSpec& spec) {
  Pipe word;  // empty: it listens; else why not
  const pid_t pid = ::fork();
  if (pid < 0) throw Error(ErrorKind::kIo, fmt::format("cannot start a process: {}", errno_text(errno)));
  if (pid == 0) {
    ::setsid();
    if (::chdir("/") != 0) ::_exit(1);
    Pipe::close_end(word.read_end);
    bool listens = false;
    const auto ready = [&] {
      listens = true;
      let_go_of_terminal();
      Pipe::close_end(word.write_end);
    };
    try {
      run_session_server(spec, ready);
    } catch (const std::exception& error) {
      const std::string reason = reason_of(error);
      if (!listens) [[maybe_unused]]
        const ssize_t sent = ::write(word.write_end, reason.data(), reason.size());
    }
    ::_exit(0);
  }
  Pipe::close_end(word.write_end);
  std::string why;
  std::array<char, 4096> bytes;
  for (ssize_t n; (n = ::read(word.read_end, bytes.data(), bytes.size())) != 0;)
    if (n > 0) why.append(bytes.data(), static_cast<size_t>(n));
  if (!why.empty()) {
    ::waitpid(pid, nullptr, 0);
    throw Error(ErrorKind::kIo, why);
  }
}

}  // namespace icount
