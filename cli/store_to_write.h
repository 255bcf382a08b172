// A history that a command writes to: opened, and what opening changed told. Used by store import, merge, drop and gc.
#pragma once

#include <string>

#include "icount/console/command_spec.h"
#include "icount/store/history.h"

namespace icount {

/// The store that --store means here. Warns where runs of an earlier icount were sealed by opening.
History open_store_to_write(const std::string& given, CommandContext& context, OpenMode mode);

}  // namespace icount
