// One client of a server that stays warm, as a connection that never blocks: whole lines in, lines out as fast as the
// client reads them. harness/session_server knows what the lines mean.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace icount {

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

}  // namespace icount
