// Our end of the stub protocol: starts a server (natively, or under the launcher it is given), hands it jobs and takes
// their ends. Protocol: docs/stub_protocol.md; values: harness/stub_protocol.h.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/harness/pins.h"
#include "icount/harness/stub_protocol.h"

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

/// One running server. Its end kills the server and every child.
class StubClient {
 public:
  /// Starts the server and reads its hello. Error{kTool} with the tail of its output when it does not come up.
  explicit StubClient(StubServerSpec spec);
  /// Talks with a server that runs already, with instrumentation on; its end closes the connection alone. Error{kTool}
  /// when it sends no hello.
  StubClient(const StubConnection& connection, std::function<bool()> cancelled);
  StubClient(const StubClient&) = delete;
  StubClient& operator=(const StubClient&) = delete;

  const StubHello& hello() const { return hello_; }
  bool aslr_refused() const { return channel_.aslr_refused(); }

  /// Switches instrumentation on, once. StubServerLost when the server does not answer within `limit`.
  void start_instrumentation(Seconds limit = Seconds(120));
  /// Has snapshots taken of these benchmarks after set-up and `warmup` runs; one that takes longer than `limit` (0:
  /// none) is left out. Later jobs say whether they began with one.
  void prepare(const std::vector<int64_t>& benchmarks, int64_t warmup, Seconds limit);

  void submit(const StubJob& job);
  /// The next job that ended. Waits at most `limit` (0: for ever); StubServerLost when nothing came by then or the
  /// server is gone, Error{kTool} "interrupted" when cancelled.
  JobOutcome wait_ended(Seconds limit);
  size_t in_flight() const { return in_flight_.size(); }

  /// Opens a wall-clock session; run_block and end_session belong to it.
  void begin_session(int64_t benchmark, int threads, Seconds limit);
  /// Set-up, warm-up, `number` runs; their seconds. With `cold_bytes` each run is timed alone after so many bytes were
  /// walked through (servers with the feature "cold"). StubServerLost when the session's child is gone (end_session
  /// says why). With `another` an equal block is begun right behind it, before this one's answer is read: the next call
  /// gets its seconds if it asks for the same, and throws it away otherwise.
  double run_block(int64_t number, int64_t warmup, Seconds limit, int64_t cold_bytes = 0, bool another = false);
  /// From now on blocks wait for the CUDA device before their clock starts and before it ends (docs/stub_protocol.md).
  void wait_for_device() { waits_for_device_ = true; }
  /// Seconds between the device's events around the last block; nullopt where there are none.
  std::optional<double> session_event_seconds() const { return event_seconds_; }
  /// "cuda" once a block of this session was seen to have made a context there; empty otherwise.
  const std::string& session_device() const { return session_device_; }
  JobOutcome end_session();
  /// What was loaded in the session's child when it began (servers with the feature "objects").
  const std::vector<LoadedObject>& session_objects() const { return session_objects_; }

  /// For who passes lines on (harness/session_process): one line out; what has come, as whole lines, read once without
  /// waiting; the descriptor to wait at. StubServerLost when the server ended.
  void forward(const std::string& line) { channel_.send(line); }
  std::vector<std::string> take_lines() { return channel_.take_lines(); }
  int reply_descriptor() const { return channel_.reply_descriptor(); }
  pid_t pid() const { return channel_.pid(); }

 private:
  using Clock = StubChannel::Clock;
  /// Error{kTool} with `failure` in front when none comes; `silence`: why not, when the time is up.
  void read_hello(const std::string& failure, const std::string& silence);
  /// Reads the answer of the block that runs.
  double finish_block(Seconds limit);
  StubReply expect(const std::vector<std::string>& verbs, Seconds limit);
  JobOutcome take_ended(Seconds limit);
  /// parse(); a line that it can't read is a lost server.
  template <typename Parse>
  auto understand(Parse&& parse) -> decltype(parse());
  void note_reply(const StubReply& reply);

  StubChannel channel_;
  StubHello hello_;
  std::set<int64_t> in_flight_;
  std::optional<JobOutcome> session_end_;
  std::string session_device_;
  bool waits_for_device_ = false;
  std::optional<double> event_seconds_;
  std::vector<LoadedObject> session_objects_;
  std::map<int64_t, std::vector<LoadedObject>> objects_;        ///< of jobs that have not ended
  std::map<int64_t, std::vector<CompiledFunction>> functions_;  ///< likewise
  std::string begun_block_;  ///< request of a block that was begun before it was wanted; empty: none
};

}  // namespace icount
