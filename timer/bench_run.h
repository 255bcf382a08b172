// One run of a benchmark binary under Callgrind with the hooks of harness/bench_hooks: which cases began, and which
// parts of the profile hold their regions. timer/count_bench plans the runs and reads the parts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/process.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/environment.h"
#include "icount/harness/pins.h"

namespace icount {

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

/// Runs it; leaves its files in `folder`, which is empty before. A failing binary is a value.
/// Error{kTool} when it can't be started.
BenchRun run_bench(const BenchRunSpec& spec, const Valgrind& valgrind, const std::filesystem::path& folder);

/// What a region cost in the benchmark itself: without the hooks' own functions and without those that were active
/// around the region. Error{kIo} when the part is not whole.
CostGraph load_bench_region(const std::filesystem::path& folder, const BenchPart& part);

}  // namespace icount
