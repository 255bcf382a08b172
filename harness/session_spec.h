// A server that stays warm between commands, as values: what it is started from, what it says of itself, where it is
// found. harness/session_process runs one, harness/session_client finds and starts one. Read docs/server.md first.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/environment.h"

namespace icount {

/// Of the lines between icount and its server; another one is not spoken with.
inline constexpr int kSessionVersion = 1;
/// Stands in SessionSpec::launcher for the server's own folder, where its children write their profiles.
inline constexpr std::string_view kSessionFolder = "@FOLDER@";
/// More servers of one user than this: the oldest one ends.
inline constexpr size_t kMostSessions = 3;

/// Everything that a server is started with.
struct SessionSpec {
  std::string key;                    ///< 16 hex digits: a hash of all that its counts depend on
  std::string description;            ///< for people: "LibTorch 2.13.0, Valgrind 3.19.0"
  std::filesystem::path socket;       ///< SOCKETS/KEY.socket
  std::vector<std::string> launcher;  ///< Valgrind's command; kSessionFolder is replaced
  std::vector<std::string> program;   ///< the stub, or an interpreter and its arguments
  std::vector<std::string> environment;
  std::filesystem::path working_dir;
  bool disable_aslr = false;
  std::vector<std::filesystem::path> watched;  ///< files whose change ends it
  /// Prints further ones, and folders, each behind "icount "; run where and as the program is. Empty: there are none.
  std::vector<std::string> list_watched;
  double idle_seconds = 300;  ///< without a job for so long it ends
};

std::string session_spec_to_text(const SessionSpec& spec);
/// Error{kMalformed} when the text is none.
SessionSpec parse_session_spec(std::string_view json);

/// What a running server says of itself.
struct SessionStatus {
  std::string key;
  std::string description;
  int64_t pid = 0;
  double age_s = 0;
  double idle_s = 0;        ///< since its last job ended; 0 while one runs
  double idle_limit_s = 0;  ///< when it ends
  int64_t memory_bytes = 0;
  int64_t counted = 0;  ///< statements
  int64_t in_flight = 0;
  std::filesystem::path socket;
};

/// The folder of the sockets: XDG_RUNTIME_DIR/icount, else CACHE_DIR/run.
std::filesystem::path session_folder(const Environment& environment, const std::filesystem::path& cache_dir);

/// The socket of a key there.
std::filesystem::path session_socket(const std::filesystem::path& folder, std::string_view key);

/// Makes the folder with mode 0700 where it is missing. Error{kIo} when it can't be made, is no folder, belongs to
/// somebody else or is open to others.
void make_session_folder(const std::filesystem::path& folder);

/// Every socket in the folder, by name; none when there is no folder.
std::vector<std::filesystem::path> list_session_sockets(const std::filesystem::path& folder);

/// Whether ICOUNT_SERVER (off, find, on) and CI let a command use a server and start one. Error{kUsage} for other
/// words.
enum class SessionUse { kOff, kFind, kStart };
SessionUse session_use(const Environment& environment);

/// Whether counts use a server that stays warm between commands. Counts are the same with it and without
/// (docs/server.md).
struct ServerUse {
  SessionUse use = SessionUse::kOff;
  std::vector<std::string> start_command;  ///< what becomes a server: {"/usr/bin/icount", "server", "run"}; empty: none
  double idle_seconds = 300;               ///< after which one that is started ends
  bool plain = false;  ///< also for C++ without LibTorch, whose server starts in half a second: tests do
};

/// ICOUNT_SERVER_IDLE in seconds, else 300. Error{kUsage} when it is no number above 0.
double session_idle_seconds(const Environment& environment);

// Whose job is whose, in a server with several clients: the numbers of the jobs that clients ask for become the
// server's own, and those in the answers theirs again. Values alone; harness/session_process carries the lines.

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
