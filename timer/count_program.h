// `icount count -- PROGRAM ARGS` and an executable as a side of `icount diff`: one whole program and what it starts
// under Callgrind with its surroundings pinned, and a cache of such counts by content. Reads callgrind/run.h,
// harness/pins.h.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/harness/environment.h"
#include "icount/harness/pins.h"
#include "icount/harness/reuse.h"
#include "icount/stacks/call_stacks.h"
#include "icount/stats/fingerprint.h"
#include "icount/timer/within.h"

namespace icount {

struct ProgramCountOptions {
  Pins pins;                ///< cwd, argv and stack are never pinned for a program: they are what was asked for
  Environment environment;  ///< the caller's block
  std::vector<std::string> extra_environment;  ///< "NAME=VALUE", set last
  std::filesystem::path working_dir;           ///< empty: ours; a relative name of the program is looked up there
  std::vector<std::string> callgrind_options;  ///< further events and the like (callgrind/user_options.h)
  Seconds time_limit{0};
  bool keep_lines = false;
  bool keep_insides = false;  ///< record jumps and fill CostGraph::code; not with stacks
  KeptCode code = KeptCode::kCostly;
  bool follow_children = true;       ///< count what the program starts, too
  int stacks = 0;                    ///< callers to record with every function; 0: no call stacks
  bool per_thread = false;           ///< a note with the part of each thread
  bool inherit_output = false;       ///< the program's output goes to our own
  std::filesystem::path input_file;  ///< the program's standard input; empty: an empty one
  std::vector<std::string> within;   ///< count only within these functions (patterns) and what they call
  bool only_marked = false;          ///< count only between CALLGRIND_START_INSTRUMENTATION and its STOP
  std::filesystem::path
      cache_dir;  ///< non-empty: the profiles are kept there, and reused while the program, its arguments, its
                  ///< libraries, everything in the fingerprint and what it looked at are the same; of programs of
                  ///< which that can't be known (`sources`) none are kept
  bool record_sources = false;  ///< fill ProgramCount::sources; with cache_dir they are filled anyway
  std::function<bool()> cancelled;
};

/// One process of the program, the program itself among them.
struct CountedProcess {
  std::vector<std::string> argv;  ///< of the last program that it ran
  int parent = -1;                ///< index of who forked it; -1: the program itself
  std::string status;             ///< "done", "exit status 3", "killed by signal 11 (SIGSEGV)", "outlived the program"
  std::string not_counted;        ///< why its graph is empty or lacks a part; empty: it is counted as a whole
  CostGraph graph;                ///< without events where nothing was counted
};

struct ProgramCount {
  ProcessOutcome outcome;  ///< of the run; of the first run when from_cache
  bool from_cache = false;
  std::vector<CountedProcess> processes;  ///< the program first, then what it started, each before its own
  CostGraph graph;                   ///< of all processes together; of the program alone when children are not followed
  ProgramRegions regions;            ///< what the program itself marked with a name
  std::optional<CallStacks> stacks;  ///< with ProgramCountOptions::stacks
  Fingerprint fingerprint;
  ReuseRecord sources;  ///< what it looked at while it was counted
  Chance chance;        ///< as CallgrindRun::chance
  std::vector<std::string> notes;
  std::vector<std::string> not_followed;  ///< as CallgrindRun::not_followed
  CountingRequests requests;              ///< as CallgrindRun::requests
};

/// Error{kTool} when the program can't be started, was stopped or left no profile. A program that fails by itself (exit
/// status, signal) is a value in `outcome`, with the counts up to its end.
ProgramCount count_program(const std::vector<std::string>& argv, const ProgramCountOptions& options);

}  // namespace icount
