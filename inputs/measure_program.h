// A program run under Callgrind from start to end -> Result with cost graph. `count -- PROGRAM` and `diff` use it.
#pragma once

#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/harness/pins.h"
#include "icount/stats/result.h"

namespace icount {

struct MeasureProgramOptions {
  std::vector<std::string> argv;
  bool reuse = false;       ///< take the kept result of an executable with the same content, keep a new one
  double time_limit_s = 0;  ///< 0: none
  int repeats = 1;
  int stacks = 0;            ///< callers to record with every function; 0: no call stacks
  std::string keep_profile;  ///< non-empty: the raw callgrind.out is copied there
  Pins pins;
};

/// The result, whose status says how the program ended; only a missing Valgrind or a full disk is an Error. What the
/// program prints goes to context.err, so that icount's own output stays clean.
Result measure_program(const MeasureProgramOptions& options, CommandContext& context);

}  // namespace icount
