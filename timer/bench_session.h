// What all runs of one benchmark binary share, and how a measured case becomes a Result. Between timer/bench_run and
// the files that know a framework (timer/count_google).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/objects/name_code.h"
#include "icount/timer/bench_run.h"
#include "icount/timer/count_bench.h"

namespace icount {

/// A region's cost.
struct BenchRegion {
  int64_t iterations = 0;
  CostGraph graph;
};

/// One repeat of one case: few and many iterations.
struct MeasuredCase {
  std::optional<BenchRegion> few;
  std::optional<BenchRegion> many;
  std::string status = "done";
  std::string error;

  void fail(std::string with_status, std::string with_error) {
    status = std::move(with_status);
    error = std::move(with_error);
  }
};

/// The executable that `name` means: a file of that name in `folder`, else a program in PATH; empty when there is none.
std::filesystem::path find_binary(const std::string& name, const std::filesystem::path& folder);

/// A note of the count.
inline constexpr std::string_view kBenchTogether =
    "the binary has threads before its first case: its cases ran in one process, and one may find what another left on "
    "the heap; --isolate gives each a process of its own";

class BenchSession {
 public:
  /// Compiles the hooks. Error{kTool} without Valgrind or a compiler.
  BenchSession(const BenchOptions& options, BenchFramework framework, bool is_stripped);

  /// The binary with further arguments and a plan for the hooks.
  BenchRun run(const std::vector<std::string>& arguments, const std::string& plan, const std::filesystem::path& folder);
  /// The same under DHAT, for the memory of its cases.
  BenchRun run_memory(const std::vector<std::string>& arguments, const std::string& plan,
                      const std::filesystem::path& folder);
  /// The binary natively, for what it lists.
  ProcessOutcome run_natively(const std::vector<std::string>& arguments) const;

  /// The regions of a case that were counted.
  void take_regions(const std::filesystem::path& folder, const BenchCaseRun& one, MeasuredCase& measured) const;

  /// All repeats of one case as a Result; `extra` is added to its extra data.
  Result make_result(const std::string& label, std::vector<MeasuredCase> repeats, const Json& extra);

  const BenchOptions& options() const { return options_; }
  BenchFramework framework() const { return framework_; }
  /// Functions of the binary itself cannot be hooked.
  bool is_stripped() const { return is_stripped_; }
  /// "./x --size 3", for messages.
  std::string command_text() const;

  /// The label is one that was asked for (BenchOptions::only).
  bool is_wanted(const std::vector<std::string>& label) const;

  /// The failure of a case's own process, for the measured case.
  void take_failure(const BenchRun& run, const BenchCaseRun& one, MeasuredCase& measured) const;
  /// Error{kTool} of a run that failed before its first case.
  [[noreturn]] void fail_before_cases(const BenchRun& run) const;
  /// How a run ended that did not come to the end of its cases: status and one line.
  static std::pair<std::string, std::string> describe_failure(const BenchRun& run, const BenchOptions& options);

 private:
  BenchRunSpec make_spec(const std::vector<std::string>& arguments, const std::string& plan) const;
  BenchRun run(const BenchRunSpec& spec, const std::filesystem::path& folder);
  Fingerprint make_fingerprint(const CostGraph& graph, int64_t iterations) const;

  const BenchOptions& options_;
  BenchFramework framework_;
  bool is_stripped_;
  Valgrind valgrind_;
  Pins pins_;
  std::filesystem::path binary_;
  std::filesystem::path hooks_;
  CodeNamer namer_;  ///< reads the debug information of an object once for all cases
  bool aslr_refused_ = false;
};

}  // namespace icount
