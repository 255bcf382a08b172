// `icount store ...`: runs into the history and out of it. Upkeep (gc, check, merge) is in cli/command_store_upkeep.h.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& store_import_command();
const CommandSpec& store_export_command();
const CommandSpec& store_runs_command();

}  // namespace icount
