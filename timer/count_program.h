// `icount count -- PROGRAM ARGS` and an executable as a side of `icount diff`: one whole program under Callgrind with
// its surroundings pinned, and a cache of such counts by content. Reads callgrind/run.h, harness/pins.h.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/harness/environment.h"
#include "icount/harness/pins.h"
#include "icount/stacks/call_stacks.h"
#include "icount/stats/fingerprint.h"

namespace icount {

struct ProgramCountOptions {
  Pins pins;                ///< cwd, argv and stack are never pinned for a program: they are what was asked for
  Environment environment;  ///< the caller's block
  Seconds time_limit{0};
  bool keep_lines = false;
  bool follow_children = false;
  int stacks = 0;                      ///< callers to record with every function; 0: no call stacks
  bool inherit_output = false;         ///< the program's output goes to our own
  std::filesystem::path keep_profile;  ///< non-empty: the raw callgrind.out is copied there; no cache then
  std::filesystem::path
      cache_dir;  ///< non-empty: the profile is kept there, and reused while the program, its arguments, its
                  ///< libraries and everything in the fingerprint are the same. What it reads is not looked at.
  std::function<bool()> cancelled;
};

struct ProgramCount {
  ProcessOutcome outcome;  ///< of the run; of the first run when from_cache
  bool from_cache = false;
  CostGraph graph;
  std::optional<CallStacks> stacks;  ///< with ProgramCountOptions::stacks
  Fingerprint fingerprint;
  std::vector<std::string> notes;
};

/// Error{kTool} when the program can't be started, was stopped or left no profile. A program that fails by itself (exit
/// status, signal) is a value in `outcome`, with the counts up to its end.
ProgramCount count_program(const std::vector<std::string>& argv, const ProgramCountOptions& options);

}  // namespace icount
