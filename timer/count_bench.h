// `icount bench`: a benchmark binary as it is -> a Result for each of its cases. Finds the framework, plans runs of the
// binary with hooks (timer/bench_run), starts again behind a case that crashes or hangs. cli and suite call it.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/harness/bench_hooks.h"
#include "icount/harness/environment.h"
#include "icount/harness/pins.h"
#include "icount/harness/toolchain.h"
#include "icount/stats/result.h"

namespace icount {

struct BenchOptions {
  CaseKind kind = CaseKind::kBenchmarks;
  std::vector<std::string> argv;  ///< the binary and the user's own arguments
  std::string filter;             ///< regular expression of the framework, on the names of cases; empty: all
  std::string functions;          ///< a pattern of functions without parameters, in place of a framework's cases
  std::vector<std::vector<std::string>> only;  ///< labels of list_bench to count; empty: all
  std::set<std::string> left_out;              ///< joined labels that are not counted
  int64_t number = 0;  ///< iterations of the larger region, at least 3; 0: 100, or fewer for costly cases
  int repeats = 1;
  bool isolate = false;   ///< a process for each case
  bool memory = false;    ///< bytes and peak of each case, too, in a further run under DHAT
  bool jumps = true;      ///< record what happens inside functions
  Seconds time_limit{0};  ///< for one case; 0: none
  Pins pins;
  Environment environment;
  std::vector<std::string> extra_environment;  ///< "NAME=VALUE", on top of the pinned block
  std::filesystem::path working_dir;           ///< empty: ours; where the binary is looked for, too
  std::vector<std::string> callgrind_options;  ///< of callgrind/user_options.h
  ToolchainOptions toolchain;                  ///< whose compiler makes the hooks
  std::function<bool()> cancelled;
  std::function<void(const std::string&)> say;  ///< what is being done
};

/// Error{kCannotJudge} when the binary has no known framework or none of its hooks fired, Error{kTool} when it fails
/// before its first case, Error{kUsage} when no case matches the filter, Error{kMalformed} for no ELF executable.
BenchCount count_bench(const BenchOptions& options);

/// The cases of a binary, not counted.
struct BenchList {
  std::vector<std::vector<std::string>> labels;  ///< as those of count_bench's results
  std::vector<RefusedCase> refused;
};

/// Google Benchmark's cases are asked for natively. Binaries of Catch2 and nanobench run once with hooks, and each of
/// their benchmarks once. Errors of count_bench.
BenchList list_bench(const BenchOptions& options);

}  // namespace icount
