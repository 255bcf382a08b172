// Statements in plain Python, for tests that run them.
#pragma once

#include <string>
#include <utility>

#include "icount/harness/timer_args.h"

namespace icount {

inline TimerArgs python_statement(std::string stmt, std::string setup = {}) {
  TimerArgs args;
  args.language = Language::kPython;
  args.torch = false;
  args.stmt = std::move(stmt);
  args.setup = std::move(setup);
  return args;
}

}  // namespace icount
