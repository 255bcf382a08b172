// A limit on how long a server may leave us without an answer. Libraries that talk to servers wait for ever where the
// server's machine is up and its program is not; a thread ends the connection then, and the library reports it as lost.
// Used by store/database.cc.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace icount {

/// Watches the connections that the process makes as a client from the watch's construction to settle().
class AnswerWatch {
 public:
  AnswerWatch();
  ~AnswerWatch();
  AnswerWatch(const AnswerWatch&) = delete;

  /// An answer is waited for, at most so long.
  void begin(std::chrono::milliseconds limit);
  /// It has come, or the call that waited for it failed.
  void end();
  /// The connection stands: sockets that are made later belong to others.
  void settle();
  /// Whether a connection was ended.
  bool gave_up() const;

 private:
  void watch();
  void end_connections();

  std::set<uint64_t> others_;      ///< sockets that were there before, by inode
  std::set<uint64_t> connection_;  ///< after settle()
  bool settled_ = false, waiting_ = false, idle_ = false, leaving_ = false, gave_up_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::chrono::steady_clock::time_point next_look_;  ///< of the thread, unless it is idle
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

/// Begins, and ends with the block that it is made in; nothing without a watch.
class WaitedFor {
 public:
  WaitedFor(std::optional<AnswerWatch>& watch, std::chrono::milliseconds limit) : watch_(watch) {
    if (watch_) watch_->begin(limit);
  }
  ~WaitedFor() {
    if (watch_) watch_->end();
  }
  WaitedFor(const WaitedFor&) = delete;

 private:
  std::optional<AnswerWatch>& watch_;
};

}  // namespace icount
