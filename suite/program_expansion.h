// One [[programs]] entry -> the programs to run: every combination of its parameters, every region. Pure; between
// suite/program_task.h and suite/labels.h.
#pragma once

#include <string>
#include <vector>

#include "icount/suite/definitions.h"

namespace icount {

struct ExpandedProgram {
  Label label;
  ProgramTask task;
};

/// The last parameter varies fastest. "{NAME}" is replaced in the command, the input, the environment, the regions and
/// the label; a parameter that the label does not mention adds a part, "NAME VALUE" ("VALUE" for a file). What is wrong
/// (no command, a brace that names no parameter, a parameter that nothing uses) is added to `problems`.
std::vector<ExpandedProgram> expand_programs(const GroupedPrograms& programs, const Label& label,
                                             std::vector<std::string>& problems);

}  // namespace icount
