#include "icount/store/answer_watch.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include "icount/base/condition_wait.h"
#include "icount/base/error.h"
#include "icount/base/folder_entries.h"
#include "icount/base/ignore_failures.h"
#include "icount/base/text.h"

namespace icount {
namespace {

using Clock = std::chrono::steady_clock;

/// A stream to a server: TCP, or a socket with a name. What we have between our own processes has none.
bool is_to_server(int fd) {
  sockaddr_storage peer{};
  socklen_t length = sizeof(peer);
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) != 0) return false;
  if (peer.ss_family == AF_UNIX) return length > offsetof(sockaddr_un, sun_path);
  int type = 0;
  socklen_t size = sizeof(type);
  return (peer.ss_family == AF_INET || peer.ss_family == AF_INET6) &&
         ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

/// Inode and descriptor of each.
std::map<uint64_t, int> connected_sockets() {
  std::map<uint64_t, int> sockets;
  for (const std::filesystem::path& entry : folder_entries("/proc/self/fd")) {
    const int fd = static_cast<int>(parse_int64(entry.filename().string()).value_or(-1));
    struct stat about {};
    if (::fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode) && is_to_server(fd)) sockets.emplace(about.st_ino, fd);
  }
  return sockets;
}

}  // namespace

AnswerWatch::AnswerWatch() {
  for (const auto& [inode, fd] : connected_sockets()) others_.insert(inode);
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // an interrupt is the other threads' business
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error& error) {
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw Error(ErrorKind::kIo, fmt::format("cannot start the thread that watches the store's server: {}",
                                            errno_text(error.code().value())));
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

AnswerWatch::~AnswerWatch() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void AnswerWatch::begin(std::chrono::milliseconds limit) {
  const std::lock_guard lock(mutex_);
  deadline_ = Clock::now() + limit;
  waiting_ = true;
  if (idle_ || deadline_ < next_look_) changed_.notify_one();  // else it looks early enough: statements are many
}

void AnswerWatch::end() {
  const std::lock_guard lock(mutex_);
  waiting_ = false;
}

void AnswerWatch::settle() {
  const std::lock_guard lock(mutex_);
  settled_ = true;
  for (const auto& [inode, fd] : connected_sockets())
    if (!others_.contains(inode)) connection_.insert(inode);
}

bool AnswerWatch::gave_up() const {
  const std::lock_guard lock(mutex_);
  return gave_up_;
}

void AnswerWatch::watch() {
  constexpr std::chrono::milliseconds kAgain(50);  // a library that is still connecting tries its next address
  std::unique_lock lock(mutex_);
  while (!leaving_) {
    if (!waiting_) {
      idle_ = true;
      wait_on(changed_, lock);
      idle_ = false;
    } else if (next_look_ = deadline_; Clock::now() < deadline_) {
      changed_.wait_until(lock, deadline_);
    } else {
      gave_up_ = true;
      ignore_failures([&] { end_connections(); });  // no memory for the list: again in a moment
      changed_.wait_for(lock, kAgain);
    }
  }
}

void AnswerWatch::end_connections() {
  for (const auto& [inode, fd] : connected_sockets())
    if (settled_ ? connection_.contains(inode) : !others_.contains(inode)) ::shutdown(fd, SHUT_RDWR);
}

}  // namespace icount
