// How benchmarks of a suite file are chosen, built and measured: the options that `icount suite run` and `icount gate`
// share, and the struct that they become. cli/run_suite.h runs it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/harness/toolchain.h"
#include "icount/suite/plan.h"
#include "icount/suite/suite_spec.h"

namespace icount {

struct SuiteRunOptions {
  static constexpr double kDefaultMinRunTime = 0.2;  ///< seconds

  std::string file;            ///< the suite
  PlanOptions plan;            ///< which of its benchmarks
  std::string balance;         ///< an earlier result whose counts make shards that cost about the same; empty: none
  std::string skip_unchanged;  ///< an earlier result that stands for what has not changed since; empty: none
  RunSettings settings;        ///< the command line's; the suite's and the defaults fill what is absent
  ExpandOptions expand;
  ToolchainOptions toolchain;
  std::string out;  ///< result file; empty: results are only returned
  bool resume = false;
  bool keep_graphs = true;
  bool allow_dead = false;
  bool warm = true;
  bool finds_server = false;  ///< a server that runs already may count (docs/server.md)
  int stacks = 0;
  std::vector<std::string> callgrind_options;  ///< further events and the like (callgrind/user_options.h)
  bool memory = false;                         ///< bytes and peak of programs and benchmark cases
  bool python_calls = true;                    ///< record the calls of Python functions, where graphs are kept
  bool jumps = true;                           ///< record what happens inside functions, where graphs are kept
  bool wall_time = false;
  double min_run_time = kDefaultMinRunTime;  ///< seconds
  int jobs = 1;
  int cores = 1;
};

/// Rows for a command's own table: which benchmarks, how they are measured, what they are built with.
std::span<const OptionSpec> suite_measuring_options();

/// What they say when none of them is given.
SuiteRunOptions default_suite_run_options();

/// What those rows say; `file`, `out`, `resume` and `keep_graphs` are the command's to fill. Notes problems on
/// `parsed`.
SuiteRunOptions read_suite_measuring_options(const ParsedOptions& parsed);

}  // namespace icount
