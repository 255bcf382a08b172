// The processes and named regions of a counted program, as parts of its result or as results of their own. Between
// timer/count_program and stats/result.h; used by timer/program_results.
#pragma once

#include <vector>

#include "icount/stats/result.h"
#include "icount/timer/count_program.h"

namespace icount {

/// Fills result.processes where the program consisted of several; graphs are those of repeat `chosen`, whose graphs are
/// taken. Processes of the repeats are matched by command and order; a note says when the repeats had different ones.
void add_processes(Result& result, std::vector<ProgramCount>& repeats, size_t chosen);

/// One result per region that the program named, in the order of the names, with the circumstances of `whole`; none
/// when it named none. A note of the first says what ran outside of them.
std::vector<Result> region_results(const Result& whole, std::vector<ProgramCount>& repeats, size_t chosen);

/// One result per process, labelled by its key below the program's label. One that was not counted is "skipped".
std::vector<Result> split_processes(const Result& result);

}  // namespace icount
