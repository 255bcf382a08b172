// What `icount time` was asked for, read and checked in one place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"
#include "icount/harness/cuda_stub.h"
#include "icount/harness/timer_args.h"
#include "icount/stats/measurement.h"

namespace icount {

class ParsedOptions;

/// How the number of runs and blocks is found.
enum class TimeMethod { kSteady, kAdaptive, kTimeit };

struct TimeOptions {
  std::vector<TimerArgs> statements;  ///< every statement with every thread count
  std::vector<TaskSpec> specs;        ///< of each
  TimeMethod method = TimeMethod::kSteady;
  bool paired = false;  ///< statements 2 k and 2 k + 1, of one thread count, are timed in turns
  int64_t number = 0;   ///< of timeit
  double min_run_time = 0.2;
  double max_run_time = 10;
  double threshold = 0.1;    ///< of the adaptive method
  std::optional<double> ci;  ///< relative width of the interval to stop at
  std::optional<int> pin_core;
  bool cold = false;
  bool allow_dead = false;    ///< a removed statement is a remark
  bool instructions = false;  ///< also counted
  bool cuda = false;
  bool entropy = false;
  bool time_anyway = false;  ///< what launches the same machine code alike, too
  bool cuda_sync = false;    ///< the statement waits for the device itself
  double bytes_moved = 0, flops = 0;
  double block_limit = 120;
  std::string torch_dir, python, compiler;
  CudaStubOptions cuda_stub;  ///< nvcc, architecture and device
  std::vector<std::string> cxxflags, link_flags, python_path;
  std::string out;
  bool json = false;
};

/// The table of `icount time`.
std::span<const OptionSpec> time_option_table();

/// stmt and setup as PyTorch keeps them; a Python statement may have a global_setup here.
TaskSpec clean_spec(TaskSpec spec, Language language);

/// What builds the statements.
ToolchainOptions time_toolchain(const TimeOptions& options);

/// Error{kUsage} with everything that is wrong.
TimeOptions read_time_options(const ParsedOptions& parsed);

}  // namespace icount
