// A program run under Callgrind from start to end -> Results with cost graphs. `count -- PROGRAM` and `diff` use it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/scratch_dir.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/console/command_spec.h"
#include "icount/harness/pins.h"
#include "icount/stats/result.h"

namespace icount {

// The standard input of a program that is counted: spooled to a file before the program starts, so that every repeat
// reads the same bytes and the result can name them.

struct ProgramInputOptions {
  std::string file;                  ///< --stdin; empty: what comes on `descriptor`
  int descriptor = 0;                ///< a terminal, a closed one or an empty one: the program has an empty input
  int64_t limit = int64_t{1} << 30;  ///< --stdin-limit, in bytes
  double time_limit_s = 0;           ///< --timeout, for what comes on `descriptor`; 0: none
  std::function<bool()> cancelled;
  std::function<void(const std::string&)> say;  ///< told once when the input is slow to end
};

/// The input as a file, which lives as long as the object.
class ProgramInput {
 public:
  /// Reads to the end. Error{kIo} for a file that can't be read, an input above the limit (naming --stdin-limit), one
  /// that does not end in time (naming --timeout).
  explicit ProgramInput(const ProgramInputOptions& options);

  /// Empty: nothing came.
  const std::filesystem::path& path() const { return path_; }

 private:
  void spool(const ProgramInputOptions& options);

  std::optional<ScratchDir> folder_;
  std::filesystem::path path_;
};

/// What becomes of the processes that the program starts (--children).
enum class Children {
  kSum,    ///< one count of all, and a part per process
  kSplit,  ///< a result per process
  kNone    ///< they run uncounted; a note says that there were some
};

struct MeasureProgramOptions {
  std::vector<std::string> argv;
  std::vector<std::string> label;  ///< of the result; empty: its command line
  std::string working_dir;         ///< empty: ours
  bool reuse = false;              ///< take the kept result of an executable with the same content, keep a new one
  double time_limit_s = 0;         ///< 0: none
  int repeats = 1;
  /// A second count, for its spread, where chance decides what the program does (kChanceFact) and it leaves no files
  /// that another run may find.
  bool again_by_chance = false;
  int expected_end = 0;  ///< the exit status that makes a result; 128 and a number: the signal
  int stacks = 0;        ///< callers to record with every function; 0: no call stacks
  Children children = Children::kSum;
  bool per_thread = false;
  std::vector<std::string> within;             ///< count only within these functions
  bool only_marked = false;                    ///< count only what the program marks with START and STOP
  std::string input_file;                      ///< standard input; empty: an empty one
  bool memory = false;                         ///< bytes and peak, too (timer/case_memory.h)
  std::vector<std::string> callgrind_options;  ///< further events and the like
  bool jumps = true;                           ///< record what happens inside functions
  KeptCode code = KeptCode::kCostly;
  Pins pins;
};

/// One result, whose status says how the program ended; more when the program named regions or `children` splits it.
/// Only a program that left no profile, a missing Valgrind or a full disk is an Error. What the program prints goes to
/// context.err, so that icount's own output stays clean.
std::vector<Result> measure_program(const MeasureProgramOptions& options, CommandContext& context);

}  // namespace icount
