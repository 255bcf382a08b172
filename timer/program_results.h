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

}  // namespace icount
