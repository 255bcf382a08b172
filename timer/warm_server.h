// Finding or starting the server that stays warm for a batch (docs/server.md): which one fits, and what it is started
// from. harness/session_client carries it out; timer/collect_batch measures in it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/stub_client.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

/// The program of a server that holds no statement itself, and what tells it from others.
struct WarmServerProgram {
  std::vector<std::string> program;            ///< the stub without statements, or an interpreter and its arguments
  std::string identity;                        ///< part of the key, for what the paths do not tell
  std::string description;                     ///< for people: "LibTorch 2.13.0"
  std::vector<std::filesystem::path> watched;  ///< files whose change ends the server
  std::vector<std::string> list_watched;       ///< SessionSpec::list_watched
  std::function<std::vector<std::string>()> make_prefix;  ///< what stands before Valgrind's command; asked at a start
};

/// A connection to a server that runs, and where its profiles are.
struct WarmServer {
  std::unique_ptr<StubClient> client;
  std::filesystem::path folder;
};

/// Whether counts of this form, so many children of them, may be made in such a server: above a number of children one
/// of their own is quicker, which keeps the state after set-ups.
bool may_use_warm_server(const CollectOptions& options, size_t children);

/// The note of a result that such a server could have counted and did not.
std::string cold_start_note(const std::string& why);

/// The server of this program and these options, started when options.server allows that. nullopt when there is none;
/// `why` then says what is wrong, and is empty when nothing is. Error{kTool} "interrupted" when cancelled.
std::optional<WarmServer> find_warm_server(const WarmServerProgram& program, const Valgrind& valgrind,
                                           const CollectOptions& options, std::string& why);

// How a server that counts is started: Callgrind's command line, the pinned surroundings. One place, for a server of
// one batch (timer/collect_batch) and for one that stays warm, whose counts are the same.

/// `prefix`, Callgrind's command and `program`, with the log and the profiles cg.PID in `folder`. `threads`: some
/// statement has more than one.
StubServerSpec make_server_spec(const std::vector<std::string>& prefix, const std::vector<std::string>& program,
                                const Valgrind& valgrind, const CollectOptions& options, bool threads,
                                const std::filesystem::path& folder);

}  // namespace icount
