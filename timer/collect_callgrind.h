// PyTorch's collect_callgrind for many statements at once: builds stubs, serves them under Callgrind from one
// server start, forks a child per measurement, and hands back counts, cost graphs and what went wrong, as values.
// The flow: harness/stub_source -> harness/build -> harness/stub_client -> callgrind/parser. Reads
// harness/timer_args.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/process.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/python_calls.h"
#include "icount/harness/environment.h"
#include "icount/harness/pins.h"
#include "icount/harness/reuse.h"
#include "icount/harness/session_spec.h"
#include "icount/harness/stub_protocol.h"
#include "icount/harness/timer_args.h"
#include "icount/harness/toolchain.h"
#include "icount/stacks/call_stacks.h"
#include "icount/stats/fingerprint.h"

namespace icount {

// What the count of a benchmark stands on besides its own text: of a compiled statement the headers that it was
// compiled from and the shared libraries that were loaded. Recorded while counting (timer/batch_gathering);
// suite/take_over.h asks later whether they are still the same.

struct StatementFiles {
  std::vector<std::string> lines;  ///< of a ReuseRecord
  std::string unknown;             ///< why not all can be known

  void add(const ReuseRecord& record);
};

/// What the files of a program's statements are found by.
struct StatementFileSources {
  std::filesystem::path executable;
  std::map<size_t, std::filesystem::path> objects;  ///< BuildOutcome::objects
  const Toolchain& toolchain;
  Environment environment;  ///< in which the program runs
};

class StatementFileRecorder {
 public:
  explicit StatementFileRecorder(StatementFileSources sources) : sources_(std::move(sources)) {}

  /// `loaded`: what the statement's process had loaded at its end. A library among it that the loader alone would not
  /// have loaded was opened while the program ran (dlopen); which one that is next time nobody can know.
  StatementFiles record(size_t statement, std::span<const LoadedObject> loaded);

 private:
  const std::filesystem::path& resolved(const std::filesystem::path& path);
  const ReuseRecord& sources(const std::filesystem::path& object);

  StatementFileSources sources_;
  std::optional<std::set<std::filesystem::path>> needed_;  ///< what the loader loads with the program
  FileIdentities identities_;
  std::map<std::filesystem::path, std::filesystem::path> resolved_;
  std::map<std::filesystem::path, ReuseRecord> records_;  ///< by object: many statements' own
};

/// How a statement ended; everything but kDone and kDead has no counts.
enum class CollectStatus {
  kDone,
  kDead,  ///< counted, but nothing is left of the statement (optimised away)
  kCompileError,
  kThrew,
  kCrashed,  ///< ended by a signal
  kExited,   ///< exit() or a return out of the statement
  kTimedOut,
  kUnhandledInstruction,  ///< Valgrind does not know an instruction (AVX-512)
  kForked,                ///< the statement made processes, whose work is not counted
  kWrongLibrary,          ///< the process loaded another library than it was built with
  kServerLost,            ///< the whole server died or fell silent
  kCancelled,
};
/// "done", "dead", "compile-error", "threw", "crashed", "exited", "timed-out", "unhandled-instruction", "forked",
/// "wrong-library", "server-lost", "cancelled": the names in JSON.
std::string_view to_text(CollectStatus status);

/// How the region is marked (docs/measuring.md).
enum class Markers {
  kDump,    ///< DUMP, loop, DUMP; the second part; call counts are right
  kToggle,  ///< PyTorch's way: TOGGLE, loop, TOGGLE, DUMP, repeats in one process
};

/// What came of one statement. Counts are of `event` (Ir).
struct CollectResult {
  size_t index = 0;  ///< into the TimerArgs given
  CollectStatus status = CollectStatus::kServerLost;
  std::string error;    ///< one line for the user; empty when kDone
  std::string details;  ///< the compiler's whole message, or the tail of the statement's output; may be empty
  std::vector<std::string> notes;  ///< remarks that leave the result valid ("ASLR could not be switched off: ...")

  std::string event = "Ir";
  int64_t number_per_run = 0;
  std::vector<int64_t> counts;  ///< total of the region per repeat
  size_t median_repeat = 0;     ///< index into counts; `graph` is of this one
  double per_run = 0;           ///< counts[median_repeat] / number_per_run

  /// From n runs and n more behind them; absent when the slope was not asked for (or with Markers::kToggle).
  struct Slope {
    int64_t double_count = 0;  ///< count over 2n runs: the first n, and n more without their markers
    double per_run = 0;        ///< (count(2n) - count(n)) / n
    double fixed = 0;          ///< count(n) - n * per_run = 2 count(n) - count(2n)
    double unexplained = 0;    ///< fixed - marker_count: what neither runs nor markers account for (heap history)
  };
  std::optional<Slope> slope;
  int64_t marker_count = 0;  ///< what an empty region costs (the markers' own instructions), included in counts
  /// Python: what the same block costs with an empty statement (PyTorch's baseline), and its graph. Empty
  /// otherwise.
  std::vector<int64_t> baseline_counts;
  CostGraph baseline;
  int64_t setup_count = 0;  ///< set-up and warm-up; 0 with Markers::kToggle and when `prepared`
  bool prepared = false;    ///< its children began with a snapshot of the state after set-up and warm-up

  CostGraph graph;
  /// With CollectOptions::python_calls, where the interpreter can record them (callgraph/python_calls.h).
  std::optional<CostGraph> python_calls;
  std::vector<PythonFunction> python_functions;  ///< of a server that records Python calls
  std::optional<CallStacks> stacks;              ///< with CollectOptions::stacks; of the repeat of `graph`
  Fingerprint fingerprint;
  StatementFiles files;  ///< with CollectOptions::keep_files
};

/// Said while it happens: "building the precompiled header for LibTorch 2.13.0 with clang 14 (once, about 20 s)".
struct CollectProgress {
  enum class Stage { kHeader, kCompile, kServer, kMeasure };
  Stage stage = Stage::kMeasure;
  std::string text;
  size_t done = 0;  ///< of `total`, in the stage's unit (translation units, statements)
  size_t total = 0;
};

struct CollectOptions {
  int64_t number = 100;
  int repeats = 1;
  int jobs = 2;  ///< children in flight
  std::shared_ptr<std::atomic<int>>
      running;              ///< children of all collections that share the `jobs`; empty: this one has its own
  Seconds time_limit{60};   ///< per child, under Valgrind; 0: none
  bool slope = true;        ///< also count 2n runs: fixed and per-run cost, and sure detection of dead code
  bool allow_dead = false;  ///< dead statements are kDone with a note
  /// A statement that names nothing of LibTorch is built without it, and with it when a compile shows that it is
  /// needed; false: TimerArgs::torch decides.
  bool torch_as_needed = false;
  bool isolate = false;  ///< a program and a server of its own for every statement
  bool warm = true;  ///< set-up and warm-up run once, before instrumentation; counts are the same (docs/measuring.md)
  Markers markers = Markers::kDump;
  bool per_thread =
      false;  ///< a note says what each thread counted; other markers, so not comparable with counts without
  bool keep_lines = false;  ///< fill CostGraph::lines
  bool python_calls =
      false;       ///< also run Python statements once more with their calls recorded (CPython 3.12 and newer)
  int stacks = 0;  ///< callers to record with every function; 0: no call stacks
  std::vector<std::string> callgrind_options;  ///< further events and the like (callgrind/user_options.h)
  bool keep_files = false;                     ///< fill CollectResult::files
  bool keep_insides = false;                   ///< record jumps and fill CostGraph::code; not with stacks
  ServerUse server;
  Pins pins;
  ToolchainOptions toolchain;
  Environment environment;          ///< the caller's block; cli passes current_environment()
  std::filesystem::path cache_dir;  ///< empty: ICOUNT_CACHE, else XDG_CACHE_HOME/icount, else HOME/.cache/icount
  std::filesystem::path keep_dir;   ///< non-empty: the stub's source and the raw profiles are kept there

  std::function<void(const CollectResult&)> on_result;  ///< each result as it comes, in order of completion
  std::function<void(const CollectProgress&)> on_progress;
  std::function<bool()> cancelled;  ///< asked ten times a second
};

/// One result per statement, in the order given. Error{kTool} when there is no Valgrind, compiler or LibTorch at all,
/// Error{kUsage} for senseless options (number < 1, repeats < 1); everything about one statement is in its result.
std::vector<CollectResult> collect_callgrind(std::span<const TimerArgs> statements, const CollectOptions& options);

}  // namespace icount
