// The list of icount's commands, in the order of the help. Start reading here, then cli/command_diff.cc.
#pragma once

#include <span>

#include "icount/console/command_spec.h"

namespace icount {

/// All commands, by groups.
std::span<const CommandGroup> command_groups();
/// The same in one list.
std::span<const CommandSpec* const> all_commands();

}  // namespace icount
