// `icount time --device cuda` for statements that nvcc compiles: a program for each, its figures printed. Python
// statements are timed in blocks, by cli/command_time.cc, like those of the CPU.
#pragma once

#include "icount/cli/time_options.h"
#include "icount/console/command_spec.h"

namespace icount {

/// One line that says why a statement has no figures.
void tell_time_failure(const TaskSpec& spec, const std::string& error, CommandContext& context);

/// kFailure when one of them could not be timed; the others' figures are printed all the same.
ExitCode time_on_device(const TimeOptions& options, CommandContext& context);

}  // namespace icount
