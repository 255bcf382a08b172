// How a server that counts is started: Callgrind's command line, the pinned surroundings. One place, for a server of
// one batch (timer/collect_batch) and for one that stays warm (timer/warm_server), whose counts are the same.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "icount/callgrind/version.h"
#include "icount/harness/stub_client.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

/// `prefix`, Callgrind's command and `program`, with the log and the profiles cg.PID in `folder`. `threads`: some
/// statement has more than one.
StubServerSpec make_server_spec(const std::vector<std::string>& prefix, const std::vector<std::string>& program,
                                const Valgrind& valgrind, const CollectOptions& options, bool threads,
                                const std::filesystem::path& folder);

}  // namespace icount
