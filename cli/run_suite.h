// Measures the benchmarks of a suite file as options say: what `icount suite run` is, and how the gate measures head
// and base. Options: cli/suite_run_options.h; the work: suite/batch.h.
#pragma once

#include <cstddef>
#include <vector>

#include "icount/cli/suite_run_options.h"
#include "icount/console/command_spec.h"
#include "icount/stats/result.h"
#include "icount/suite/suite_spec.h"

namespace icount {

struct SuiteRun {
  std::vector<Result> results;  ///< in the suite's order, without their graphs (those are in the file of --out)
  size_t failed = 0;            ///< benchmarks without a count, and counted ones without the wall time asked for
  bool cancelled = false;       ///< interrupted; what was done before is in the results
};

/// What the suite wants to be built before its programs are run. Error{kTool} naming the step that failed.
void run_build(const Suite& suite, const CommandContext& context);

/// Progress and warnings go to context.err. Relative paths are those of the working folder. Error for a suite file that
/// is damaged or of which nothing is selected, a missing compiler or Valgrind, an output that can't be written.
SuiteRun run_suite(const SuiteRunOptions& options, CommandContext& context);

}  // namespace icount
