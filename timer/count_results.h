// From what was counted, the repeats of a program or what collect_callgrind found, to the results that files keep:
// one conversion for programs, the suite and `icount count`.
#pragma once

#include <string>
#include <vector>

#include "icount/harness/timer_args.h"
#include "icount/stats/result.h"
#include "icount/timer/collect_callgrind.h"
#include "icount/timer/count_program.h"

namespace icount {

struct ProgramResults {
  Result whole;
  std::vector<Result> regions;  ///< those that the program named, by name
};

/// `counted`: one per repeat, at least one; the last may have failed, the others have not. A program that did not end
/// with `exit_code` is a result with another status than done. `with_processes`: each process is a part of the result.
ProgramResults make_program_results(const std::vector<std::string>& argv, std::vector<ProgramCount> counted,
                                    bool with_processes, int exit_code = 0);

/// 143 for SIGTERM.
int exit_code_of_signal(int signal);

/// Whether the program ended by itself with `exit_code`, or by the signal that this is as a shell has it (143: TERM).
bool ended_with(const ProcessOutcome& outcome, int exit_code);

/// One result per process, labelled by its key below the program's label. One that was not counted is "skipped".
std::vector<Result> split_processes(const Result& result);

/// The result of a statement with its label, task, figures and circumstances; the graph is moved in.
Result make_result(const TimerArgs& args, CollectResult collected);

/// A result without figures: `status` is skipped or one of CollectStatus's, `error` says why.
Result make_failed_result(const TimerArgs& args, std::string_view status, std::string_view error);

/// The `limit` functions with the most self cost in the graph's first event, by self cost, then name.
std::vector<TopFunction> top_functions(const CostGraph& graph, size_t limit);

}  // namespace icount
