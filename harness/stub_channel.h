// The line to a stub server: its process, the two pipes (or the socket of one that runs already), and whole lines out
// and in. harness/stub_client knows what the lines mean.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/harness/pins.h"

namespace icount {

/// How to start a server.
struct StubServerSpec {
  std::vector<std::string> launcher;  ///< "valgrind --tool=callgrind ..."; empty: natively
  std::vector<std::string> program;   ///< the stub, or an interpreter and its server script; --icount-serve is added
  PinnedSurroundings surroundings;
  std::filesystem::path log;        ///< the server's own output and Valgrind's messages go there
  Seconds start_limit{120};         ///< until its hello
  bool runs_global_setup = false;   ///< the program has a global set-up that acts before main
  std::function<bool()> cancelled;  ///< asked ten times a second while waiting
};

/// A server that runs already, at the other end of a socket (harness/session_client.h).
struct StubConnection {
  int descriptor = -1;           ///< becomes the StubClient's
  int server_pid = 0;            ///< of the process that holds the server
  std::filesystem::path folder;  ///< where its children write their profiles; its log is there, too
  bool aslr_refused = false;
};

/// The server died, fell silent or spoke nonsense: everything in flight is lost, a new server may be started.
class StubServerLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Its end kills the server and every child that was noted; a server that runs already keeps running.
class StubChannel {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts the server. Error{kIo} or {kTool} when there is no process.
  explicit StubChannel(StubServerSpec spec);
  /// To a server that runs already.
  StubChannel(const StubConnection& connection, std::function<bool()> cancelled);
  ~StubChannel() { stop(); }
  StubChannel(const StubChannel&) = delete;
  StubChannel& operator=(const StubChannel&) = delete;

  /// All of this throw StubServerLost when the server is gone.
  void send(const std::string& line);
  /// The next line; nullopt when the time is up. Error{kTool} "interrupted" when cancelled.
  std::optional<std::string> read_line(Clock::time_point until);
  /// What has come, as whole lines, read once without waiting.
  std::vector<std::string> take_lines();
  /// Gives the server up, with its last words.
  [[noreturn]] void lose(const std::string& why);

  /// A child's process group, which ends with the server.
  void note_child(int group) { child_groups_.insert(group); }
  void forget_child(int group) { child_groups_.erase(group); }

  const StubServerSpec& spec() const { return spec_; }
  bool aslr_refused() const { return aslr_refused_; }
  int reply_descriptor() const { return replies_; }
  pid_t pid() const { return pid_; }
  std::string log_tail(size_t bytes = 4000) const;
  /// The last lines that the server itself wrote to its log, without Valgrind's, in one line: "A; B".
  std::string last_words() const;

 private:
  /// Reaps a server that closed its end.
  std::string describe_own_end();
  void stop();

  StubServerSpec spec_;
  bool aslr_refused_ = false;
  pid_t pid_ = -1;  ///< -1: it runs already, or was reaped
  int requests_ = -1;
  int replies_ = -1;
  std::string buffer_;
  std::set<int> child_groups_;
};

}  // namespace icount
