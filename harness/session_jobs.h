// Whose job is whose, in a server with several clients: the numbers of the jobs that clients ask for become the
// server's own, and those in the answers theirs again. Values alone; harness/session_process carries the lines.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

class SessionJobs {
 public:
  /// A line for the stub from `client`'s request; nullopt when it waits for its turn, or when it is none.
  std::optional<std::string> take_request(int client, std::string_view line);

  /// What the stub answered, for the client that it concerns; client -1: nobody's any more.
  struct Answer {
    int client = -1;
    std::string line;
    int64_t pid = 0;     ///< of the child, when it ended
    bool ended = false;  ///< the job is over
    bool done = false;   ///< and counted a statement: the empty region is none
  };
  std::optional<Answer> take_reply(const std::string& line);

  /// The next request whose turn has come, as a line for the stub.
  std::optional<std::string> next_waiting();

  /// The client is gone: requests that wait are forgotten; lines that end what is in flight.
  std::vector<std::string> forget(int client);

  size_t in_flight() const { return jobs_.size(); }
  bool is_idle() const { return jobs_.empty() && waiting_.empty(); }

 private:
  struct Job {
    int client = -1;
    int64_t id = 0;  ///< the client's
    bool of_statement = true;
  };
  std::string submit(int client, int64_t id, std::string_view words);

  std::map<int64_t, Job> jobs_;
  std::deque<std::pair<int, std::string>> waiting_;
  int64_t next_ = 1;
};

}  // namespace icount
