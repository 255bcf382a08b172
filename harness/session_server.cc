#include "icount/harness/session_server.h"

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
#include <fstream>
#include <list>
#include <memory>
#include <set>

#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/spawn.h"
#include "icount/base/text.h"
#include "icount/base/unix_socket.h"
#include "icount/harness/session_client.h"
#include "icount/harness/session_jobs.h"
#include "icount/harness/stub_client.h"

namespace icount {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kTickMilliseconds = 500;
constexpr Seconds kStartLimit{600};
constexpr size_t kMostBuffered = size_t{64} << 20;  // of one client that does not read its answers
constexpr size_t kMostRequest = 65536;              // of one line

/// What tells one content of a file from another without reading it.
std::string mark_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return "missing";
  return fmt::format("{} {} {} {}.{}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

/// Resident memory of a process; 0 when it is gone.
int64_t memory_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
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

/// One client: a connection, what has come of its next line, what it has not read yet.
struct Client {
  int number = 0;
  int fd = -1;
  std::string in;
  std::string out;
  bool attached = false;  ///< asked for the stub's lines
  bool greeted = false;
  std::set<int64_t> pids;  ///< children whose profiles it may still read
};

class SessionServer {
 public:
  SessionServer(const SessionSpec& spec, int listening) : spec_(spec), listening_(listening), folder_("icount") {
    for (const fs::path& file : spec_.watched) marks_.emplace_back(file, mark_of(file));
  }
  ~SessionServer() {
    for (Client& client : clients_) ::close(client.fd);
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
      // the clients see their connections closed, and count without it
    }
  }

 private:
  void start_stub() {
    StubServerSpec stub;
    for (const std::string& word : spec_.launcher) stub.launcher.push_back(with_folder(word));
    stub.program = spec_.program;
    stub.surroundings = {Environment(spec_.environment), spec_.working_dir, spec_.disable_aslr};
    stub.log = folder_.path() / "log";
    stub.start_limit = kStartLimit;
    // While it starts, clients wait in the socket's queue, and one may ask it to end.
    stub.cancelled = [this] {
      take_clients();
      for (Client& client : clients_) read_from(client);
      return ending_;
    };
    stub_ = std::make_unique<StubClient>(std::move(stub));
    if (!stub_->hello().has("load") || !stub_->hello().valgrind)
      throw Error(ErrorKind::kTool, "its program can't load others on this processor");
    hello_ = fmt::format(
        "hello icount-stub {} pid={} benchmarks=0 language={} valgrind=1 features=then,wall,objects,load cpu={}",
        kStubProtocolVersion, stub_->hello().pid, stub_->hello().language, stub_->hello().cpu);
    stub_->start_instrumentation(kStartLimit);
    for (Client& client : clients_) greet(client);
  }

  std::string with_folder(std::string word) const {
    const size_t at = word.find(kSessionFolder);
    if (at != std::string::npos) word.replace(at, kSessionFolder.size(), folder_.path().string());
    return word;
  }

  void tell_failure(const std::string& why) {
    take_clients();
    for (Client& client : clients_) {
      client.out += "failed " + escape_word(why) + "\n";
      flush(client);
    }
  }

  void serve_once() {
    std::vector<pollfd> entries = {{listening_, POLLIN, 0}, {stub_->reply_descriptor(), POLLIN, 0}};
    for (const Client& client : clients_)
      entries.push_back({client.fd, static_cast<short>(POLLIN | (client.out.empty() ? 0 : POLLOUT)), 0});
    ::poll(entries.data(), entries.size(), kTickMilliseconds);
    if (entries[1].revents != 0)
      for (const std::string& line : stub_->take_lines()) pass_on(line);
    for (Client& client : clients_) {
      read_from(client);
      flush(client);
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
      Client client;
      client.number = next_client_++;
      client.fd = fd;
      clients_.push_back(std::move(client));
    }
  }

  void read_from(Client& client) {
    char bytes[1 << 14];
    while (client.fd >= 0) {
      const ssize_t n = ::read(client.fd, bytes, sizeof bytes);
      if (n < 0 && (errno == EAGAIN || errno == EINTR)) break;
      if (n <= 0) return close_client(client);
      client.in.append(bytes, static_cast<size_t>(n));
      if (client.in.size() > kMostRequest && client.in.find('\n') == std::string::npos) return close_client(client);
    }
    for (size_t end; client.fd >= 0 && (end = client.in.find('\n')) != std::string::npos;) {
      const std::string line = client.in.substr(0, end);
      client.in.erase(0, end + 1);
      handle(client, line);
    }
  }

  void handle(Client& client, const std::string& line) {
    last_used_ = line.starts_with("job ") ? Clock::now() : last_used_;
    if (line.starts_with("attach")) {
      client.attached = true;
      if (!hello_.empty() && stub_) greet(client);
    } else if (line == "status") {
      client.out += describe() + "\n";
    } else if (line == "stop") {
      ending_ = true;
      for (Client& other : clients_)
        if (stub_)
          for (const std::string& cancel : jobs_.forget(other.number)) stub_->forward(cancel);
    } else if (!client.greeted || ending_) {
      close_client(client);
    } else if (const auto request = jobs_.take_request(client.number, line)) {
      stub_->forward(*request);
    }
  }

  void greet(Client& client) {
    if (!client.attached || client.greeted || ending_) return;
    client.greeted = true;
    client.out +=
        fmt::format("session {} pid={} folder={}{}\n{}\n", kSessionVersion, ::getpid(),
                    escape_word(folder_.path().string()), stub_->aslr_refused() ? " aslr_refused=1" : "", hello_);
    flush(client);
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
    Client* client = find(answer->client);
    if (!client) {
      if (answer->pid > 0) remove_profiles(answer->pid);
      return;
    }
    if (answer->pid > 0) client->pids.insert(answer->pid);
    client->out += answer->line + "\n";
  }

  Client* find(int number) {
    for (Client& client : clients_)
      if (client.number == number && client.fd >= 0) return &client;
    return nullptr;
  }

  void flush(Client& client) {
    while (client.fd >= 0 && !client.out.empty()) {
      const ssize_t n = ::send(client.fd, client.out.data(), client.out.size(), MSG_NOSIGNAL);
      if (n < 0 && (errno == EAGAIN || errno == EINTR)) break;
      if (n < 0) return close_client(client);
      client.out.erase(0, static_cast<size_t>(n));
    }
    if (client.out.size() > kMostBuffered) close_client(client);
  }

  /// What the client had in flight goes with it, and what it has not read.
  void close_client(Client& client) {
    ::close(client.fd);
    client.fd = -1;
    for (const std::string& line : jobs_.forget(client.number)) stub_->forward(line);
    for (const int64_t pid : client.pids) remove_profiles(pid);
  }
  void drop_closed() {
    clients_.remove_if([](const Client& client) { return client.fd < 0; });
  }

  void remove_profiles(int64_t pid) const {
    std::error_code ignored;
    const std::string own = fmt::format("cg.{}", pid);
    for (const auto& entry : fs::directory_iterator(folder_.path(), ignored)) {
      const std::string name = entry.path().filename().string();
      if (name == own || name.starts_with(own + ".")) fs::remove(entry.path(), ignored);
    }
  }

  void look_at_files() {
    for (const auto& [file, mark] : marks_)
      if (mark_of(file) != mark) ending_ = true;
    struct stat status {};  // a socket that was removed is found by nobody
    if (::stat(spec_.socket.c_str(), &status) != 0) ending_ = true;
  }

  void look_at_clock() {
    if (jobs_.is_idle() && Seconds(Clock::now() - last_used_).count() > spec_.idle_seconds) ending_ = true;
  }

  SessionSpec spec_;
  int listening_;
  ScratchDir folder_;
  std::vector<std::pair<fs::path, std::string>> marks_;
  std::unique_ptr<StubClient> stub_;
  std::string hello_;
  std::list<Client> clients_;
  SessionJobs jobs_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_used_ = Clock::now();
  int64_t counted_ = 0;
  int next_client_ = 0;
  bool ending_ = false;
};

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

}  // namespace

void run_session_server(const SessionSpec& spec, const std::function<void()>& ready) {
  ::signal(SIGPIPE, SIG_IGN);
  make_session_folder(spec.socket.parent_path());
  const fs::path lock_file = fs::path(spec.socket).replace_extension(".lock");
  const Descriptor lock(take_lock(lock_file));
  if (lock.get() < 0) return ready();
  make_room(spec.socket.parent_path());
  const Descriptor listening(listen_at(spec.socket));
  ready();
  SessionServer server(spec, listening.get());
  server.run();
  // Before the connections close: who sees that may start another one in this place.
  ::unlink(spec.socket.c_str());
  ::unlink(lock_file.c_str());
}

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
      if (!listens) [[maybe_unused]]
        const ssize_t sent = ::write(word.write_end, error.what(), std::char_traits<char>::length(error.what()));
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
