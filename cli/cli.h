// The top of the program: which command, what to do with its failures, which exit code. Called by main.cc and by tests.
#pragma once

#include <string>
#include <vector>

#include "icount/console/command_spec.h"

namespace icount {

/// Runs the command that context.arguments name and gives the exit code. Failures become lines on context.err, escaped
/// for terminals; nothing is thrown.
ExitCode run_icount(CommandContext& context);

}  // namespace icount
