// From the repeats of a counted program to the results that files keep. Between timer/count_program.h and
// stats/result.h; used by inputs/measure_program and suite/run_programs.
#pragma once

#include <string>
#include <vector>

#include "icount/stats/result.h"
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

// The processes and named regions of a counted program, as parts of its result or as results of their own. Between
// timer/count_program and stats/result.h.

/// Fills result.processes where the program consisted of several; graphs are those of repeat `chosen`, whose graphs are
/// taken. Processes of the repeats are matched by command and order; a note says when the repeats had different ones.
void add_processes(Result& result, std::vector<ProgramCount>& repeats, size_t chosen);

/// One result per region that the program named, in the order of the names, with the circumstances of `whole`; none
/// when it named none. A note of the first says what ran outside of them.
std::vector<Result> region_results(const Result& whole, std::vector<ProgramCount>& repeats, size_t chosen);

/// One result per process, labelled by its key below the program's label. One that was not counted is "skipped".
std::vector<Result> split_processes(const Result& result);

}  // namespace icount
