#include "icount/harness/session_peer.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace icount {
namespace {

constexpr size_t kMostBuffered = size_t{64} << 20;  // of a client that does not read its answers
constexpr size_t kMostRequest = 65536;              // of one line

}  // namespace

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

}  // namespace icount
