// Whether counts use a server that stays warm between commands: an option of timer/collect_callgrind.h and of the
// Timer.
#pragma once

#include <string>
#include <vector>

#include "icount/harness/session_spec.h"

namespace icount {

/// Counts are the same with such a server and without (docs/server.md).
struct ServerUse {
  SessionUse use = SessionUse::kOff;
  std::vector<std::string> start_command;  ///< what becomes a server: {"/usr/bin/icount", "server", "run"}; empty: none
  double idle_seconds = 300;               ///< after which one that is started ends
  bool plain = false;  ///< also for C++ without LibTorch, whose server starts in half a second: tests do
};

}  // namespace icount
