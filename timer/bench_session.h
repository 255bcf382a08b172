// What all runs of one benchmark binary share, and how a measured case becomes a Result. Between timer/bench_run and
// the files that know a framework (timer/count_google).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/environment.h"
#include "icount/harness/pins.h"
#include "icount/objects/name_code.h"
#include "icount/timer/count_bench.h"

namespace icount {

// One run of a benchmark binary under Callgrind with the hooks of harness/bench_hooks: which cases began, and which
// parts of the profile hold their regions. timer/count_bench plans the runs and reads the parts.

struct BenchRunSpec {
  std::vector<std::string> argv;  ///< the binary, with a path, and all its arguments
  std::filesystem::path hooks;    ///< the library of build_bench_hooks
  std::string plan;               ///< lines for the hooks (harness/hooks/bench_log.h)
  Pins pins;
  Environment environment;
  bool memory = false;                         ///< run under DHAT: cases have memory and no parts
  bool jumps = true;                           ///< record what happens inside functions
  std::vector<std::string> extra_environment;  ///< "NAME=VALUE", on top of the pinned block
  std::filesystem::path working_dir;           ///< empty: ours
  std::vector<std::string> callgrind_options;  ///< of callgrind/user_options.h
  Seconds case_limit{0};                       ///< for one case, and for what comes before the first; 0: none
  std::function<bool()> cancelled;
};

/// A region that was counted to its end.
struct BenchPart {
  enum class Step { kWarmUp = 0, kFew = 1, kMany = 2 };
  Step step = Step::kWarmUp;
  int64_t iterations = 0;
  int part = 0;             ///< of the profile, the region's last one
  int pid = 0;              ///< of the process that wrote it
  int first_part = 0;       ///< below `part` where the case paused: then every second part is a pause
  bool is_toggled = false;  ///< it paused too often for that: calls in pauses were counted
};

/// The two processes of a case under DHAT (harness/hooks/bench_memory.h); their files are FOLDER/dhat.PROCESS.
struct BenchMemory {
  int before = 0;       ///< it ended where the region begins
  int whole = 0;        ///< it ended where the region ends
  int64_t taken = 0;    ///< bytes that the second one took in one block before the region
  bool pauses = false;  ///< the region pauses its timing
};

/// A counter as the case set it (benchmark::Counter).
struct BenchCounter {
  std::string name;
  int64_t flags = 0;
  double value = 0;
};

/// What a case set going in its region that is in no count of it.
enum class BenchEscape { kNone = 0, kProcess = 1, kThread = 2, kStaleCode = 3 };

/// A case that began, in the order of the binary.
struct BenchCaseRun {
  std::string name;  ///< as a hook saw it; empty where none does
  std::vector<BenchPart> parts;
  std::optional<BenchMemory> memory;
  int64_t complexity_n = 0;  ///< what the case called SetComplexityN with; 0: it did not
  int64_t ran = 0;           ///< iterations that the counters are of; 0: none were said
  std::vector<BenchCounter> counters;
  std::string label, error, skipped;      ///< what the case said about itself
  std::optional<ProcessOutcome> failure;  ///< how its own process ended before it was measured
  BenchEscape escape = BenchEscape::kNone;
  const BenchPart* find(BenchPart::Step step) const;
};

struct BenchRun {
  ProcessOutcome outcome;
  std::vector<BenchCaseRun> cases;
  bool case_timed_out = false;        ///< the last case took longer than case_limit
  bool unknown_layout = false;        ///< the framework's objects are not what the hooks know
  bool is_together = false;           ///< the binary has threads: its cases ran in one process
  std::string unhandled_instruction;  ///< one line for the user when that is how it ended
};

/// The file in a run's folder that the binary reaches as kBenchOutPath: its name is as long in every folder.
inline constexpr const char* kBenchOutFile = "out";
inline constexpr const char* kBenchOutPath = "/proc/self/fd/200";

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
