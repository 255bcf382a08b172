// The options of `icount count`: table, struct, and how one becomes the other. Used by cli/command_count.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icount/cli/write_document.h"
#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/harness/cuda_stub.h"
#include "icount/harness/timer_args.h"
#include "icount/inputs/measure_program.h"
#include "icount/report/results_text.h"
#include "icount/stats/name_rules.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

struct CountOptions {
  std::vector<TimerArgs> statements;    ///< one per statement and thread count; empty when a program is counted
  std::vector<std::string> program;     ///< of `-- PROGRAM ARGS`
  Children children = Children::kSum;   ///< of a program
  std::vector<std::string> within;      ///< of a program: count only within these functions
  bool only_marked = false;             ///< of a program: count only what it marks itself
  bool memory = false;                  ///< of a program: bytes and peak, too
  int expected_end = 0;                 ///< of a program: what it must end with, as a shell has it
  ProgramInputOptions input;            ///< of a program: file and limit
  std::string working_dir;              ///< of a program; empty: icount's own
  std::vector<std::string> torch_dirs;  ///< every --torch
  std::string base_ref;                 ///< of statements: the commit that they are counted at first; empty: only here
  std::string head_ref;                 ///< and then; empty: the working tree
  std::string build;                    ///< shell command run first in a commit's top folder; empty: none
  std::vector<std::string> label;       ///< of the only result; empty: the statement or the program's command line
  CollectOptions collect;               ///< torch_dir, environment and the callbacks are set by the command
  bool on_cuda = false;                 ///< --device cuda: nothing can be counted, the wall clock is fallen back on
  CudaStubOptions cuda;                 ///< nvcc, architecture and device of statements on a device
  bool fallback = true;                 ///< off with --no-fallback: no count is a failure
  bool emit_stub = false;
  bool explain = false;
  bool no_server = false;
  OutputFormat format = OutputFormat::kText;
  ResultsView view;
  std::optional<NameRules> transform;  ///< of what is shown; the saved result keeps its names
  std::string out_file;

  /// Whether each statement is counted in more than one way and compared with itself, not with the first one.
  bool has_variants() const { return torch_dirs.size() > 1 || !base_ref.empty(); }
};

std::span<const OptionSpec> count_option_table();

/// A problem where there is neither statement nor program; before the rest is read.
void check_subject(const ParsedOptions& parsed);

/// Error{kUsage} with everything that is wrong; Error{kIo} or {kMalformed} for the file of --file.
CountOptions read_count_options(const ParsedOptions& parsed);

// What `icount count` makes of them; `icount growth` does so at several sizes.

/// How the program's standard input is read; icount's own and a pipe can be read once.
ProgramInputOptions input_options(const CountOptions& options, CommandContext& context);
/// A result for each statement, or of the program and of what it names.
std::vector<Result> measure_counts(const CountOptions& options, CommandContext& context);
/// One line for each failure on context.err; what the compiler said, or the tail of the output, below it.
void report_failed_counts(const std::vector<Result>& results, const CommandContext& context);

}  // namespace icount
