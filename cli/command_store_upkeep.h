// `icount store ...`: upkeep of the history. Runs go in and out in cli/command_store.h.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& store_merge_command();
const CommandSpec& store_drop_command();
const CommandSpec& store_gc_command();
const CommandSpec& store_check_command();

}  // namespace icount
