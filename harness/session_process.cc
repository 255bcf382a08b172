#include "icount/harness/session_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/spawn.h"
#include "icount/base/text.h"
#include "icount/base/unix_socket.h"
#include "icount/harness/session_client.h"
#include "icount/harness/session_server.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

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
