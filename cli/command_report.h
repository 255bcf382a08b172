// `icount report ... -o FILE.html`: everything icount knows about one result, a comparison or a history as one file to
// look at.
#pragma once

#include "icount/console/command_spec.h"

namespace icount {

const CommandSpec& report_command();

}  // namespace icount
