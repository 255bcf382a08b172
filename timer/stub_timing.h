// Statements as text, timed by the wall clock: builds their stubs once, starts a server natively for each statement
// that is opened, and hands out a TimeSource over its session. timer/autorange.h and steady_timing.h ask that. What
// collect_callgrind is for instruction counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icount/base/json.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/environment.h"
#include "icount/harness/session_spec.h"
#include "icount/harness/statement_needs.h"
#include "icount/harness/stub_client.h"
#include "icount/harness/timer_args.h"
#include "icount/harness/toolchain.h"
#include "icount/timer/autorange.h"

namespace icount {

struct StubPlan;

struct StubTimingOptions {
  ToolchainOptions toolchain;
  Environment environment;          ///< the caller's block: wall time is taken in the caller's own surroundings
  std::filesystem::path cache_dir;  ///< empty: as for collect_callgrind
  Seconds block_limit{120};         ///< for one block, set-up included; 0: none
  std::optional<int> pin_core;      ///< the statement runs on this core alone
  bool waits_for_device =
      false;  ///< a statement that uses a CUDA device waits for it itself; otherwise such a one is an error
  /// Blocks wait for the CUDA device, once before their clock starts and once before it ends, as
  /// torch.utils.benchmark's do; a statement that does nothing there is an error. No nvcc compiles the statement: it
  /// may call what launches kernels, but not launch one with <<<...>>> (CudaTimer and harness/cuda_stub.h do).
  bool on_device = false;
  bool torch_as_needed = false;     ///< as for collect_callgrind
  std::optional<ServerUse> server;  ///< for counts; absent: one that runs is found, unless ICOUNT_SERVER says off
  int64_t cold_bytes = 0;           ///< above 0: so many bytes are walked through before each run
  std::function<void(const std::string&)> on_progress;
  std::function<bool()> cancelled;
};

/// Why a statement can't be timed.
struct TimingFailure {
  std::string status;   ///< "compile-error"
  std::string error;    ///< one line
  std::string details;  ///< the compiler's whole message
};

/// The statements' programs. Sessions opened from it may run side by side.
class StubTiming {
 public:
  /// Builds everything. Error{kTool} when there is no compiler, interpreter or LibTorch at all; what is wrong with one
  /// statement is its failure().
  StubTiming(std::span<const TimerArgs> statements, StubTimingOptions options);
  ~StubTiming();

  /// nullptr when the statement can be opened.
  const TimingFailure* failure(size_t statement) const;

  /// By which compiler a C++ statement was built, how far optimised (stats/flag_paths.h); empty for what was not built.
  std::string build_of(size_t statement) const;

  /// A server and a session of its own for the statement. Blocks throw Error{kTool} that says how the statement ended
  /// ("threw std::runtime_error: no", "no end after 120 s"). The source must not outlive this object.
  std::unique_ptr<TimeSource> open(size_t statement) const;

  /// One native run: "cuda" when it made a context on a CUDA device, "" when it did not, failed or could not be built.
  std::string probe_device(size_t statement) const;

 private:
  struct Program {
    std::vector<std::string> prefix, command;
    int64_t benchmark = 0;
    std::optional<Toolchain> toolchain;  ///< none for Python
  };
  StubServerSpec server_of(const Program& program, const std::filesystem::path& folder) const;
  void build();
  void lower();
  void build_members(const std::vector<size_t>& members);
  void build_cpp(const StubPlan& plan);
  void build_python(const StubPlan& plan);

  StubTimingOptions options_;
  std::vector<TimerArgs> statements_;
  BuildCache cache_;
  std::vector<std::optional<Program>> programs_;
  std::vector<std::optional<TimingFailure>> failures_;
  std::vector<std::shared_ptr<void>> keep_;  // folders that servers read
  LibTorchNeeds needs_;
};

/// What the machine was like: {"core", "governor", "load", "cpus", "cpu_model"}, as far as it can be read. For the
/// provenance of wall times.
Json probe_timing_surroundings(std::optional<int> pin_core);

/// Bytes that empty the caches of this machine: twice the last level but at most 128 MiB; 64 MiB where it can't be
/// read.
int64_t probe_cold_bytes();

}  // namespace icount
