// What a whole program's count lacks: processes that could not be counted and parts that the program itself took out.
// timer/count_program calls it last, when the processes of a run are known.
#pragma once

#include <string>

#include "icount/callgrind/valgrind_log.h"
#include "icount/timer/count_program.h"

namespace icount {

/// One note for each process, and each request of the program, whose work is not in the count.
void add_gap_notes(const ProgramCountOptions& options, ProgramCount& result);

/// The facts of stats/fingerprint.h: a count that lacks something is compared only with one that lacks the same.
void add_gap_facts(const ProgramCountOptions& options, ProgramCount& result);

// An instruction that ended a measured process because Valgrind does not know it, told with its text and its function.

/// One line for the user.
std::string describe_unknown_instruction(UnhandledInstruction instruction);

}  // namespace icount
