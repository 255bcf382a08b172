// One program's statements measured through one stub server: the queue of jobs, their ends turned into results, servers
// started again when one is lost. The step below collect_callgrind, which builds the programs.
#pragma once

#include <span>
#include <vector>

#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/stub_protocol.h"
#include "icount/harness/timer_args.h"
#include "icount/harness/toolchain.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/warm_server.h"

namespace icount {

/// The server that a batch is measured in.
struct ServerProgram {
  std::vector<std::string> prefix;        ///< before Valgrind's command; empty: nothing
  std::vector<std::string> program;       ///< the stub, or an interpreter and its arguments
  std::string object;                     ///< path of the object that is ours: "stub" in results
  bool interpreted = false;               ///< Python: a baseline is taken, and nothing is ever optimised away
  std::vector<Fact> facts;                ///< beyond those of the toolchain
  std::optional<WarmServerProgram> warm;  ///< a server that may run already; absent: one of this batch alone
  std::string file;                       ///< what that one loads: the stub, or the plan of an interpreter
};

/// What a batch measures; statement i is benchmark i of the program.
struct CollectBatch {
  std::span<const TimerArgs> statements;
  std::vector<size_t> members;
  ServerProgram server;
  const Toolchain& toolchain;
  const Valgrind& valgrind;
  const CollectOptions& options;
  StatementFileRecorder* files = nullptr;  ///< null: nobody asks for them
};

/// Measures every member and stores its result at results[member]; calls options.on_result for each. When cancelled,
/// what is left is kCancelled. Error{kTool} when the server can't be started at all.
void run_collect_batch(const CollectBatch& batch, std::vector<CollectResult>& results);

}  // namespace icount
